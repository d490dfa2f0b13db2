"""The model card of a policy: what it is, where it comes from, how well it plays."""

from phieb.evaluation.policy import Facts, Scores
from phieb.worlds.games import title_of
from phieb.worlds.names import is_atari

_WORDS = {
    "single": "32-bit floating point",
    "half": "16-bit floating point, with a 32-bit factor for each feature",
    "byte": "8-bit integers, with a 32-bit factor for each feature",
}
_VALUES = {
    "behaviour": "the value that actions were chosen by in training",
    "extrinsic": "the value of the rewards alone",
}


def card(facts: Facts, file: str) -> str:
    """The card in Markdown, with the header that model hubs read.

    Args:
        facts: what the policy's file says of it.
        file: the name of the file.
    """
    return "\n".join(
        [
            *_header(facts),
            "",
            f"# {_title(facts)}",
            "",
            *_about(facts),
            "",
            "```",
            f"phieb evaluate {file} --episodes 100",
            f"phieb play {file} --out film.mp4",
            "```",
            "",
            "| scores of the game, without bonus | episodes | mean | 95 % interval |",
            "| --- | --- | --- | --- |",
            *_rows(facts),
            "",
            "| origin | |",
            "| --- | --- |",
            *(f"| {name} | {value} |" for name, value in _origin(facts).items()),
            "",
        ]
    )


def summary(facts: Facts) -> dict[str, str]:
    """The same in a few words, for a terminal."""
    found = {"game": str(facts["settings"]["game"]), "agent": facts["agent"], **_origin(facts)}
    for name, one in _scores(facts).items():
        found[name] = f"{one['mean']:,.1f} ({one['episodes']:,} episodes)"
    return found


def _header(facts: Facts) -> list[str]:
    licence = [f"license: {facts['licence'].lower()}"] if facts["licence"] else []
    tags = ["reinforcement-learning", "exploration", facts["settings"]["game"]]
    return ["---", *licence, "library_name: phieb", "tags:", *(f"- {tag}" for tag in tags), "---"]


def _title(facts: Facts) -> str:
    return f"{facts['agent']} in {title_of(str(facts['settings']['game']))}"


def _about(facts: Facts) -> list[str]:
    unit = _unit(facts)
    game = title_of(str(facts["settings"]["game"]))
    return [
        f"A policy for {game}: linear action values over binary features, trained by phieb for "
        f"{facts['frames']:,} {unit} with seed {facts['settings']['seed']}. It is ε-greedy with "
        f"respect to {_VALUES[facts['value']]}; evaluations use ε = {facts['epsilon']:g}. The file "
        "has weights and settings and cannot be trained further. It contains nothing of the game.",
    ]


def _rows(facts: Facts) -> list[str]:
    rows = []
    for name, one in _scores(facts).items():
        low, high = one.get("interval", (one["mean"], one["mean"]))
        interval = f"{low:,.1f} to {high:,.1f}" if "interval" in one else ""
        rows.append(f"| {name} | {one['episodes']:,} | {one['mean']:,.1f} | {interval} |")
    return rows or ["| none recorded | | | |"]


def _scores(facts: Facts) -> dict[str, Scores]:
    kinds = {
        "this file": facts.get("exported"),
        "the checkpoint": facts.get("evaluation"),
        "in training, at the end": facts.get("training"),
    }
    return {name: one for name, one in kinds.items() if one is not None}


def _origin(facts: Facts) -> dict[str, str]:
    settings = facts["settings"]
    return {
        "bonus": f"{settings['bonus']}, β = {settings['beta']}; all settings are in the file",
        "training": f"{facts['frames']:,} {_unit(facts)}, seed {facts['settings']['seed']}",
        "features": f"{facts['kept']:,} of the {facts['observed']:,} observed in training, "
        f"map {facts['settings']['features']}",
        "weights": _WORDS[facts["precision"]],
        "versions": ", ".join(f"{name} {one}" for name, one in sorted(facts["versions"].items())),
        "checkpoint": f"SHA-256 {facts['learner']}",
        "licence": facts["licence"] or "not stated",
    }


def _unit(facts: Facts) -> str:
    return "frames" if is_atari(str(facts["settings"]["game"])) else "steps"
