"""The deep agents of the paper's Table 1, by name: they need the extra "deep".

Nothing of torch is imported here.
"""

from phieb.learning.agent import AGENTS

FRAME_SKIP = 4  # of the papers that they come from


def _declare(name: str, path: str, doc: str, label: str, citation: str) -> None:
    AGENTS.declare_extra(
        name, f"phieb.deep.{path}", doc, label=label, citation=citation, frame_skip=FRAME_SKIP
    )


_declare("dqn", "dqn:Dqn", "Deep Q-network.", "DQN", "Mnih et al. 2015")
_declare("ddqn", "dqn:Ddqn", "Double DQN.", "DDQN", "van Hasselt, Guez & Silver 2016")
_declare(
    "dueling", "dueling:Dueling", "Dueling network, as Double DQN.", "Dueling", "Wang et al. 2016"
)
_declare(
    "dqn-pa", "pop_art:DqnPopArt", "Double DQN with Pop-Art.", "DQN-PA", "van Hasselt et al. 2016"
)
_declare(
    "ddqn-mmc",
    "mixed:DdqnMixed",
    "Double DQN with mixed Monte-Carlo returns.",
    "DDQN-MMC",
    "Bellemare et al. 2016",
)
_declare("a2c", "policy_gradient:A2c", "Advantage actor-critic.", "A2C", "Mnih et al. 2016")
_declare("ppo", "policy_gradient:Ppo", "Proximal policies.", "PPO", "Schulman et al. 2017")
_declare("trpo", "policy_gradient:Trpo", "Trust-region policies.", "TRPO", "Schulman et al. 2015")
_declare(
    "gorila", "gorila:Gorila", "DQN on Ray with a parameter server.", "Gorila", "Nair et al. 2015"
)
