"""`phieb play`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.agents import AgentPath, Imports, agent_at, check_agent, config_of
from phieb.cli.options import Checkpoint, check_file, progress_bar
from phieb.evaluation.exported import Exported
from phieb.evaluation.policy import Policy
from phieb.training import Run

if TYPE_CHECKING:
    from phieb.evaluation.video import Film


@dataclass
class Play:
    """Film an episode of a trained agent.

    Of a run, the film shows what is new to the agent: each blob as bright as it is new, new
    features in words, and curves of bonus and pseudocount. The agent does not learn (ε = 0.01).

    Example: phieb play runs/venture-phi-0 --out venture.mp4
    """

    path: AgentPath
    out: Annotated[
        Path | None,
        tyro.conf.arg(
            metavar="FILE", help_behavior_hint="(default: RUN/play.mp4; of a policy play.mp4)"
        ),
    ] = None
    """Save the film here (.mp4). The report shows those in the folders of runs."""
    checkpoint: Checkpoint = None
    episode: int = 0
    """Number of the episode: each has another start."""
    imports: Imports = False

    def check(self) -> None:
        """Check all options before anything is run."""
        check_agent(self.path, self.checkpoint)
        arguments.whole("--episode", self.episode)
        check_file("--out", self.film, (".mp4",))

    @property
    def film(self) -> Path:
        """Where the film is saved."""
        if self.out is not None:
            return self.out
        agent = agent_at(self.path)
        return agent.film if isinstance(agent, Run) else Path("play.mp4")

    def run(self, console: Console) -> None:
        """Play and save the film."""
        agent = agent_at(self.path)
        config = config_of(agent, imports=self.imports)
        with progress_bar(console) as progress:
            task = progress.add_task("pictures", total=None)
            played = self._film(
                agent,
                lambda done: progress.update(task, completed=done),
                lambda text: progress.console.print(f"phieb: warning: {text}", soft_wrap=True),
            )
        console.print(
            f"score {played.score:,.6g} in {played.frames:,} {config.unit}\nfilm: {self.film}",
            soft_wrap=True,
        )

    def _film(
        self, agent: Run | Policy, advance: Callable[[int], None], warn: Callable[[str], None]
    ) -> "Film":
        # Imported here: it takes a quarter of a second, which no other command needs.
        from phieb.evaluation.video import film_episode, play

        if isinstance(agent, Policy):
            player = Exported(agent, imports=self.imports)
            kind = agent.facts["value"]
            return film_episode(player, self.film, kind, self.episode, advance=advance)
        return play(
            agent,
            self.film,
            checkpoint=self.checkpoint,
            episode=self.episode,
            advance=advance,
            warn=warn,
        )
