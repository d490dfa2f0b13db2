"""The report on runs under way as a live page on this machine; the runs are only read."""
