"""Helps that a program can apply: a text for people, and the change that it means.

In: names as they are written and as they should be.  Out: `Help`s.  `fixes.py` finds the text that
a change replaces.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Replace(Struct, frozen=True):
    """A word at the diagnostic's place, or the name of the keyword before it, is another one."""

    old: str
    """Empty for the whole text there."""
    new: str


class ImportName(Struct, frozen=True):
    """The file imports a name from a module."""

    module: str
    name: str


class InsertStatement(Struct, frozen=True):
    """A line before the statement at the diagnostic's place, or first in its body."""

    text: str
    is_inside: bool = False
    """Whether it is the first line of the body, after the docstring."""


class MoveStatement(Struct, frozen=True):
    """The statement at the diagnostic's place moves before another one of the same body."""

    line: int
    """A 1-based line of the other one."""


class Document(Struct, frozen=True):
    """The declaration at the diagnostic's place has documentation."""

    text: str
    entry: str = ""
    """Name of the entry of `Attributes` that it is; empty for a docstring."""


class AddLines(Struct, frozen=True):
    """The file of the diagnostic has more includes, imports or `use` declarations."""

    lines: tuple[str, ...]


Change = Replace | ImportName | InsertStatement | MoveStatement | Document | AddLines


class Help(str):
    """What to do, with the change that does it."""

    change: Change

    def __new__(cls, text: str, change: Change) -> Help:
        """Make the help of a change."""
        made = super().__new__(cls, text)
        made.change = change
        return made


def did_you_mean(old: str, new: str) -> Help:
    """Return the help that a name is misspelt."""
    return Help(f"did you mean `{new}`?", Replace(old, new))


def import_name(module: str, name: str) -> Help:
    """Return the help that a name has to be imported."""
    return Help(f"write `from {module} import {name}`", ImportName(module, name))


def suggest(name: str, candidates: Iterable[str]) -> Help | None:
    """
    Return a `did you mean` help for a misspelt name, or None if nothing is near.

    Dotted names compare by their last parts first, so that a prefix makes no two names alike.
    """
    near = [other for other in candidates if other != name and _is_near(name, other)]
    matches = _close_matches(name, sorted(set(near)))
    return did_you_mean(name, matches[0]) if matches else None


def suggest_one_of(name: str, known: Iterable[str], lead: str = "there are") -> str:
    """Return such a help, or the list of all known names after a lead if nothing is near."""
    names = list(known)
    return suggest(name, names) or f"{lead} {', '.join(f'`{one}`' for one in names)}"


def _is_near(name: str, other: str) -> bool:
    ours, theirs = name.rpartition("."), other.rpartition(".")
    is_other = ours[0] != theirs[0] or not ours[0]
    return is_other or bool(_close_matches(ours[2], [theirs[2]]))


def _close_matches(name: str, candidates: list[str]) -> list[str]:
    from difflib import get_close_matches  # For a wrong schema alone.

    return get_close_matches(name, candidates, n=1, cutoff=0.6)
