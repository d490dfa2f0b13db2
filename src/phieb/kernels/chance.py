"""Where chance comes in: choosing an action and taking a step in a tabular world."""

from phieb.kernels.jit import kernel


@kernel
def choose(q, epsilon, rng):
    """With probability ε any place in `q`, else one of the largest, ties broken at random."""
    if epsilon > 0.0 and rng.random() < epsilon:
        return int(rng.random() * q.size)
    largest = q.max()
    ties = 0
    for value in q:
        ties += value == largest
    place = int(rng.random() * ties) if ties > 1 else 0
    for action in range(q.size):
        if q[action] == largest:
            if place == 0:
                return action
            place -= 1
    return 0  # unreachable but for NaN values, which the callers exclude


@kernel
def step(world, state, action, rng):
    """One step in the tables of a world: the next state and the reward."""
    u = rng.random()
    outcome = 0
    while u >= world.cumulative[state, action, outcome]:
        outcome += 1
    return world.successors[state, action, outcome], world.rewards[state, action, outcome]


@kernel
def start(world, rng):
    """A starting state, all equally likely."""
    return world.starts[int(rng.random() * world.starts.size)]
