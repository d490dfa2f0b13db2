"""Tables of bonuses, feature maps, agents, settings and presets, for the documentation.

They are generated from the registries and from `Config`, so that they agree with the code.
"""

import re
from dataclasses import MISSING, fields

from phieb.registry import Registry
from phieb.reports.tables import Rows, without_empty
from phieb.training.config import SETTINGS, Config
from phieb.training.presets import PRESETS
from phieb.training.settings import Check


def part_rows(registry: Registry) -> Rows:
    """A row for each part: the name that options take, the name in tables, and the source."""
    table = [["name", "in tables", "what it is", "source"]]
    for part in registry.values():
        table.append([f"`{part.name}`", part.label, part.doc, part.citation])
    return without_empty(table)


def setting_rows() -> Rows:
    """A row for each setting: its option, default, values and meaning."""
    usual = {field.name: field.default for field in fields(Config)}
    table = [["setting", "default", "values", "meaning"]]
    for name, setting in SETTINGS.items():
        shown = "" if usual[name] is MISSING else f"`{usual[name]}`"
        option = name if name == "game" else option_of(name)
        table.append([f"`{option}`", shown, accepted(setting.check), setting.doc])
    return table


def preset_rows() -> Rows:
    """A row for each setting in which a preset differs from the default, a column a preset."""
    own = {name: changes for name, changes in PRESETS.items() if changes}
    names = [name for name in SETTINGS if any(name in changes for changes in own.values())]
    table = [["setting", *(f"`{name}`" for name in own)]]
    for name in names:
        cells = [f"`{changes[name]}`" if name in changes else "" for changes in own.values()]
        table.append([f"`{option_of(name)}`", *cells])
    return table


def option_of(name: str) -> str:
    """The option of `phieb train` for a setting.

    Example:
        >>> option_of("lambda_"), option_of("max_frames")
        ('--lambda', '--max-frames')
    """
    return f"--{name.rstrip('_').replace('_', '-')}"


def accepted(check: Check) -> str:
    """The values that a check accepts, taken from its error message.

    Example:
        >>> accepted(SETTINGS["gamma"].check)
        'a finite number in [0, 1]'
    """
    try:
        check("it", _Nothing())
    except (TypeError, ValueError) as error:
        found = re.fullmatch(r"it must be (.*), got nothing", str(error))
        return found[1] if found else ""
    return ""


class _Nothing:
    """A value that no setting accepts."""

    def __repr__(self) -> str:
        return "nothing"
