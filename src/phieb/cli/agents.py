"""What plays, by what it is called: the folder of a run, the file of a policy, or a game."""

from pathlib import Path
from typing import Annotated

import tyro

import phieb
from phieb.cli.options import check_run
from phieb.evaluation.exported import Exported
from phieb.evaluation.policy import SUFFIX, Policy, read_policy
from phieb.training import Config, Run
from phieb.worlds.games import find_game

AGENTS = Path(phieb.__file__).parent / "agents"  # the policies that phieb ships


def shipped() -> list[str]:
    """The games that phieb has a trained agent of."""
    return sorted(file.stem for file in AGENTS.glob(f"*{SUFFIX}"))


# The argument of commands that play.
AgentPath = Annotated[
    tyro.conf.Positional[Path],
    tyro.conf.arg(
        metavar="RUN",
        help="Folder of the run; or the file of an exported policy; or one of the games that phieb "
        f"has an agent of: {', '.join(shipped())}.",
    ),
]

Imports = Annotated[
    bool,
    tyro.conf.arg(help="Import the modules that an exported policy names: only if you trust them."),
]


def check_agent(path: Path, checkpoint: int | None = None) -> None:
    """Raise ValueError unless a run, a policy or an agent of this name is there."""
    if _file_of(path) is not None:
        if checkpoint is not None:
            raise ValueError(f"--checkpoint needs the folder of a run, got {path}")
    else:
        try:
            check_run(path)
        except ValueError as error:
            said = f"; or the file of a policy, or one of {', '.join(shipped())}"
            raise ValueError(f"{error}{said}") from None


def agent_at(path: Path) -> Run | Policy:
    """The run or the policy.

    Raises:
        DamagedError: the file of a policy is not what was written.
    """
    file = _file_of(path)
    return Run(path) if file is None else read_policy(file)


def config_of(agent: Run | Policy, *, imports: bool) -> Config:
    """The settings that its game is made from."""
    if isinstance(agent, Policy):
        return Exported(agent, imports=imports).config
    return agent.config()


def _file_of(path: Path) -> Path | None:
    """The file of a policy; None if the path is another."""
    if path.exists():
        return path if path.is_file() else None
    try:
        game = find_game(str(path))
    except ValueError:
        return None
    return AGENTS / f"{game}{SUFFIX}" if game in shipped() else None
