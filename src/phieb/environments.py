"""Registers the environments with Gymnasium, without importing them."""

import gymnasium

# The three worlds without terminal states are truncated after as many steps as in publications.
_HORIZON = 5_000

for _name, _steps in (
    ("Atari", None),
    ("Bandit", _HORIZON),
    ("DeepSea", None),
    ("Plane", None),
    ("PointMaze2D", None),  # its sizes are cut after different numbers of steps
    ("RiverSwim", _HORIZON),
    ("SixArms", _HORIZON),
):
    _id = f"phieb/{_name}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point=f"phieb.worlds:{_name}", max_episode_steps=_steps)
