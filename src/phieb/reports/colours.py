"""The colours of agents in all figures and in report.html, determined by their names.

The colours are those of Okabe & Ito, which colour-blind readers can tell apart: one for each bonus
here, grey for ε-greedy. The same bonus with other settings has a shade of its bonus's colour.
"""

import colorsys
import math
import re
import zlib

from matplotlib.colors import to_hex, to_rgb

from phieb.novelty import BONUSES
from phieb.training.config import RACE_BETA

OF_BONUS = {
    "phi": "#0072b2",
    "naive-phi": "#56b4e9",
    "count": "#009e73",
    "cts": "#cc79a7",
    "simhash": "#e69f00",
    "simhash-bass": "#d55e00",
    "mp": "#999933",  # Tol's olive: the yellow of Okabe & Ito cannot be read on white
    "none": "#6b6b6b",
}
AGENT = "Sarsa"  # with another agent a bonus has a hue of its own
LEAST, MOST = 0.25, 0.55  # how far a shade is from its colour, of the way to white or black


def colour_of(label: str) -> str:
    """The colour of an agent, from its label in legends and tables.

    Example:
        >>> colour_of("Sarsa-φ-EB"), colour_of("Sarsa-ε"), colour_of("Sarsa-φ-EB (β = 0.03)")
        ('#0072b2', '#6b6b6b', '#66aad1')
    """
    name, *own = re.split(r", | \(", label.removesuffix(")"), maxsplit=1)
    settings = "".join(own)
    agent, _, bonus = name.partition("-")
    known = {BONUSES[one].label: colour for one, colour in OF_BONUS.items()}
    base = known.get(bonus, "") if agent == AGENT else ""
    base = base or _hue(name)
    if settings.startswith("β = ") and ", " not in settings:
        return _mixed(base, _of_beta(float(settings.removeprefix("β = "))))
    if settings:
        share = zlib.crc32(label.encode()) / 2**32  # in 0..1: first the side, then how far
        side, far = divmod(2 * share, 1)
        return _mixed(_turned(base), (1 - 2 * side) * (LEAST + (MOST - LEAST) * far))
    return base


def ink_of(label: str) -> str:
    """A darker form of the colour, for text on white."""
    return _mixed(colour_of(label), -0.35)


def _of_beta(beta: float) -> float:
    """A lighter shade for a smaller β, a darker one for a larger."""
    powers = math.log10(RACE_BETA / beta) if beta > 0 else 2.0
    far = LEAST + (MOST - LEAST) * min(abs(powers) / 2, 1.0)
    return math.copysign(far, powers)


def _mixed(colour: str, share: float) -> str:
    """A colour mixed with white (positive share) or black (negative share)."""
    end = 1.0 if share > 0 else 0.0
    red, green, blue = (c + (end - c) * abs(share) for c in to_rgb(colour))
    return to_hex((red, green, blue))


def _turned(colour: str) -> str:
    """A neighbouring hue, so that no other setting looks like another β."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
    return to_hex(colorsys.hls_to_rgb((hue + 0.07) % 1, lightness, saturation))


def _hue(name: str) -> str:
    """A colour for a name that has none above."""
    high, low = divmod(zlib.crc32(name.encode()), 2**16)
    return to_hex(colorsys.hls_to_rgb(high / 2**16, 0.3 + 0.2 * low / 2**16, 0.55))
