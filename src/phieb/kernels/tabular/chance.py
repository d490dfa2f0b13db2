"""Where chance comes in: choosing an action and taking a step in a tabular world."""

from phieb.kernels.numba_support.jit import kernel

TIE = 1e-10  # values that are kept up as features come and go differ by rounding


@kernel
def num_best(q, slack=0.0):
    """How many places in `q` have the largest value."""
    least, count = q.max() - slack, 0
    for value in q:
        count += value >= least
    return count


@kernel
def nth_best(q, n, slack=0.0):
    """The n-th place in `q` that has the largest value."""
    least = q.max() - slack
    for action in range(q.size):
        if q[action] >= least:
            if n == 0:
                return action
            n -= 1
    return 0  # unreachable but for NaN values, which the callers exclude


@kernel
def choose(q, epsilon, rng):
    """With probability ε any place in `q`, else one of the largest, ties broken at random."""
    if epsilon > 0.0 and rng.random() < epsilon:
        return int(rng.random() * q.size)
    ties = num_best(q)
    return nth_best(q, int(rng.random() * ties) if ties > 1 else 0)


@kernel
def draw(numbers, position):
    """The next of the random numbers drawn in advance: a generator takes too long to hand over."""
    position[0] += 1
    return numbers[position[0] - 1]


@kernel
def slack_of(q):
    """By how much values may differ and still be a tie."""
    return TIE * max(1.0, q.max(), -q.min())


@kernel
def is_best(q, action, slack):
    """Whether a place in `q` has the largest value."""
    return q[action] >= q.max() - slack


@kernel
def choose_with(q, epsilon, numbers, position):
    """The same with random numbers drawn in advance, at most two; what is nearly a tie is one."""
    if epsilon > 0.0 and draw(numbers, position) < epsilon:
        return int(draw(numbers, position) * q.size)
    slack = slack_of(q)
    ties = num_best(q, slack)
    return nth_best(q, int(draw(numbers, position) * ties) if ties > 1 else 0, slack)


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
