"""Pseudocounts compared with true counts, in worlds where these are known (`phieb counts`)."""
