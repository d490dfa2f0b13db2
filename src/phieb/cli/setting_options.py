"""Options of the commands that train: one for each setting of a run."""

import dataclasses
from collections.abc import Collection
from typing import Annotated, Any, Optional, get_args, get_type_hints

import tyro

from phieb.cli.options import Count
from phieb.training import Config
from phieb.training.config import SETTINGS


def with_settings(command: type[Any], declared: Collection[str]) -> type[Any]:
    """A command with an option for each setting that it does not declare itself.

    Args:
        command: a dataclass called `…Options`; the command has its name without that.
        declared: settings that have an option already, or are decided by the command.
    """
    name = command.__name__.removesuffix("Options")
    made = dataclasses.make_dataclass(name, _options(declared), bases=(command,))
    made.__doc__ = command.__doc__
    return made


def _options(declared: Collection[str]) -> list[Any]:
    """An option for each of the other settings; its default comes from the preset."""
    hints = get_type_hints(Config)
    options = []
    for name, setting in SETTINGS.items():
        if name not in declared:
            hint: Any = Count if name in ("checkpoint_every", "max_frames") else hints[name]
            arg = tyro.conf.arg(
                name=name.rstrip("_").replace("_", "-"),
                help=setting.doc,
                help_behavior_hint="(default: as in the preset)",
                metavar=_metavar(hint),
            )
            options.append((name, Annotated[Optional[hint], arg], dataclasses.field(default=None)))  # noqa: UP045
    return options


def _metavar(hint: Any) -> str:
    words = [word for word in get_args(hint) if isinstance(word, str)]
    if words:
        return "{" + ",".join(words) + "}"
    if hint is bool:
        return "{True,False}"
    return "COUNT" if hint is Count else str(hint.__name__).upper()
