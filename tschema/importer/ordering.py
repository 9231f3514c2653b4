"""An order in which each thing comes after those that it needs.

In: keys, and the keys that each one needs.  Out: the keys in order, as near to the given one as can
be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class Cycle(Exception):
    """Things that need each other, so that there is no order; carries their keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = list(keys)
        super().__init__(" -> ".join(keys))


def in_order(keys: Iterable[str], needs: Mapping[str, Iterable[str]]) -> list[str]:
    """
    Sort keys so that each one comes after the keys that it needs.

    Parameters
    ----------
    needs
        For each key, those that come before it.

    Raises
    ------
    Cycle
        Some need each other, or one needs itself.
    """
    done: dict[str, None] = {}
    trail: list[str] = []

    def visit(key: str) -> None:
        if key in done:
            return
        if key in trail:
            raise Cycle(trail[trail.index(key) :])
        trail.append(key)
        for needed in needs.get(key, ()):
            visit(needed)
        trail.pop()
        done[key] = None

    for key in keys:
        visit(key)
    return list(done)
