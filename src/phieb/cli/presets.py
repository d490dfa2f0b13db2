"""`phieb presets`."""

import dataclasses
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from phieb.training.config import SETTINGS
from phieb.training.presets import PRESETS, preset

_OF_A_RUN = ("game", "agent", "frames", "seed")  # no preset decides these


@dataclass
class Presets:
    """Print the named sets of settings in full."""

    def check(self) -> None:
        """Nothing can be wrong."""

    def run(self, console: Console) -> None:
        """A column a preset; what differs from the default stands out."""
        table = Table("setting", *PRESETS, "meaning")
        columns = {name: dataclasses.asdict(preset(name, "venture")) for name in PRESETS}
        for name, setting in SETTINGS.items():
            if name not in _OF_A_RUN:
                usual = columns["default"][name]
                values = [columns[column][name] for column in PRESETS]
                cells = [Text(str(v), style="" if v == usual else "bold") for v in values]
                table.add_row(f"--{name.rstrip('_').replace('_', '-')}", *cells, setting.doc)
        console.print(table)
        console.print("Any of them can be changed: phieb train venture --preset paper --kappa 0.1")
