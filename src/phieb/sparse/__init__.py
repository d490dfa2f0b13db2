"""From feature ids to table rows, and which rows are on: shared by novelty and learning."""
