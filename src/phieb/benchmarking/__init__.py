"""What a decision costs, relative to the emulator alone."""
