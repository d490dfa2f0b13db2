"""Densities and the other models that bonuses are computed from."""
