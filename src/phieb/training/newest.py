"""The features that a run has seen for the first times lately, in words."""

from collections.abc import Callable
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from phieb.learning import Learner
from phieb.novelty.around import visits_of

KEPT = 4
EVERY = 2.0  # seconds: it takes a millisecond or two


class Newest:
    """Keeps the features named last, each once.

    Args:
        learner: a live one; it is only looked at.
        clock: in seconds.
    """

    def __init__(self, learner: Learner, clock: Callable[[], float] = monotonic) -> None:
        self._features, self._counts = learner.features, visits_of(learner.bonus)
        self._named = dict[int, str]()  # by the id of the feature, the last one last
        self._clock, self._due = clock, 0.0

    def look(self) -> list[str]:
        """The features that were new when it looked, the newest first, each with its count.

        It looks at the present observation every two seconds. Empty for a bonus that counts no
        features.
        """
        if self._counts is not None and self._clock() >= self._due:
            self._due = self._clock() + EVERY
            self._name(*self._counts.counts_on(), self._counts.t)
        return list(reversed(self._named.values()))

    def _name(self, active: NDArray[np.int64], counts: NDArray[np.int64], t: int) -> None:
        # Imported here: only a terminal needs it.
        from phieb.drawing.sighting import NEW, level, newest

        before = counts - 1  # this observation is counted already
        for novel in reversed(newest(self._features, active, before, KEPT)):
            if novel.words and level(novel.seen, t - 1) >= NEW:
                self._named.setdefault(novel.feature, f"{novel.times}: {novel.words}")
        for feature in list(self._named)[:-KEPT]:
            del self._named[feature]
