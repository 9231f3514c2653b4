"""Adds includes to a C++ file, each in the group that it belongs to.

In: the bytes of a file, and lines that it lacks.  Out: the bytes.  No line changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_INCLUDE = re.compile(rb'[ \t]*#[ \t]*include[ \t]*([<"][^>"\n]+[>"])')


def add_includes(data: bytes, statements: Sequence[str]) -> bytes:
    """
    Return a file with more includes.

    Parameters
    ----------
    statements
        The lines: `#include <utility>`.
    """
    lines = data.splitlines(keepends=True)
    for statement in statements:
        wanted = statement.encode()
        at = _position(lines, wanted)
        line_end = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
        lines.insert(at, wanted + line_end)
    return b"".join(lines)


def _position(lines: Sequence[bytes], wanted: bytes) -> int:
    """Return where a line goes: in its order among those of its kind, else behind the last one."""
    found = [(index, _INCLUDE.match(line)) for index, line in enumerate(lines)]
    includes = [(index, match[1]) for index, match in found if match]
    match = _INCLUDE.match(wanted)
    assert match is not None, "a need of a block in C++ is an include"
    alike = [(index, name) for index, name in includes if _kind(name) == _kind(match[1])]
    behind = next((index for index, name in alike if name > match[1]), None)
    if behind is not None:
        return behind
    if alike or includes:
        return (alike or includes)[-1][0] + 1
    pragma = [index for index, line in enumerate(lines) if line.strip() == b"#pragma once"]
    return pragma[0] + 1 if pragma else 0


def _kind(name: bytes) -> str:
    """Return the group of an include: the author's, those of libraries, or C++'s."""
    if name.startswith(b'"'):
        return "own"
    return "library" if b"/" in name or b".h" in name else "standard"
