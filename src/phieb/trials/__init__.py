"""Running many trials: a trial, the scheduler, and its backends."""
