"""From an Atari screen to the ids of its features: Blob-PROST, Basic, B-PROS, B-PROST."""
