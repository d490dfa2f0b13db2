"""`phieb evaluate`."""

import json
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import Progress, TaskID

from phieb import arguments
from phieb.cli.agents import AgentPath, Imports, agent_at, check_agent, config_of
from phieb.cli.options import Checkpoint, NumbersFile, OptionalInt, check_outputs, progress_bar
from phieb.evaluation.evaluate import MOST, evaluate, evaluate_policy
from phieb.evaluation.policy import Policy
from phieb.files import writing
from phieb.learning import AGENTS
from phieb.reports import runs as report
from phieb.training import Run


@dataclass
class Evaluate:
    """Evaluate a checkpoint or an exported policy: no learning, ε = 0.01.

    The run may still be training. Prints the mean scores. Of a run, all episodes are written to
    RUN/evaluation.json.

    Example: phieb evaluate runs/venture-phi-0 --episodes 100
    """

    path: AgentPath
    checkpoint: Checkpoint = None
    episodes: int = 500
    """Number of episodes; with a split value as many again on the value of r alone."""
    workers: OptionalInt = None
    """Number of processes; by default one for each core."""
    numbers: NumbersFile = None
    imports: Imports = False

    def check(self) -> None:
        """Check all options before anything is run."""
        check_agent(self.path, self.checkpoint)
        arguments.whole("--episodes", self.episodes, low=1, high=MOST)
        if self.workers is not None:
            arguments.whole("--workers", self.workers, low=1, high=1_024)
        check_outputs(None, self.numbers)

    def run(self, console: Console) -> None:
        """Play with a progress bar, and print the mean scores."""
        agent = agent_at(self.path)
        config = config_of(agent, imports=self.imports)
        split = config.value == "split" and config.bonus != "none"
        num_kinds = 2 if split and not AGENTS.needs_extra(config.agent) else 1
        with progress_bar(console) as progress:
            task = progress.add_task("episodes", total=self.episodes * num_kinds)
            results = self._results(agent, progress, task)
        console.print(report.evaluation_table(config, results))
        if isinstance(agent, Run):
            console.print(f"all episodes: {agent.evaluation_file}", soft_wrap=True)
        if self.numbers is not None:
            writing.write(self.numbers, json.dumps(results, indent=1) + "\n")
            console.print(f"numbers: {self.numbers}", soft_wrap=True)

    def _results(self, agent: Run | Policy, progress: Progress, task: TaskID) -> dict[str, Any]:
        def advance() -> None:
            progress.advance(task)

        if isinstance(agent, Policy):
            return evaluate_policy(
                agent,
                self.episodes,
                workers=self.workers,
                advance=advance,
                imports=self.imports,
            )
        return evaluate(
            agent,
            self.episodes,
            checkpoint=self.checkpoint,
            workers=self.workers,
            advance=advance,
            warn=lambda text: progress.console.print(f"phieb: warning: {text}", soft_wrap=True),
        )
