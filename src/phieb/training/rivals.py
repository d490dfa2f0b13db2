"""The bonuses other than φ-EB, with the settings of a run."""

from phieb.features import Bass, Grey
from phieb.novelty import (
    Bonus,
    CountBonus,
    CtsBonus,
    NaivePhiBonus,
    PredictionErrorBonus,
    SimHashBonus,
    VisitDensity,
)
from phieb.training.config import Config
from phieb.training.explorer import Sees
from phieb.worlds import Atari

CODE = 64  # bits of a SimHash
DECAY = 0.001  # MP-EB's C: the largest error earns β after a thousand decisions, then ever less


def new_rival(config: Config, world: Atari, seed: int) -> tuple[Bonus | None, Sees | None]:
    """The bonus, and what it sees of a screen if that is not the agent's features."""
    beta, kappa = config.beta, config.kappa
    match config.bonus:
        case "naive-phi":
            return NaivePhiBonus(beta, kappa, VisitDensity(first_sight=config.first_sight)), None
        case "count":
            return CountBonus(beta), None
        case "mp":
            return PredictionErrorBonus(beta, world.num_actions, decay=DECAY, seed=seed), None
        case "cts":
            return CtsBonus(beta, kappa), Grey((42, 42), levels=8)
        case "simhash":
            grey = Grey((52, 52))
            return SimHashBonus(beta, grey.size, CODE, seed), grey
        case "simhash-bass":
            bass = Bass(shape=world.shape)
            return SimHashBonus(beta, bass.size, CODE, seed), bass
    return None, None
