"""Densities and their rivals."""
