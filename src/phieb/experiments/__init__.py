"""What to run: the paper's plan, the race for the default, small worlds, counts."""
