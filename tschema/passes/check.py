"""Checks that need the whole program."""

from __future__ import annotations

from tschema.errors import Reporter
from tschema.passes.program import Program

__all__ = ["check"]


def check(program: Program, reporter: Reporter) -> None:
    """Report what is wrong with a resolved program."""
