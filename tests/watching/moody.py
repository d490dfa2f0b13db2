"""An environment that stops working."""

from typing import Any

import gymnasium


class Moody(gymnasium.Wrapper[Any, Any, Any, Any]):
    """FrozenLake, until it is broken."""

    broken = False

    def reset(self, **how: Any) -> Any:
        """Start an episode, if it can."""
        if Moody.broken:
            raise RuntimeError("no light\nand a second line")
        return super().reset(**how)


def make() -> Any:
    """The environment."""
    return Moody(gymnasium.make("FrozenLake-v1"))
