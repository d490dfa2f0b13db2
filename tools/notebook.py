"""Run notebooks/phi_eb.ipynb from its first cell to its last, and keep what came out.

    python tools/notebook.py     (`make notebook`)

The notebook is committed with its outputs and with a hash of its sources, so that a test can say
when they are not of each other.
"""

import hashlib
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

PATH = Path(__file__).parents[1] / "notebooks" / "phi_eb.ipynb"


def run(notebook: NotebookNode, folder: Path = PATH.parent, timeout: int = 3_600) -> None:
    """Run all cells in a process of their own; outputs take the place of the earlier ones.

    Args:
        notebook: the notebook.
        folder: where its process is, and the runs that it trains.
        timeout: seconds for each cell.
    """
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=timeout,
        startup_timeout=timeout,  # a busy machine takes long to start it
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    notebook.metadata.language_info = {"name": "python"}  # the version is the reader's


def sources(notebook: NotebookNode) -> str:
    """A hash of the sources of all cells."""
    every = "\0".join(cell.source for cell in notebook.cells)
    return hashlib.sha256(every.encode()).hexdigest()


def printed(cell: NotebookNode) -> str:
    """What a cell has printed."""
    return "".join(one.get("text", "") for one in cell.get("outputs", ()))


if __name__ == "__main__":
    read = nbformat.read(PATH, as_version=4)
    run(read)
    read.metadata.phieb = {"sources": sources(read)}
    nbformat.write(read, PATH)
