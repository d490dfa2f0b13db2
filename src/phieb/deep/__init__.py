"""The deep agents of the paper's Table 1, on Stable-Baselines3 and sb3-contrib.

An agent here is a `TrainableAgent` like any other: worlds, no-ops, caps, bonus, log and checkpoints
are those of every run. It owns an algorithm object of the library, without an environment: its
networks, its optimiser, its buffer and its `train()` are used, and `learn()` of the library is
not. docs/deep-systems.md has the table of the agents and what differs from their papers.
"""
