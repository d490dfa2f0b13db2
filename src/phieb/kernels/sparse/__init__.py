"""Table rows for feature ids, and the set of active features."""
