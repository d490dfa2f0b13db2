"""Published total rewards in the small worlds, as data."""

# Total reward in 5,000 steps; "≈" in docs/small-worlds.md marks those read off a plot.
# MBIE-EB, R-Max, E³: Strehl & Littman 2008 (MBIE-EB with β/Rmax = 0.4 and 0.8, γ = 0.95).
# Sarsa and its two bonuses, 100 runs: Machado, Bellemare & Bowling 2020 (successor representation)
# and "Reward-Aware Proto-Representations in Reinforcement Learning" 2025 (default representation).

TOTAL_REWARD: dict[str, dict[str, float]] = {
    "Sarsa-ε": {"RiverSwim": 25e3, "SixArms": 265e3},
    "MBIE-EB": {"RiverSwim": 3.08e6, "SixArms": 8.3e6},
    "Sarsa + SR bonus": {"RiverSwim": 1_206e3, "SixArms": 1_066e3},
    "Sarsa + DR bonus": {"RiverSwim": 2_964e3, "SixArms": 3_518e3},
    "R-Max": {"RiverSwim": 3.01e6, "SixArms": 2.5e6},
    "E³": {"RiverSwim": 2.45e6, "SixArms": 2.1e6},
}
