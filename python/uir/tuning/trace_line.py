"""Lines of traces as values, in the form that `uir.schedule.trace_of` describes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..schedule import ReplayLayouts

__all__ = ["LAYOUTS", "Choice", "Line", "check_trace", "is_layout", "parse_line"]

LAYOUTS = "AlterLayout"
"""The pass whose choices are the layouts of chains."""

_LINE = re.compile(r"(?P<recipe>[^:]+): (?P<nest>.+): (?P<choices>[^:]+)")
_LIST = re.compile(r"(?P<recipe>[^:]+): (?P<nest>.+?): list\((?P<steps>.*)\)", re.DOTALL)
_CHOICE = re.compile(r"(?P<way>\w+)\((?P<numbers>(?:\w+=\d+(?:, )?)*)\)")


@dataclass(frozen=True)
class Choice:
    """One way to run a nest: a word of the recipe, and numbers by name.

    The way `list` has the text of the primitives in `steps` instead.
    """

    way: str
    numbers: tuple[tuple[str, int], ...]
    steps: str = ""

    def __str__(self) -> str:
        """Return the choice as traces spell it."""
        numbers = ", ".join(f"{name}={value}" for name, value in self.numbers)
        return f"{self.way}({numbers or self.steps})"

    def changed(self, way: str, numbers: dict[str, int]) -> Choice:
        """Return the choice with another way, and other numbers where it has them."""
        kept = ((name, numbers.get(name, value)) for name, value in self.numbers)
        return Choice(way, tuple(kept))


@dataclass(frozen=True)
class Line:
    """The choices of a recipe for a nest: one, or several of which the function takes one."""

    recipe: str
    nest: str
    choices: tuple[Choice, ...]

    def __str__(self) -> str:
        """Return the line as traces spell it."""
        return f"{self.recipe}: {self.nest}: {'; '.join(map(str, self.choices))}"


def parse_line(text: str) -> Line:
    """Read a line of a trace.

    Raises
    ------
    ValueError
        If the text is not a line.
    """
    if listed := _LIST.fullmatch(text):
        return Line(listed["recipe"], listed["nest"], (Choice("list", (), listed["steps"]),))
    found = _LINE.fullmatch(text)
    choices = [_CHOICE.fullmatch(one) for one in found["choices"].split("; ")] if found else []
    if found is None or None in choices:
        raise ValueError(f"`{text}` is not a line of a trace")
    return Line(found["recipe"], found["nest"], tuple(_choice(one) for one in choices if one))


def is_layout(trace: Sequence[str]) -> bool:
    """Return whether a trace is the layout of a chain, and not the choices for a kernel."""
    return bool(trace) and trace[0].startswith(f"{LAYOUTS}: ")


def check_trace(trace: Sequence[str]) -> None:
    """Check the lines of a kernel, or the layout of a chain.

    Raises
    ------
    ValueError
        If a text is not a line, or the line is not a layout.
    """
    if any(parse_line(line).recipe == LAYOUTS for line in trace):
        ReplayLayouts({"": list(trace)})


def _choice(found: re.Match[str]) -> Choice:
    pairs = (one.split("=") for one in found["numbers"].split(", ") if one)
    return Choice(found["way"], tuple((name, int(value)) for name, value in pairs))
