"""Compiled loops of the small worlds."""
