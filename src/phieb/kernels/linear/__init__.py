"""Sarsa(λ) and its variants with linear values and lazy traces: one call per decision."""
