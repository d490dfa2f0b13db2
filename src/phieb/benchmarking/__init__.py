"""The speed of training relative to the emulator alone (`phieb bench`)."""
