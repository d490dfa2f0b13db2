"""One function for each of the paper's claims: our verdict, or None without the trials."""

import math
from collections.abc import Sequence

from phieb.experiments.paper import FREEWAY_BETA, GAMES, MILLION
from phieb.reports.curves import frames_text, grid
from phieb.reports.evidence import (
    ALWAYS,
    Evidence,
    Verdict,
    evaluated_at,
    mean_at,
    mean_evaluation,
    reached_by_two,
    rooms_text,
    side_by_side,
    side_by_side_text,
)
from phieb.reports.ledger import Row
from phieb.reports.paper import COMPARED
from phieb.reports.sentences import common_frames, rounded_down, trials_text
from phieb.training.config import PAPER_BETA
from phieb.worlds.games import title_of

FIRST_ROOM = 1
RARELY = 0.05
CONVERGED = 20 * MILLION
CLOSE = 0.1
ROOMS = 14
MOSTLY = 0.95
FAR = 2.0


def rarely_leaves(evidence: Evidence) -> Verdict | None:
    """The share of Sarsa-ε's decisions outside the first room."""
    group = evidence.group("montezuma_revenge", "none")
    if group is None:
        return None
    all_ = sum(sum(trial.visits.values()) for trial in group.trials)
    there = sum(trial.visits.get(FIRST_ROOM, 0) for trial in group.trials)
    share = 1 - there / max(all_, 1)
    return Verdict(
        share < RARELY,
        f"{100 * share:.1f} % in other rooms; {rooms_text(group)}",
        reached_by_two(group),
    )


def converges(evidence: Evidence) -> Verdict | None:
    """Sarsa-ε's score at 20 M frames and at the end."""
    group = evidence.group("montezuma_revenge", "none")
    if group is None:
        return None
    frames = reached_by_two(group)
    early, late = mean_at(group, min(CONVERGED, frames)), mean_at(group, frames)
    said = f"{early:,.1f} at {frames_text([min(CONVERGED, frames)])}, "
    said += f"{late:,.1f} at {frames_text([frames])}"
    return Verdict(abs(late - early) <= CLOSE * late, said, frames)


def improves(evidence: Evidence, game: str, end: int) -> Verdict | None:
    """Whether the score rises over each quarter of the training."""
    group = evidence.group(game, "phi")
    if group is None:
        return None
    frames = reached_by_two(group)
    quarters = [at for at in (end * part // 4 for part in range(1, 5)) if at <= frames]
    scores = [mean_at(group, at) for at in quarters or [frames]]
    said = [f"{mean_at(group, at):,.1f} at {frames_text([at])}" for at in quarters or [frames]]
    rises = all(one < other for one, other in zip([0.0, *scores], scores, strict=False))
    return Verdict(rises, ", ".join(said), frames)


def visits_rooms(evidence: Evidence) -> Verdict | None:
    """The most rooms that a trial visited; 14 decide the claim at any time, fewer at the end."""
    group = evidence.group("montezuma_revenge", "phi")
    if group is None:
        return None
    most = max(len(trial.visits) for trial in group.trials)
    said = f"{rooms_text(group)} after {frames_text([trial.reached for trial in group.trials])}"
    far = rounded_down(min(trial.reached for trial in group.trials))
    return Verdict(most >= ROOMS, said, ALWAYS if most >= ROOMS else far)


def largest_in_venture(evidence: Evidence) -> Verdict | None:
    """The ratio of scores with and without the bonus in each game, after the same frames."""
    found = side_by_side(evidence)
    if found is None:
        return None
    scores, frames = found
    ratio = {
        game: phi / eps if eps else math.inf if phi else 1.0 for game, (phi, eps) in scores.items()
    }
    best = [game for game in ratio if ratio[game] == max(ratio.values())]
    holds = None if len(best) > 1 or len(scores) < len(GAMES) else best == ["venture"]
    return Verdict(holds, side_by_side_text(scores, frames), frames)


def fails_to_score(evidence: Evidence) -> Verdict | None:
    """Sarsa-ε's best episode in Venture; a score above 0 refutes the claim at any time."""
    rows = evidence.trials("venture", "none")
    if not rows:
        return None
    best = max(float(row["best"] or 0) for row in rows)
    far = [int(row["frames"]) for row in rows]
    said = f"best of {sum(int(row['episodes']) for row in rows):,} episodes: {best:,.0f}"
    return Verdict(best == 0, said, min(far) if best == 0 else ALWAYS)


def throughout(evidence: Evidence) -> Verdict | None:
    """The share of the curves on which the bonus is ahead, in Q*bert and in Frostbite."""
    said, shares, far = list[str](), list[float](), list[int]()
    for game in ("qbert", "frostbite"):
        both = evidence.both(game)
        if not both:
            return None
        far.append(common_frames(both))
        points = [int(at) for at in grid(both) if 0 < at <= far[-1]]
        points = [at for at in points if all(group.known_at(at) for group in both)]
        ahead = sum(mean_at(both[0], at) > mean_at(both[1], at) for at in points)
        shares.append(ahead / max(len(points), 1))
        said.append(
            f"{title_of(game)} {100 * shares[-1]:.0f} % of points up to {frames_text([far[-1]])}"
        )
    return Verdict(min(shares) >= MOSTLY, ", ".join(said), min(far))


def freeway_betas(evidence: Evidence) -> Verdict | None:
    """The paper's count with both β, and Sarsa-ε, after the same frames."""
    found = [evidence.product("freeway", beta) for beta in (PAPER_BETA, FREEWAY_BETA)]
    groups = [one for one in (*found, evidence.group("freeway", "none")) if one is not None]
    if len(groups) < 3:
        return None
    frames = common_frames(groups)
    high, low, without = (mean_at(group, frames) for group in groups)
    said = f"β = 0.05 {high:,.1f}, β = 0.035 {low:,.1f}, Sarsa-ε {without:,.1f}"
    return Verdict(high < without < low, f"{said} at {frames_text([frames])}", frames)


def not_by_scores(_: Evidence) -> Verdict:
    """Undecided: scores do not say why an agent acts as it does."""
    return Verdict(None, "", ALWAYS)


def all_but_freeway(evidence: Evidence) -> Verdict | None:
    """Whether the bonus is ahead in all games except Freeway."""
    found = side_by_side(evidence)
    if found is None:
        return None
    scores, frames = found
    ahead = {game for game, (phi, eps) in scores.items() if phi > eps}
    holds = ahead >= set(GAMES) - {"freeway"} if len(scores) == len(GAMES) else None
    return Verdict(holds, side_by_side_text(scores, frames), frames)


def place(evidence: Evidence, game: str, worst: int) -> Verdict | None:
    """The rank of our evaluation among the other systems of the paper's Table 1."""
    mine = evidence.evaluated(game)
    if not mine:
        return None
    score = mean_evaluation(mine)
    better = [one.system for one in COMPARED if one.scores.get(game, 0.0) > score]
    said = f"{_evaluated(mine)}: rank {len(better) + 1}"
    said += f" after {', '.join(better)}" if 0 < len(better) <= worst else ""
    return Verdict(len(better) < worst, said, evaluated_at(mine))


def far_ahead(evidence: Evidence, game: str, systems: Sequence[str]) -> Verdict | None:
    """Our evaluation compared with those of some other systems."""
    mine = evidence.evaluated(game)
    if not mine:
        return None
    score = mean_evaluation(mine)
    theirs = {one.system: one.scores[game] for one in COMPARED if one.system in systems}
    best = max(theirs, key=theirs.__getitem__)
    said = f"{_evaluated(mine)}; the best of these {theirs[best]:,.0f}, {best}"
    return Verdict(score > FAR * theirs[best], said, evaluated_at(mine))


def others_better_in_qbert(evidence: Evidence) -> Verdict | None:
    """Our evaluation compared with the lowest of the other systems."""
    mine = evidence.evaluated("qbert")
    if not mine:
        return None
    score = mean_evaluation(mine)
    lowest = min(one.scores["qbert"] for one in COMPARED if "qbert" in one.scores)
    said = f"{_evaluated(mine)}; the lowest of the others {lowest:,.0f}"
    return Verdict(score < lowest, said, evaluated_at(mine))


def freeway_fails(evidence: Evidence) -> Verdict | None:
    """The evaluation in Freeway with the paper's count and its β."""
    mine = evidence.evaluated_product("freeway", PAPER_BETA)
    if not mine:
        return None
    score = mean_evaluation(mine)
    return Verdict(score == 0, _evaluated(mine), evaluated_at(mine))


def _evaluated(rows: Sequence[Row]) -> str:
    return f"{mean_evaluation(rows):,.1f} ({trials_text(len(rows))})"
