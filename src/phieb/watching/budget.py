"""Work that is repeated, but never takes more than a share of one core."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, thread_time


class Budget:
    """Says when it is time for some work again: the longer it took, the later.

    Args:
        share: of a core that the work may take.
        least: seconds from one time to the next, however short it is.
    """

    def __init__(self, share: float, least: float) -> None:
        self._share, self._least, self._due = share, least, 0.0

    @property
    def is_due(self) -> bool:
        """Whether it is time."""
        return monotonic() >= self._due

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Within it the work is done."""
        began = thread_time()
        try:
            yield
        finally:
            pause = max(self._least, (thread_time() - began) / self._share)
            self._due = monotonic() + pause
