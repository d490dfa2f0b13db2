"""Tabular worlds and the plane: every agent, many seeds (`phieb small`)."""
