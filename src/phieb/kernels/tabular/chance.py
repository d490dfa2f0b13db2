"""Random choices: ε-greedy actions, and steps in a tabular world."""

from phieb.kernels.numba_support.jit import inner, kernel

TIE = 1e-10  # relative; incrementally updated sums differ by rounding


@inner
def num_best(q, slack=0.0):
    """The number of actions within `slack` of the largest value in `q` (action,)."""
    least, count = q.max() - slack, 0
    for value in q:
        count += value >= least
    return count


@inner
def nth_best(q, n, slack=0.0):
    """The n-th action within `slack` of the largest value in `q` (action,)."""
    least = q.max() - slack
    for action in range(q.size):
        if q[action] >= least:
            if n == 0:
                return action
            n -= 1
    return 0  # reached only with NaN values, which callers exclude


@kernel
def choose(q, epsilon, rng):
    """An ε-greedy action for the values `q` (action,), ties broken at random."""
    if epsilon > 0.0 and rng.random() < epsilon:
        return int(rng.random() * q.size)
    ties = num_best(q)
    return nth_best(q, int(rng.random() * ties) if ties > 1 else 0)


@kernel
def draw(numbers, position):
    """The next random number of those drawn in advance: unboxing a generator is slow."""
    position[0] += 1
    return numbers[position[0] - 1]


@inner
def slack_of(q):
    """The largest difference between values that counts as a tie."""
    return TIE * max(1.0, q.max(), -q.min())


@inner
def is_best(q, action, slack):
    """Whether the value of an action is within `slack` of the largest."""
    return q[action] >= q.max() - slack


@kernel
def choose_with(q, epsilon, numbers, position):
    """As `choose`, with at most two numbers drawn in advance, and ties up to rounding."""
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
    """A starting state, drawn uniformly."""
    return world.starts[int(rng.random() * world.starts.size)]
