"""Densities, pseudocounts, exploration bonuses and the similarity (Definitions 1–4).

For the other bonuses, which the paper's is compared with, see docs/bonuses.md.
"""

from phieb.novelty import extra as _extra  # noqa: F401 - declares bonuses of phieb.deep
from phieb.novelty.base import BONUSES, Bonus
from phieb.novelty.bonus import Density, PhiBonus
from phieb.novelty.count import CountBonus
from phieb.novelty.countable import CountableDensity
from phieb.novelty.cts import CtsBonus, CtsDensity
from phieb.novelty.density import VisitDensity
from phieb.novelty.from_counts import density_from_counts
from phieb.novelty.naive import NaivePhiBonus
from phieb.novelty.none import no_bonus as _none  # noqa: F401 - declares "none"
from phieb.novelty.observing import ObservingBonus
from phieb.novelty.prediction import PredictionErrorBonus
from phieb.novelty.pseudocounts import naive_pseudocount, pseudocount
from phieb.novelty.shortfall import Shortfall
from phieb.novelty.simhash import SimHashBonus
from phieb.novelty.similarity import hamming_similarity

__all__ = [
    "BONUSES",
    "Bonus",
    "CountBonus",
    "CountableDensity",
    "CtsBonus",
    "CtsDensity",
    "Density",
    "NaivePhiBonus",
    "ObservingBonus",
    "PhiBonus",
    "PredictionErrorBonus",
    "Shortfall",
    "SimHashBonus",
    "VisitDensity",
    "density_from_counts",
    "hamming_similarity",
    "naive_pseudocount",
    "pseudocount",
]
