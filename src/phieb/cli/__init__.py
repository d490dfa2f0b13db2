"""The command line: parsing and checking of options, and printing."""

from phieb.cli.main import main

__all__ = ["main"]
