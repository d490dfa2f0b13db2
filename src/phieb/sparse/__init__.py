"""Table rows for feature ids, and the set of active rows: shared by novelty and learning."""
