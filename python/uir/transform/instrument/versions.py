"""Texts that differ little, kept and written compactly: each line once, then line by line diffs."""

from __future__ import annotations

from array import array

from .line_diff import Hunk, line_diff

__all__ = ["Versions"]


class Versions:
    """
    The texts of a module, from the first to the last; each one is known by its number.

    Attributes
    ----------
    lines
        Every line that occurs, once.
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
            The text; equal to the last one, it is not kept again.

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
            What to replace in the first one to get the second one.
        """
        return line_diff(self._versions[before], self._versions[after])

    def encoded(self) -> list[list[Hunk]]:
        """Return each version as its difference from the one before; the first one is whole."""
        first = [[Hunk(0, 0, list(version))] for version in self._versions[:1]]
        return first + [self.hunks(number - 1, number) for number in range(1, len(self._versions))]
