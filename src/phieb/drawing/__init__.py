"""What is new to an agent on one screen: as a picture with its blobs lit, and in words."""

from phieb.drawing.lit_screen import lit_screen
from phieb.drawing.sighting import Novel, Sighting, sight

__all__ = ["Novel", "Sighting", "lit_screen", "sight"]
