"""`phieb presets`."""

import dataclasses
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from phieb.training.config import SETTINGS
from phieb.training.presets import PRESETS, preset

_OF_A_RUN = ("game", "agent", "frames", "seed")  # given with each run, in no preset


@dataclass
class Presets:
    """Print all settings of every preset.

    Values that differ from the default are bold.

    Example: phieb presets
    """

    def check(self) -> None:
        """There are no options to check."""

    def run(self, console: Console) -> None:
        """Print a table with a column for each preset."""
        table = Table("setting", *PRESETS, "meaning")
        columns = {name: dataclasses.asdict(preset(name, "venture")) for name in PRESETS}
        for name, setting in SETTINGS.items():
            if name not in _OF_A_RUN:
                usual = columns["default"][name]
                values = [columns[column][name] for column in PRESETS]
                cells = [Text(str(v), style="" if v == usual else "bold") for v in values]
                table.add_row(f"--{name.rstrip('_').replace('_', '-')}", *cells, setting.doc)
        console.print(table)
        console.print("Any setting can be changed: phieb train venture --preset paper --kappa 0.1")
