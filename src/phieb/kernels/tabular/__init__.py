"""Tabular methods on the small worlds."""
