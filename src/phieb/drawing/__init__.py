"""Draws what is novel to an agent: screens with novel blobs highlighted, features in words."""

from phieb.drawing.lit_screen import lit_screen
from phieb.drawing.sighting import Novel, Sighting, sight

__all__ = ["Novel", "Sighting", "lit_screen", "sight"]
