"""The features that a run has seen for the first times lately, in words."""

from typing import Any

from phieb.learning import Learner
from phieb.novelty.around import visits_of

KEPT = 4


class Newest:
    """Keeps the features named last, each once.

    Args:
        learner: a live one; it is only looked at.
    """

    def __init__(self, learner: Learner) -> None:
        self._features, self._counts = learner.features, visits_of(learner.bonus)
        self._named = dict[int, Any]()  # by the id of the feature, the last one last

    def look(self) -> list[str]:
        """Name what is new in the present observation; returns the last few, the newest first.

        Empty for a bonus that counts no features.
        """
        # Imported here: only a terminal needs it.
        from phieb.drawing.sighting import NEW, level, newest

        if self._counts is not None:
            active, t = self._counts.active_set.active_ids(), self._counts.t
            for novel in reversed(newest(self._features, self._counts, active, counted=True)):
                if novel.words and level(novel.seen, t) >= NEW and novel.feature not in self._named:
                    self._named[novel.feature] = novel
        for feature in list(self._named)[:-KEPT]:
            del self._named[feature]
        return [f"{novel.times}: {novel.words}" for novel in reversed(self._named.values())]
