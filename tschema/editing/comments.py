"""Literals of Python, and the definitions that comments belong to.

In: the bytes of a Python file, its comments and its definitions.  Out: an owner for each comment.
A comment belongs to the definition that it precedes, as LibCST has it; behind the last statement of
a body it belongs to that body, as far as the indentation of the body goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tschema.editing.syntax import Owner

_Bounds = tuple[int, int]
_STRING = re.compile(rb"""([A-Za-z]*)(\"{3}|'{3}|"|')((?:\\.|(?!\2).)*)\2""", re.DOTALL | re.ASCII)
COMMENT = re.compile(rb"#[^\r\n]*")
_CODE = re.compile(rb"\S")
_LINE_END = re.compile(rb"[\r\n]")


class Scope(Struct, frozen=True):
    """A class or a function, from the first line of its decorators to its last line."""

    start: int
    end: int
    indent: int | None
    """Of its body; None for a body on the line of its head."""
    owner: Owner
    """Its own name, and those around it."""


def literals(data: bytes, at: int, last: int) -> Iterator[tuple[int, int, re.Match[bytes]]]:
    """Yield the literals side by side in a part of a text: start, end, and prefix, quote, text."""
    while at < last:
        match = _STRING.match(data, at, last)
        if match is not None:
            yield match.start(), match.end(), match
            at = match.end()
        else:
            comment = COMMENT.match(data, at, last)
            at = comment.end() if comment else at + 1


def line_end(data: bytes, at: int) -> int:
    """Return where the line of an offset ends."""
    match = _LINE_END.search(data, at)
    return match.start() if match else len(data)


def owners_of(
    data: bytes, comments: Iterable[_Bounds], scopes: list[Scope]
) -> Iterator[tuple[_Bounds, Owner]]:
    """
    Yield comments with their owners.

    Parameters
    ----------
    comments
        Where they begin and end, in order.
    scopes
        The definitions of the file, those around others first.
    """
    group: list[_Bounds] = []
    for one in comments:
        if group and data[group[-1][1] : one[0]].strip():
            yield from _owners(data, group, scopes)
            group = []
        if _indent(data, one[0]) is None:
            yield one, _innermost(scopes, one[0])
        else:
            group.append(one)
    yield from _owners(data, group, scopes)


def _owners(
    data: bytes, group: list[_Bounds], scopes: list[Scope]
) -> Iterator[tuple[_Bounds, Owner]]:
    """Yield comments that stand on lines of their own, with no code between them."""
    if not group:
        return
    before = len(data[: group[0][0]].rstrip()) - 1
    code = _CODE.search(data, group[-1][1])
    after = code.start() if code else len(data) + 1
    for scope in reversed(scopes):
        if scope.indent is None or not scope.start <= before <= scope.end or after <= scope.end:
            continue
        inside = [
            at for at, one in enumerate(group) if (_indent(data, one[0]) or 0) >= scope.indent
        ]
        count = inside[-1] + 1 if inside else 0
        yield from ((one, scope.owner) for one in group[:count])
        group = group[count:]
    yield from ((one, _innermost(scopes, after)) for one in group)


def _innermost(scopes: list[Scope], at: int) -> Owner:
    found = (one.owner for one in reversed(scopes) if one.start <= at <= one.end)
    return next(found, ())


def _indent(data: bytes, at: int) -> int | None:
    """Return how far a comment is indented; None for one that follows code on its line."""
    start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at)) + 1
    return at - start if not data[start:at].strip() else None
