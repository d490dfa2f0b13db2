"""An upper bound on the memory that the features of a run need."""

from phieb.training.training import Training

WARN_FROM = 2**30  # bytes
A_FEATURE = 64  # bytes per observed feature, in all tables, without its values
A_VALUE = 4  # bytes: weights and traces of a run are in single precision


def most_memory(training: Training) -> tuple[int, int]:
    """The largest possible number of features observed in a run, and about how many bytes."""
    features, agent = training.learner.features, training.learner.agent
    values = (3 if agent.value == "split" else 2) * int(training.world.action_space.n)
    most = min(int(features.size), training.decision.num_active * training.config.frames)
    return most, most * (A_FEATURE + A_VALUE * values)


def memory_warning(training: Training) -> str | None:
    """A warning if an automatically chosen feature map may need much memory; else None."""
    most, num_bytes = most_memory(training)
    if training.config.features != "auto" or num_bytes < WARN_FROM:
        return None
    return (
        f"{training.learner.features} has {training.learner.features.size:,} features; this run "
        f"may observe {most:,} of them, about {num_bytes / 1e9:,.1f} GB of memory: a map of your "
        "own takes less (Tiles with fewer bins, or hashed=N)"
    )
