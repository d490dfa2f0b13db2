"""Settings: all that is wrong is said at once, presets are what the documents say."""

import dataclasses

import pytest

from phieb.training import Config, preset
from phieb.training.config import SETTINGS, from_json
from phieb.training.presets import PRESETS


def test_every_setting_has_words_and_a_check() -> None:
    names = [field.name for field in dataclasses.fields(Config)]
    assert list(SETTINGS) == names
    assert all(setting.doc.endswith(".") for setting in SETTINGS.values())


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ValueError, match="game must be") as caught:
        Config(
            "ventur",
            frames=0,
            beta=float("nan"),
            gamma=1.5,
            lambda_=-0.1,
            sticky="no",  # type: ignore[arg-type]
            seed=True,
            value="both",  # type: ignore[arg-type]
        )
    said = str(caught.value).split("; ")
    for name in ("game", "frames", "beta", "gamma", "lambda", "sticky", "seed", "value"):
        assert any(part.startswith(f"{name} must be") for part in said), name


def test_a_joint_value_cannot_be_continuing() -> None:
    with pytest.raises(ValueError, match='continuing must be False with value "joint"'):
        Config("venture", value="joint")


def test_presets() -> None:
    paper, authors = preset("paper", "Venture"), preset("martin2017", "venture", kappa=0.1)
    assert paper.game == "venture"
    assert (paper.value, paper.bonus_for, paper.optimistic) == ("joint", "arrival", False)
    assert (authors.bonus_for, authors.optimistic, authors.kappa) == ("departure", True, 0.1)
    assert Config("venture") == preset("default", "venture")
    with pytest.raises(ValueError, match='preset must be "default" or "product" or "paper"'):
        preset("papers", "venture")


@pytest.mark.parametrize("name", PRESETS)
def test_settings_come_back_from_a_file(name: str) -> None:
    config = preset(name, "qbert", seed=7)
    assert from_json(dataclasses.asdict(config)) == config


@pytest.mark.parametrize("saved", [None, [], "x", {}, {"game": "venture"}])
def test_a_file_that_lacks_settings(saved: object) -> None:
    with pytest.raises(ValueError, match="config must be an object|is missing"):
        from_json(saved)
    whole = dataclasses.asdict(Config("venture"))
    with pytest.raises(ValueError, match="speed is not a setting"):
        from_json({**whole, "speed": 1})


def test_differences_leave_out_the_length_of_a_run() -> None:
    mine, other = Config("venture"), Config("venture", frames=5, checkpoint_every=7, beta=0.1)
    assert mine.differences(dataclasses.asdict(other)) == ["beta is 0.1 there and 0.3 here"]
