"""Image operations on Atari screens: averaging down and blending."""
