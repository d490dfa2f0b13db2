"""The paper's claims: each is judged by numbers that decide it one way and the other."""

from collections.abc import Sequence
from pathlib import Path

from phieb.experiments.paper import FREEWAY_BETA, GAMES
from phieb.reports.claims import CLAIMS, claim_rows, claims_counted
from phieb.reports.groups import read_runs
from phieb.reports.results import Results
from tests.reports.support import write_run

M = 1_000_000


def verdicts(folder: Path) -> dict[str, str]:
    """What is said of each claim, by a part of its words."""
    rows = claim_rows(Results([], [], []).with_runs(read_runs(folder)))
    return {row[0]: row[2] for row in rows[1:]}


def said(found: dict[str, str], words: str) -> str:
    (one,) = [verdict for quote, verdict in found.items() if words in quote]
    return one


def write_game(
    folder: Path,
    game: str,
    phi: Sequence[float],
    epsilon: Sequence[float],
    *,
    length: int = 250_000,
    rooms: int = 1,
    evaluated: float = 0.0,
) -> None:
    """Trials of both agents: scores in four equal parts of the training."""
    for bonus, scores in (("phi", phi), ("none", epsilon)):
        every = [score for score in scores for _ in range(100)]
        seen = [{"1": 100, **({str(k % rooms): 1} if bonus == "phi" else {})} for k in range(400)]
        write_run(
            folder / f"{game}-{bonus}",
            every,
            game=game,
            length=length,
            bonus=bonus,
            rooms=seen if game == "montezuma_revenge" else None,
            evaluated=[evaluated],
        )


def test_what_is_not_confirmed_is_counted(tmp_path: Path) -> None:
    assert claims_counted(Results([], [], [])) == (
        "Of the paper's 17 claims 0 hold here and 0 do not; not confirmed yet are 0 that need "
        "longer training and 16 that need trials; 1 cannot be decided by scores."
    )
    write_game(tmp_path, "venture", [0.0, 100.0, 200.0, 300.0], [0.0, 0.0, 0.0, 5.0], length=25_000)
    found = claims_counted(Results([], [], []).with_runs(read_runs(tmp_path)))
    assert "0 hold here and 1 do not" in found  # Sarsa-ε has scored, which more training leaves so


def test_claims_that_hold(tmp_path: Path) -> None:
    rises = [100.0, 400.0, 900.0, 1_200.0]
    write_game(tmp_path, "venture", rises, [0.0] * 4, evaluated=1_170.0)
    write_game(tmp_path, "montezuma_revenge", rises, [370.0] * 4, rooms=14, evaluated=2_745.4)
    write_game(tmp_path, "qbert", [4_000.0] * 4, [3_000.0] * 4, evaluated=4_111.8)
    write_game(tmp_path, "frostbite", [2_500.0] * 4, [1_400.0] * 4)
    write_game(tmp_path, "freeway", [0.0] * 4, [27.0] * 4)
    for beta, score in ((0.05, 20.0), (FREEWAY_BETA, 29.0)):
        write_run(
            tmp_path / f"freeway-{beta}",
            [score] * 100,
            game="freeway",
            length=M,
            per_feature=False,
            beta=beta,
            evaluated=[0.0],
        )
    found = verdicts(tmp_path)
    assert found.pop(next(quote for quote in found if "stand still" in quote)) == "not decided"
    assert set(found.values()) == {"holds"}, found


def test_claims_that_do_not_hold(tmp_path: Path) -> None:
    falls = [900.0, 400.0, 300.0, 200.0]
    write_game(tmp_path, "venture", falls, [100.0] * 4, evaluated=300.0)
    write_game(tmp_path, "montezuma_revenge", falls, [0.0, 0.0, 100.0, 800.0], rooms=13)
    write_game(tmp_path, "qbert", [4_000.0] * 4, [5_000.0] * 4, evaluated=20_000.0)
    write_game(tmp_path, "frostbite", [2_500.0] * 4, [1_400.0] * 4)
    write_game(tmp_path, "freeway", [30.0] * 4, [1.0] * 4)
    found = verdicts(tmp_path)
    holds = [quote for quote, verdict in found.items() if verdict == "holds"]
    assert len(holds) == 1
    assert "rarely leaves" in holds[0]
    assert said(found, "β=0.035") == said(found, "fails to score any points") == "no trials yet"
    assert list(found.values()).count("does not hold") == len(CLAIMS) - 4


def test_few_frames_decide_only_what_more_cannot_change(tmp_path: Path) -> None:
    for game in GAMES:
        write_game(tmp_path, game, [10.0] * 4, [1.0] * 4, length=25_000, rooms=15)
    found = verdicts(tmp_path)
    assert said(found, "up to 14 rooms") == "holds"  # more frames leave no room unvisited
    assert said(found, "Sarsa-ε fails to score") == "does not hold"
    assert said(found, "converges") == "not yet reached: 10 M of 100 M"
    assert said(found, "all tested games") == "not yet reached: 10 M of 80 M"
    assert said(found, "second highest") == "not yet reached: 10 M of 100 M"


def test_without_trials_nothing_is_claimed() -> None:
    (_, *rows) = claim_rows(Results([], [], []))
    assert {row[2] for row in rows} == {"no trials yet", "not decided"}
    assert not any(row[3] for row in rows)
