"""Parts by name: declared once, made with what they ask for, or one's own."""

from pathlib import Path

import pytest

from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.registry import Registry
from phieb.training import preset
from phieb.training.config import SETTINGS

REGISTRIES = [BONUSES, FEATURES, AGENTS]


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_part_says_what_it_is(registry: Registry) -> None:
    assert len(registry) > 1
    for name, part in registry.items():
        assert part.name == name
        assert part.label
        assert part.doc.endswith(".")
    labels = [part.label for part in registry.values()]
    assert len(set(labels)) == len(labels)


def test_parts_are_made_with_what_they_ask_for() -> None:
    shapes = Registry("shape")

    @shapes.declare("box", label="Box")
    def box(width: int, height: int = 2) -> tuple[int, int]:
        """A box."""
        return width, height

    assert shapes.make("box", {"width": 3, "seed": 1}) == (3, 2)
    assert shapes["box"].parameters == {"width": True, "height": False}
    with pytest.raises(
        ValueError, match=r"box: no value for its parameter 'width'; available are seed"
    ):
        shapes.make("box", {"seed": 1})
    with pytest.raises(ValueError, match="shape must be one of box, or package.module:Name"):
        shapes.check("shape", "ball")


def test_one_s_own_by_module_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules in the working directory are found; what is wrong is said in a line."""
    (tmp_path / "mine_of_test.py").write_text("class Own: pass\nnumber = 3\n")
    (tmp_path / "broken_of_test.py").write_text("raise RuntimeError('two\\nlines')\n")
    (tmp_path / "leaving_of_test.py").write_text("raise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    assert BONUSES["mine_of_test:Own"].label == "Own"
    for name, problem in (
        ("mine_of_test:number", "must be a class or a function"),
        ("mine_of_test:Missing", "has no attribute 'Missing'"),
        ("broken_of_test:Own", "cannot be imported: two$"),
        ("no_such_module:Own", "No module named"),
        ("leaving_of_test:Own", "cannot be imported: SystemExit$"),
    ):
        with pytest.raises(ValueError, match=problem):
            BONUSES.check("bonus", name)
        with pytest.raises(ValueError, match=problem):
            BONUSES.make(name, {})
        assert BONUSES.check_name("bonus", name) == name  # where a run is only looked at


def test_every_setting_of_a_part_is_one_of_a_run_or_offered() -> None:
    """So that each can be made by its name alone."""
    offered = {"actions", "num_actions", "shape", "observation_space", "background", "active_set"}
    offered |= {"initial_value", "scale_reward", "precision", "dial", "of", "ranges", *SETTINGS}
    for registry in REGISTRIES:
        for part in registry.values():
            assert set(part.parameters) <= offered, part.name


def test_names_are_composed() -> None:
    assert preset("default", "venture").label == "Sarsa-φ-EB"
    assert preset("default", "venture", agent="q", bonus="cts").label == "Q-CTS"
    assert preset("default", "venture", bonus="none").label == "Sarsa-ε"
