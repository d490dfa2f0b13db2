"""`phieb --help`, and `--help` of every command, in a terminal of 80 columns."""

import inspect
import pydoc

import pytest

import phieb
from phieb.cli.commands import COMMANDS, command_class
from phieb.cli.main import main
from phieb.features import FEATURES
from phieb.training.config import SETTINGS
from phieb.training.presets import PRESETS


def help_of(
    *given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    main([*given, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_fits_the_terminal_and_has_an_example_that_it_understands(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = help_of(name, monkeypatch=monkeypatch, capsys=capsys)
    assert max(map(len, text.splitlines())) <= 80
    assert "(default: None)" not in text
    assert "{None}" not in text
    (example,) = [line for line in text.splitlines() if line.startswith("Example: ")]
    program, command, *options = example.removeprefix("Example: ").split()
    assert (program, command) == ("phieb", name)
    for option in (one for one in options if one.startswith("--")):
        assert f"│ {option}" in text


def test_all_commands_are_listed_with_the_first_sentence_of_their_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    main(["--help"])
    listed = capsys.readouterr().out
    assert max(map(len, listed.splitlines())) <= 80
    for name in COMMANDS:
        (line,) = [one for one in listed.splitlines() if one.startswith(f"  {name} ")]
        summary = (inspect.getdoc(command_class(name)) or "").splitlines()[0]
        assert line.endswith(summary)
        assert summary


def test_names_are_those_of_the_registries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("train", "sweep"):
        text = help_of(command, monkeypatch=monkeypatch, capsys=capsys)
        assert "--preset {" + ",".join(PRESETS) + "}" in text
    text = help_of("train", monkeypatch=monkeypatch, capsys=capsys)
    assert all(name in text for name in FEATURES)


def test_help_of_config_names_every_setting_and_shows_no_lambda() -> None:
    text = pydoc.plain(pydoc.render_doc(phieb.Config))
    assert "<function" not in text
    assert "<bound method" not in text
    assert "bonus: str = 'phi'" in text
    for name, setting in SETTINGS.items():
        assert f"{name}: {setting.doc}" in text
    assert repr(SETTINGS["gamma"]) == "Setting('γ, the discount.')"
