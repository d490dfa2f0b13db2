"""Many runs: one trial, the scheduler, and where trials run."""
