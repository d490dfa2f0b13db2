"""The claims of the paper's §5.2, sentence by sentence, and what our numbers say of them."""

from collections.abc import Callable
from typing import NamedTuple

from phieb.experiments.paper import MILLION
from phieb.reports import judges
from phieb.reports.curves import frames_text
from phieb.reports.evidence import Evidence, Verdict
from phieb.reports.paper import COMPARED
from phieb.reports.results import Results
from phieb.reports.tables import Rows

END = 100 * MILLION  # frames of the paper's training
QBERT_END = 80 * MILLION
HOLDS, DOES_NOT, UNDECIDED = "holds", "does not hold", "not decided"
NOT_YET, NO_TRIALS = "not yet reached", "no trials yet"
OTHERS = [one.system for one in COMPARED if one.system != "DDQN-PC"]


class Claim(NamedTuple):
    """A sentence of the paper.

    Attributes:
        quote: its words.
        criterion: what our numbers must show if it holds.
        needs: the frames of training that it is about; fewer cannot decide it.
        judge: gives the verdict of our numbers, or None if there are none.
    """

    quote: str
    criterion: str
    needs: int
    judge: Callable[[Evidence], Verdict | None]


CLAIMS = (
    Claim(
        "In Montezuma's Revenge, Sarsa-ε rarely leaves the first room.",
        "less than 5 % of its decisions are in other rooms",
        END,
        judges.rarely_leaves,
    ),
    Claim(
        "Its policy converges after an average of 20 million frames.",
        "its mean score at the end is within 10 % of that at 20 M",
        END,
        judges.converges,
    ),
    Claim(
        "Sarsa-φ-EB continues to improve throughout training, […]",
        "its mean score is higher after each quarter of 100 M frames",
        END,
        lambda evidence: judges.improves(evidence, "montezuma_revenge", END),
    ),
    Claim(
        "[…] visiting up to 14 rooms.",
        "a trial visits at least 14 rooms",
        END,
        judges.visits_rooms,
    ),
    Claim(
        "The largest improvement over the baseline occurs in Venture.",
        "the ratio of mean scores with and without the bonus is the largest of all games",
        QBERT_END,
        judges.largest_in_venture,
    ),
    Claim(
        "Sarsa-ε fails to score, […]",
        "in Venture, no training episode scores",
        END,
        judges.fails_to_score,
    ),
    Claim(
        "[…] while Sarsa-φ-EB continues to improve throughout training.",
        "in Venture, its mean score is higher after each quarter of 100 M frames",
        END,
        lambda evidence: judges.improves(evidence, "venture", END),
    ),
    Claim(
        "[In Q*bert and Frostbite] Sarsa-φ-EB consistently outperforms Sarsa-ε throughout training "
        "so its cumulative reward is much higher.",
        "its mean score is higher on at least 95 % of the training in both games",
        QBERT_END,
        judges.throughout,
    ),
    Claim(
        "In Freeway, Sarsa-φ-EB with β=0.05 fails to match the performance of the baseline "
        "algorithm, but with β=0.035 it performs better",
        "mean scores of the preset `product`: below Sarsa-ε with β = 0.05, above it with 0.035",
        10 * MILLION,
        judges.freeway_betas,
    ),
    Claim(
        "If β is too high the agent is content to stand still and receive exploration bonuses for "
        "observing new configurations of traffic.",
        "scores cannot decide it",
        END,
        judges.not_by_scores,
    ),
    Claim(
        "In summary, Sarsa-φ-EB with β=0.05 outperforms Sarsa-ε on all tested games except "
        "Freeway.",
        "mean scores in all five games, of today's default, which has another count and β",
        QBERT_END,
        judges.all_but_freeway,
    ),
    Claim(
        "Our Sarsa-φ-EB algorithm achieves an average score of 2745.4 on Montezuma: the second "
        "highest reported score.",
        "our evaluation is at least second among the other systems of Table 1",
        END,
        lambda evidence: judges.place(evidence, "montezuma_revenge", 2),
    ),
    Claim(
        "On this game it far outperforms every algorithm apart from DDQN-PC, despite only having "
        "trained for half the number of frames.",
        "our evaluation is more than twice theirs",
        END,
        lambda evidence: judges.far_ahead(evidence, "montezuma_revenge", OTHERS),
    ),
    Claim(
        "[On Venture] It achieves the third highest reported score despite its short training "
        "regime, […]",
        "our evaluation is at least third among the other systems of Table 1",
        END,
        lambda evidence: judges.place(evidence, "venture", 3),
    ),
    Claim(
        "[…] and far outperforms A3C+ and TRPO-Hash.",
        "our evaluation in Venture is more than twice theirs",
        END,
        lambda evidence: judges.far_ahead(evidence, "venture", ("A3C+", "TRPO-Hash")),
    ),
    Claim(
        "Nonlinear algorithms perform better in Q*bert.",
        "all other systems of Table 1 are above our evaluation",
        QBERT_END,
        judges.others_better_in_qbert,
    ),
    Claim(
        "In Freeway Sarsa-φ-EB fails to score any points, for reasons already discussed.",
        "the preset `product` with β = 0.05 scores 0 in evaluation",
        END,
        judges.freeway_fails,
    ),
)


def claim_rows(results: Results) -> Rows:
    """A row for each claim: quote, criterion, verdict and numbers."""
    evidence = Evidence(results)
    table = [["the paper, §5.2", "criterion", "verdict", "our numbers"]]
    for claim in CLAIMS:
        found = claim.judge(evidence)
        numbers = "" if found is None else found.numbers
        table.append([f"“{claim.quote}”", claim.criterion, verdict(found, claim.needs), numbers])
    return table


def claims_counted(results: Results) -> str:
    """How many claims hold, do not hold, and wait for what."""
    evidence = Evidence(results)
    given = [verdict(claim.judge(evidence), claim.needs) for claim in CLAIMS]
    holds, not_so = given.count(HOLDS), given.count(DOES_NOT)
    longer, trials = sum(NOT_YET in one for one in given), given.count(NO_TRIALS)
    return (
        f"Of the paper's {len(given)} claims {holds} hold here and {not_so} do not; "
        f"not confirmed yet are {longer} that need longer training and {trials} that need trials; "
        f"{given.count(UNDECIDED)} cannot be decided by scores."
    )


def verdict(found: Verdict | None, needs: int) -> str:
    """The verdict in a few words; a claim about longer training than ours is not decided."""
    if found is None:
        return NO_TRIALS
    if found.frames < needs:
        return f"{NOT_YET}: {frames_text([found.frames])} of {frames_text([needs])}"
    if found.holds is None:
        return UNDECIDED
    return HOLDS if found.holds else DOES_NOT
