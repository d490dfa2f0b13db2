"""Sarsa(λ) with linear values and lazy traces: one call a decision."""
