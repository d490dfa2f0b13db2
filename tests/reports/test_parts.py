"""Tables of bonuses, agents, feature maps, settings and presets, against the code."""

import dataclasses

import pytest

from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.registry import Registry
from phieb.reports.parts import accepted, part_rows, preset_rows, setting_rows
from phieb.training import Config, preset
from phieb.training.config import SETTINGS
from phieb.training.presets import PRESETS


@pytest.mark.parametrize("registry", [BONUSES, FEATURES, AGENTS], ids=lambda one: one.kind)
def test_a_row_for_each_part(registry: Registry) -> None:
    header, *rows = part_rows(registry)
    assert header == ["name", "in tables", "what it is", "source"]
    assert [row[0] for row in rows] == [f"`{name}`" for name in registry]
    assert all(row[1] and row[2] for row in rows)


def test_a_row_for_each_setting() -> None:
    _, *rows = setting_rows()
    assert len(rows) == len(SETTINGS) == len(dataclasses.fields(Config))
    by_option = {option: (default, values) for option, default, values, _ in rows}
    assert by_option["`--kappa`"] == ("`0.01`", "a finite number > 0")
    assert by_option["`--lambda`"] == ("`0.9`", "a finite number in [0, 1]")
    assert by_option["`--screen`"] == ("`last`", '"last" or "blend"')
    assert by_option["`--beta`"] == ("`None`", "a finite number >= 0")
    assert [option for option, (_, values) in by_option.items() if not values] == ["`game`"]


def test_values_outside_those_accepted_are_refused() -> None:
    assert accepted(SETTINGS["frame_skip"].check) == "a whole number in [1, 60]"
    for frame_skip in (1, 60):
        assert preset("default", "venture", frame_skip=frame_skip).frame_skip == frame_skip
    for frame_skip in (0, 61):
        with pytest.raises(ValueError, match=r"must be a whole number in \[1, 60\]"):
            preset("default", "venture", frame_skip=frame_skip)


def test_the_table_of_presets_makes_the_presets() -> None:
    (_, *names), *rows = preset_rows()
    assert names == [f"`{name}`" for name in PRESETS if name != "default"]
    options = {f"`--{name.rstrip('_').replace('_', '-')}`": name for name in SETTINGS}
    for place, name in enumerate(names, start=1):
        told = {options[row[0]]: row[place].strip("`") for row in rows if row[place]}
        assert told == {key: str(value) for key, value in PRESETS[name.strip("`")].items()}
