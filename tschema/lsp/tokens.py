"""Semantic tokens as the protocol encodes them.

In: ranges with the numbers of their types.  Out: five numbers for each token.
"""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

Token = tuple[lsp.Range, int, int]
"""A range, the index of its type in the legend, and its modifiers as bits."""


def encoded(tokens: Iterable[Token]) -> list[int]:
    """Return tokens relative to each other; of those that overlap, the first one stays."""
    data: list[int] = []
    line, character, end = 0, 0, (-1, 0)
    for place, kind, modifiers in sorted(tokens, key=_key):
        start = place.start
        if order(start) < end or place.end.line != start.line:
            continue
        first = start.character - character if start.line == line else start.character
        length = place.end.character - start.character
        data += [start.line - line, first, length, kind, modifiers]
        line, character, end = start.line, start.character, order(place.end)
    return data


def order(position: lsp.Position) -> tuple[int, int]:
    """Return what orders positions."""
    return position.line, position.character


def _key(token: Token) -> tuple[tuple[int, int], int, int]:
    """Return what orders tokens by their start, the shortest first."""
    place = token[0]
    lines = place.end.line - place.start.line
    return order(place.start), lines, place.end.character - place.start.character
