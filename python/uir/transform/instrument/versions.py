"""Compact storage of similar texts: unique lines, and line diffs."""

from __future__ import annotations

from array import array

from .line_diff import Hunk, line_diff

__all__ = ["Versions"]


class Versions:
    """
    The versions of a module's text, by number.

    Attributes
    ----------
    lines
        The unique lines.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[str, int] = {}
        self._versions: list[array[int]] = []

    def add(self, text: str) -> int:
        """Keep a text.

        Parameters
        ----------
        text
            The text; a text equal to the last version is not stored again.

        Returns
        -------
        int
            The version's number, from 0.
        """
        version = array("L", map(self._number, text.rstrip("\n").split("\n")))
        if not self._versions or self._versions[-1] != version:
            self._versions.append(version)
        return len(self._versions) - 1

    def _number(self, line: str) -> int:
        number = self._numbers.setdefault(line, len(self.lines))
        if number == len(self.lines):
            self.lines.append(line)
        return number

    def hunks(self, before: int, after: int) -> list[Hunk]:
        """Compare two versions.

        Parameters
        ----------
        before, after
            Their numbers.

        Returns
        -------
        list[Hunk]
            The replacements that turn the first one into the second one.
        """
        return line_diff(self._versions[before], self._versions[after])

    def encoded(self) -> list[list[Hunk]]:
        """Return each version as the difference from its predecessor; the first one is complete."""
        first = [[Hunk(0, 0, list(version))] for version in self._versions[:1]]
        return first + [self.hunks(number - 1, number) for number in range(1, len(self._versions))]
