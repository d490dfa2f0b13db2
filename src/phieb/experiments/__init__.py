"""Experiments: the paper's, the race for the default settings, small worlds, counts."""
