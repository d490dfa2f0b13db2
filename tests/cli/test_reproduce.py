"""`phieb reproduce` and `phieb sweep`: what they refuse, and what they would run."""

import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from phieb.cli import trials_progress
from phieb.cli.compare import Compare
from phieb.cli.main import main
from phieb.cli.reproduce import Reproduce
from phieb.cli.sweep import Sweep
from phieb.experiments.paper import HARD7
from phieb.training import Run
from tests.cli.conftest import Refused

NUMBERS = "--betas must be numbers, or LOW:HIGH:N with 0 < LOW < HIGH and N in [2, 1000]"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["sweep", "--betas", "0.1,x"], f"{NUMBERS}, got '0.1,x'"),
        (["reproduce", "--stages", "2M,1M"], "--stages must grow, got 2000000,1000000"),
        (["reproduce", "--stages", "1M", "--frames", "2M"], "only one of them can be given"),
        (["sweep", "--betas", ""], f"{NUMBERS}, got ''"),
        (["sweep", "--betas", "0.1:0.2"], f"{NUMBERS}, got '0.1:0.2'"),
        (["sweep", "--betas", "0:1:3"], f"{NUMBERS}, got '0:1:3'"),
        (["sweep", "--betas", "0.2:0.1:3"], f"{NUMBERS}, got '0.2:0.1:3'"),
        (["sweep", "--betas", "0.1:nan:3"], f"{NUMBERS}, got '0.1:nan:3'"),
        (["sweep", "--betas", "0.1:inf:3"], f"{NUMBERS}, got '0.1:inf:3'"),
        (["sweep", "--betas", "0.1:0.2:1"], f"{NUMBERS}, got '0.1:0.2:1'"),
        (["sweep", "--betas", "0.1:0.2:2.5"], f"{NUMBERS}, got '0.1:0.2:2.5'"),
        (["sweep", "--betas=-0.1"], "beta must be a finite number >= 0, got -0.1"),
        (["sweep", "--betas", "nan"], "beta must be a finite number >= 0, got nan"),
        (
            ["sweep", "--betas", "0.1,0.1000001", "--trials", "1"],
            "each trial must be asked for once, got twice: venture-phi-beta0.1-1",
        ),
        (
            ["sweep", "--games", "venture,ALE/Venture-v5", "--betas", "0.1", "--trials", "1"],
            "--games must name each once, got 'venture,ALE/Venture-v5'",
        ),
        (["sweep", "--gamma", "2"], "gamma must be a finite number in [0, 1], got 2.0"),
        (["compare", "--beta", "much"], "--beta must be a number, got 'much'"),
        (["compare", "--agent", "sarsaa"], "agent must be one of sarsa"),
        (["sweep", "--trials", "0"], "--trials must be a whole number in [1, 1000], got 0"),
        (["bench", "--games", ""], "--games or --trained must name something to measure"),
        (["bench", "--bonuses", "phi,phi"], "--bonuses must name each once, got 'phi,phi'"),
        (["reproduce", "--games", "pong"], '--games must be "venture" or'),
        (["reproduce", "--agents", "random"], "--agents must be one of phi, count, "),
        (["reproduce", "--workers", "0"], "--workers must be a whole number in [1, 1024], got 0"),
        (["reproduce", "--episodes", "-1"], "--episodes must be a whole number in"),
        (["reproduce", "--address", "head:6379"], "--address needs --backend ray"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    given: list[str], says: str, assert_refused: Refused
) -> None:
    assert_refused(given, says)


def test_ray_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, assert_refused: Refused
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    says = '--backend ray needs ray: pip install "phieb[ray]"'
    assert_refused(["reproduce", "--backend", "ray"], says)


def test_an_address_that_is_none(assert_refused: Refused) -> None:
    pytest.importorskip("ray")
    given, says = ["sweep", "--backend", "ray", "--address", "ray://head:1"], "auto or HOST:PORT"
    assert_refused(given, says)


def test_the_plan_is_the_papers_and_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["reproduce", "--plan", "--workers", "28", "--preset", "paper"])
    rows = [line for line in capsys.readouterr().out.splitlines() if "Sarsa" in line]
    cells = [[cell.strip() for cell in row.strip("│┃| ").split("│")] for row in rows]
    assert len(cells) == 11
    assert ["venture", "Sarsa-φ-EB", "", "5", "100 M", "500"] in cells
    assert ["freeway", "Sarsa-φ-EB", "0.035", "2", "100 M", "500"] in cells
    assert ["qbert", "Sarsa-ε", "", "2", "80 M", "500"] in cells
    assert list(tmp_path.iterdir()) == []


def test_the_plan_of_some(capsys: pytest.CaptureFixture[str]) -> None:
    some = ["--games", "qbert", "--frames", "7M", "--trials", "3", "--episodes", "0"]
    main(["reproduce", "--plan", "--workers", "1", *some])
    out = capsys.readouterr().out
    assert "about 1.7 hours" in out  # six trials of seven million frames, 7,000 a second
    assert "with 1 trial at a time" in out
    assert "venture" not in out


def test_seven_games_with_sparse_rewards_and_sticky_actions() -> None:
    command = Reproduce(games="hard7", preset="sticky", trials=2, frames=2_000_000)
    command.check()
    assert {arm.game for arm in command.arms()} == set(HARD7)
    assert len(HARD7) == 7
    configs = [trial.config for trial in command._trials()]
    assert len(configs) == 28
    assert {(one.sticky, one.noops, one.per_feature, one.frames) for one in configs} == {
        (0.25, 1, one.bonus == "phi", 2_000_000) for one in configs
    }
    both = Reproduce(games="hard7,qbert")
    both.check()
    assert "qbert" in {arm.game for arm in both.arms()}


def test_a_game_that_is_in_a_set_is_not_named_again(assert_refused: Refused) -> None:
    assert_refused(["reproduce", "--games", "hard7,venture"], "--games must name each once")


def test_the_plan_of_a_comparison_and_of_a_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "--plan", "--workers", "1", "--games", "venture", "--bonuses", "cts,none"])
    said = capsys.readouterr().out
    assert "Sarsa-CTS" in said
    assert "about 19 minutes" in said  # 4 trials of 2 million frames
    assert "evaluation included" not in said  # there is none
    main(["compare", "--plan", "--games", "venture", "--episodes", "10"])
    assert "evaluation included" in capsys.readouterr().out
    main(["sweep", "--plan", "--betas", "0.02"])
    assert "0.02" in capsys.readouterr().out
    assert not Path("comparison").exists()


def test_every_trial_of_a_sweep() -> None:
    sweep = Sweep(
        Path("s"),
        games="venture,freeway",
        betas="0.025:0.1:3",
        trials=2,
        frames=1_000_000,
        episodes=4,
        preset="paper",
    )
    todo = sweep._trials()
    names = [trial.path.name for trial in todo]
    betas = ["-beta0.025", "-beta0.05", "-beta0.1"]
    games = ["venture", "freeway"]
    assert names == [f"{g}-phi{b}-{seed}" for g in games for b in betas for seed in (1, 2)]
    assert [trial.config.beta for trial in todo[:6]] == [0.025, 0.025, 0.05, 0.05, 0.1, 0.1]
    assert {trial.config.frames for trial in todo} == {1_000_000}
    assert {trial.episodes for trial in todo} == {4}
    paper = Reproduce(preset="paper", games="venture", trials=1)._trials()[0].config
    assert {**asdict(todo[2].config), "frames": paper.frames} == asdict(paper)


def test_settings_of_train_reach_every_trial_that_they_have_a_meaning_for() -> None:
    given = {"agent": "q", "features": "auto", "shortfall": True, "gamma": 0.9, "dial": True}
    sweep = Sweep(games="CartPole-v1", betas="0.1,0.2", per_feature=False, **given)
    for trial in sweep._trials():
        config = asdict(trial.config)
        assert config.items() >= {**given, "per_feature": False}.items()
    compare = Compare(games="FrozenLake-v1", bonuses="phi,count,none", beta=0.02, **given)
    phi, _, count, _, none, _ = (trial.config for trial in compare._trials())
    assert phi.beta == count.beta == 0.02
    assert (phi.shortfall, count.shortfall, none.shortfall) == (True, True, False)
    assert (phi.per_feature, count.per_feature, none.dial) == (True, False, False)
    assert {config.agent for config in (phi, count, none)} == {"q"}
    assert {config.gamma for config in (phi, count, none)} == {0.9}


def test_a_sweep_trains_every_beta(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s"
    given = ["--games", "venture", "--betas", "0.02,0.04", "--trials", "1", "--frames", "12k"]
    main(["sweep", *given, "--out", str(out)])
    assert capsys.readouterr().err == ""
    runs = [Run(out / f"venture-phi-beta{beta}-1") for beta in ("0.02", "0.04")]
    assert [run.config().beta for run in runs] == [0.02, 0.04]
    assert all(run.saved_frames() >= 12_000 for run in runs)


def test_no_episode_has_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--betas", "0.2", "--trials", "1", "--frames", "600", "--out", str(tmp_path / "s")]
    main(["sweep", *given])
    out, err = capsys.readouterr()
    assert out.endswith("an episode ended in none of 1 trials; give more --frames\n")
    assert err == ""
    assert Run(tmp_path / "s" / "venture-phi-beta0.2-1").saved_frames() >= 600


def test_a_comparison_too_short_for_an_episode_gives_a_line_and_no_empty_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An episode of Freeway has 8,160 frames; the first of ε-greedy in Venture has fewer."""
    out = tmp_path / "c"
    given = ["--games", "venture,freeway", "--bonuses", "none", "--trials", "1"]
    main(["compare", *given, "--frames", "6k", "--out", str(out)])
    said = capsys.readouterr().out
    assert said.endswith("an episode ended in 1 of 2 trials; give more --frames\n")
    assert Run(out / "venture-none-1").episodes()
    assert not (out / "report").exists()


def test_the_progress_of_all_trials_is_told_where_there_is_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trials_progress, "CALLS_PER_LINE", 1)
    given = ["--games", "venture", "--betas", "0.02", "--trials", "2", "--workers", "1"]
    main(["sweep", *given, "--frames", "30k", "--out", str(tmp_path / "s")])
    said = capsys.readouterr().out.splitlines()
    lines = [line for line in said if line.startswith("trials: ")]
    assert any("training: 50% of 0.06 M frames, about " in line for line in lines)
    assert lines[-1] == "trials: 2 done; training: 100% of 0.06 M frames"


def test_every_trial_of_a_comparison() -> None:
    compare = Compare(
        Path("c"), "venture", bonuses="phi,cts,none", trials=2, frames=1_000, preset="product"
    )
    compare.check()
    todo = compare._trials()
    names = [trial.path.name for trial in todo]
    assert names == [
        f"venture-{bonus}-{seed}" for bonus in ("phi", "cts", "none") for seed in (1, 2)
    ]
    settings = [asdict(trial.config) for trial in todo]
    for one in settings:
        del one["bonus"]
    assert settings[0] == settings[2] == settings[4]
    assert {trial.config.frames for trial in todo} == {1_000}
    deep = Compare(Path("c"), "venture", bonuses="cts", agent="ddqn")._trials()[0]
    assert (deep.path.name, deep.config.agent) == ("venture-ddqn-cts-1", "ddqn")
    with pytest.raises(ValueError, match="--bonuses must be one of phi, count, "):
        Compare(bonuses="phi,novel").check()


def test_other_bonuses_are_run_as_the_papers_agents_are() -> None:
    arms = Reproduce(games="freeway", agents="phi,cts,none", preset="product").arms()
    assert [(arm.bonus, arm.beta, arm.trials) for arm in arms] == [
        ("phi", None, 2),
        ("phi", 0.035, 2),
        ("cts", None, 2),
        ("none", None, 2),
    ]


def test_stages_extend_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "r"
    given = ["reproduce", "--games", "freeway", "--agents", "none", "--trials", "1"]
    given += ["--episodes", "1", "--out", str(out), "--stages"]
    main([*given, "12k,18k"])
    run = Run(out / "freeway-none-1")
    first, report = run.episodes(), (out / "report-12000" / "ledger.csv").read_bytes()
    assert run.saved_frames() >= run.config().frames == 18_000
    assert all((out / f"report-{frames}" / "ledger.csv").is_file() for frames in (12_000, 18_000))
    assert capsys.readouterr().out.count("Scores of the game") == 2
    main([*given, "12k,18k,20k"])
    said = capsys.readouterr().out
    assert said.count("Scores of the game") == 2  # the first is behind it
    assert (out / "report-12000" / "ledger.csv").read_bytes() == report
    kept = [int(one.stem) for one in sorted(run.evaluations.iterdir())]
    assert [frames // 1_000 for frames in kept] == [12, 18, 20]  # an evaluation a stage
    assert run.saved_frames() >= run.config().frames == 20_000
    assert run.episodes()[: len(first)] == first
    main([*given, "12k", "--trials", "2"])  # another seed, after the first has gone on
    assert "12,000 frames: no report, as some trials are further" in capsys.readouterr().out
    assert (out / "report-12000" / "ledger.csv").read_bytes() == report
    stages = Reproduce(games="qbert", stages=(10**6, 10**8), episodes=500)._stages()
    found = [(arm.frames, arm.episodes) for stage in stages for arm in stage.arms()[:1]]
    assert found == [(10**6, 100), (80 * 10**6, 500)]  # the paper has no more of Q*bert


def test_a_stage_with_other_settings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["reproduce", "--games", "freeway", "--agents", "phi", "--trials", "1"]
    given += ["--episodes", "0", "--out", str(tmp_path / "r"), "--stages"]
    main([*given, "600,700"])
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main([*given, "600", "--preset", "product"])
    said = capsys.readouterr().err
    assert "freeway-phi-1: is a run with other settings: beta is 0.3 there and 0.05 here" in said
    assert said.count("\n") == 1


def test_the_count_per_feature_needs_no_beta_of_its_own_in_freeway() -> None:
    arms = Reproduce(games="freeway", agents="phi").arms()
    assert [arm.name for arm in arms] == ["freeway-phi"]
