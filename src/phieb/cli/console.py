"""The console that commands print to."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from phieb.plain_text import visible


class SafeConsole(Console):
    """Shows control characters of names and settings as escapes; its own colours stay."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """All that is printed comes through here."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text, keep="\n"), segment.style)
