"""Every agent on tabular worlds and in the plane, with many seeds (`phieb small`)."""
