"""The command line: parsing, checking, printing."""

from phieb.cli.main import main

__all__ = ["main"]
