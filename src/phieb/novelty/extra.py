"""Bonuses that need the extra "deep", by name (docs/deep-systems.md)."""

from phieb.novelty.base import BONUSES

BONUSES.declare_extra(
    "simhash-ae",
    "phieb.deep.simhash_ae:SimHashAe",
    "Counts of hashed codes of an autoencoder that is trained on the way.",
    label="SimHash-AE",
    citation="Tang et al. 2017",
)
BONUSES.declare_extra(
    "mp-ae",
    "phieb.deep.mp_ae:MpAe",
    "The prediction error of a network of the dynamics of an autoencoder's code.",
    label="MP-AE",
    citation="Stadie, Levine & Abbeel 2015",
)
