"""How much memory the features of a run may come to take."""

from phieb.training.training import Training

WARN_FROM = 2**30  # bytes
A_FEATURE = 64  # bytes of a feature that was observed, in all tables, without its values
A_VALUE = 4  # bytes: weights and traces of a run are in single precision


def most_memory(training: Training) -> tuple[int, int]:
    """How many features may be observed in all of a run, and the bytes that they take, about."""
    features, agent = training.learner.features, training.learner.agent
    values = (3 if agent.value == "split" else 2) * int(training.world.action_space.n)
    most = min(int(features.size), training.decision.num_active * training.config.frames)
    return most, most * (A_FEATURE + A_VALUE * values)


def memory_warning(training: Training) -> str | None:
    """What to say of a map that was chosen for the user and may take much; None if it may not."""
    most, num_bytes = most_memory(training)
    if training.config.features != "auto" or num_bytes < WARN_FROM:
        return None
    return (
        f"{training.learner.features} has {training.learner.features.size:,} features; this run "
        f"may observe {most:,} of them, about {num_bytes / 1e9:,.1f} GB of memory: a map of your "
        "own takes less (Tiles with fewer bins, or hashed=N)"
    )
