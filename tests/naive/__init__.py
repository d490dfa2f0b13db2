"""Slow, obvious twins of the fast code: plain Python, dictionaries and loops.

They are written from the definitions and import nothing from phieb, so that both cannot share a
bug.
"""

from tests.naive.cts import ContextTree, CtsDensity
from tests.naive.density import dense_log_density, kt_log_density_and_gain, leave_out_log_density
from tests.naive.hashing import (
    PredictionError,
    scattered,
    simhash_bits,
    splitmix64,
    visit_bonuses,
)
from tests.naive.pictures import grey_picture, mean_bins
from tests.naive.policy import EpsilonGreedy, choose
from tests.naive.sarsa import ExpectedSarsaLambda, QLambda, SarsaLambda, TrueOnlineSarsaLambda
from tests.naive.screens import blob_boxes, blob_places, colour_places, prost_rows
from tests.naive.tabular import DynaQPlus, MbieEb, upper_bounds

__all__ = [
    "ContextTree",
    "CtsDensity",
    "DynaQPlus",
    "EpsilonGreedy",
    "ExpectedSarsaLambda",
    "MbieEb",
    "PredictionError",
    "QLambda",
    "SarsaLambda",
    "TrueOnlineSarsaLambda",
    "blob_boxes",
    "blob_places",
    "choose",
    "colour_places",
    "dense_log_density",
    "grey_picture",
    "kt_log_density_and_gain",
    "leave_out_log_density",
    "mean_bins",
    "prost_rows",
    "scattered",
    "simhash_bits",
    "splitmix64",
    "upper_bounds",
    "visit_bonuses",
]
