"""One trial on a Ray cluster, with settings that no command has: python -m tests.faults.ray_trial.

Its arguments are the address, the folder of the run and its settings, as JSON. It ends as a command
of phieb does: exit code 1 and a line if the trial failed or the cluster was lost.
"""

import json
import sys
from pathlib import Path

from phieb.training import RunError
from phieb.training.config import from_json
from phieb.trials.ray import Cluster
from phieb.trials.scheduler import run_all
from phieb.trials.trial import Trial


def main(address: str, path: str, settings: str) -> None:
    """Train it to its end."""
    trial = Trial(from_json(json.loads(settings)), Path(path), episodes=0)
    try:
        (one,) = run_all([trial], Cluster(address))
    except RunError as error:
        sys.exit(f"phieb: {error}")
    if one.state != "done":
        sys.exit(f"phieb: {one.problem}")


if __name__ == "__main__":
    main(*sys.argv[1:])
