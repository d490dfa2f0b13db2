"""How reliability was tested: what the tests of faults, the soak and the fuzzer have counted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from phieb.reports.tables import Rows
from phieb.worlds.games import title_of

CPU = "cpu_seconds"  # the property of a test that is not a count

# What tests count (`record_property`), in words.
COUNTED = {
    "failures": "calls failed",
    "crashes": "disks after a crash",
    "forged": "forged runs",
    "kills": "kills",
    "commands": "commands",
}


def faults_of(junits: Iterable[str], version: str) -> dict[str, Any]:
    """What `pytest --junitxml` wrote, by file of tests: how many, and what they counted.

    Args:
        junits: the texts of its files.
        version: of phieb.

    Raises:
        ValueError: one is not such a file, or a test failed.
    """
    try:
        cases = [case for one in junits for case in ElementTree.fromstring(one).iter("testcase")]
    except ElementTree.ParseError as error:
        raise ValueError(f"is not what pytest --junitxml writes: {error}") from None
    found = dict[str, Counter[str]]()
    for case in cases:
        name = case.attrib["classname"].rpartition(".")[2]
        problem = next((kind for kind in ("failure", "error") if case.find(kind) is not None), "")
        if problem:
            raise ValueError(f"{name}::{case.attrib['name']}: {problem}")
        counts = found.setdefault(name, Counter())
        counts["skipped" if case.find("skipped") is not None else "tests"] += 1
        for one in case.iter("property"):
            counts[one.attrib["name"]] += round(float(one.attrib["value"]))
    return {"version": version, "files": {name: dict(found[name]) for name in sorted(found)}}


def fault_rows(found: Mapping[str, Any]) -> Rows:
    """A row for each file of tests, with a header, and their sum."""
    files = found["files"]
    total = Counter[str]()
    for counts in files.values():
        total.update(counts)
    rows = [["tests", "passed", "skipped", "counted in them", "processor time"]]
    rows += [_row(f"`{name}`", counts) for name, counts in files.items()]
    return [*rows, _row("all", total)]


def _row(name: str, counts: Mapping[str, int]) -> list[str]:
    words = [f"{counts[key]:,} {text}" for key, text in COUNTED.items() if counts.get(key)]
    time = f"{counts.get(CPU, 0) / 60:.1f} min"
    return [
        name,
        f"{counts.get('tests', 0)}",
        f"{counts.get('skipped', 0)}",
        ", ".join(words),
        time,
    ]


def summed(soaks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several soaks of one version counted together.

    Raises:
        ValueError: they are of several versions, or there is none.
    """
    versions = {one["version"] for one in soaks}
    if len(versions) != 1:
        raise ValueError(f"soaks must be of one version, got versions {sorted(versions)}")
    runs = Counter[str]()
    for one in soaks:
        runs.update(one["runs"])
    return {
        "version": versions.pop(),
        "seed": " and ".join(str(one["seed"]) for one in soaks),
        "kills": sum(one["kills"] for one in soaks),
        "seconds": sum(one["seconds"] for one in soaks),
        "runs": dict(sorted(runs.items())),
    }


def soak_sentence(found: Mapping[str, Any]) -> str:
    """What the soak counted, in words."""
    runs, where = found["runs"], ("local", "Ray", "raylet")
    total = sum(runs.get(name, 0) for name in where[:2])
    kinds = "; ".join(f"{name} {n}" for name, n in runs.items() if name not in where)
    raylets = runs.get("raylet", 0)
    return (
        f"{found['kills']:,} kills of {total:,} runs, {runs.get('Ray', 0)} of them on Ray, where "
        f"{raylets} of the kills {'was' if raylets == 1 else 'were'} of the raylet; all runs "
        f"identical (version {found['version']}, seed {found['seed']}; numbers of runs: {kinds})"
    )


def cost_sentence(found: Mapping[str, Any]) -> str:
    """What a checkpoint costs compared with 0.5.0's, in words."""
    clock, processor = found["clock"], found["processor"]
    (old, new), (old_cpu, new_cpu) = clock["ms"], processor["ms"]
    return (
        f"With {title_of(found['game'])} after {found['frames']:,} frames "
        f"({found['bytes'] / 1e6:.1f} MB), {found['pairs']} pairs on a busy machine: the median "
        f"ratio of new to 0.5.0's way of saving was {clock['ratio']:.2f} by the clock and "
        f"{processor['ratio']:.2f} of processor time ({new:.0f} ms and {old:.0f} ms; "
        f"{new_cpu:.1f} ms and {old_cpu:.1f} ms)"
    )


def fuzz_sentence(found: Mapping[str, Any]) -> str:
    """What the fuzzer counted, in words."""
    return (
        f"{found['runs']:,} files in {found['seconds'] / 60:.0f} minutes, {found['refused']:,} of "
        f"them refused in one line, the others read; {found['failures']} failures "
        f"(version {found['version']})"
    )
