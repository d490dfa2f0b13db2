"""Parts by name: declared once, made with what they ask for, or one's own."""

import subprocess
import sys
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
            if not registry.needs_extra(part.name):  # those are made in tests/deep
                assert set(part.parameters) <= offered, part.name


WITHOUT_TORCH = """
import sys
class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, NoTorch())
from phieb.cli import main
main()
"""


def test_without_its_extra_a_part_says_in_a_line_what_to_install(tmp_path: Path) -> None:
    out = tmp_path / "run"
    args = [
        *["train", "venture", "--agent", "ddqn", "--bonus", "none", "--frames", "100", "--out"],
        str(out),
    ]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *args], capture_output=True, text=True
    )
    assert done.stderr == 'phieb: ddqn needs torch: pip install "phieb[deep]"\n'
    assert (done.returncode, done.stdout, out.exists()) == (2, "", False)


def test_parts_that_need_an_extra_are_named_without_importing_it() -> None:
    """In a process of its own: others here may have imported it."""
    said = "import sys, phieb.cli.train; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert AGENTS["ddqn"].doc == "Double DQN."
    assert preset("default", "venture", agent="ddqn", bonus="none").label == "DDQN"
    assert preset("default", "venture", agent="ddqn", bonus="none").frame_skip == 4
    assert preset("default", "venture").frame_skip == 5


def test_names_are_composed() -> None:
    assert preset("default", "venture").label == "Sarsa-φ-EB"
    assert preset("default", "venture", agent="q", bonus="cts").label == "Q-CTS"
    assert preset("default", "venture", bonus="none").label == "Sarsa-ε"
