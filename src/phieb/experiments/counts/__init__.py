"""Pseudocounts against true counts, where the true count is known (`phieb counts`)."""
