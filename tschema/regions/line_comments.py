"""Finds the line comments of a file.

In: bytes of a Python, C++ or Rust file, possibly malformed. Out: offsets. Comments in strings or
inside other comments do not count. An unterminated string or comment is ignored.
"""

from __future__ import annotations

import re

from tschema.regions.cpp_lexer import CLOSED_NOISE

_PYTHON = re.compile(
    rb"""(?P<line>\#)[^\n]*
    | \"{3} (?:\\.|[^\\])*? \"{3} | '{3} (?:\\.|[^\\])*? '{3}
    | \" (?:\\.|[^"\\\n])* \" | ' (?:\\.|[^'\\\n])* '""",
    re.DOTALL | re.VERBOSE,
)
_RUST = re.compile(
    rb"""(?P<line>//)[^\n]*
    | (?P<nested>/\*)
    | (?<![A-Za-z0-9_]) (?:b|c)? r(\#*)".*?"\3
    | " (?:\\.|[^"\\])* "
    | ' (?: \\[^\n']+ | \\' | [^\\'\n]{1,4} ) '""",
    re.DOTALL | re.VERBOSE,
)
_LANGUAGES = {".py": _PYTHON, ".pyi": _PYTHON, ".rs": _RUST}
_NESTING = re.compile(rb"/\*|\*/")


def comment_starts(data: bytes, suffix: str) -> frozenset[int]:
    """
    Find the line comments of a file.

    Parameters
    ----------
    suffix
        The suffix of its path; one that is not known counts as C++.

    Returns
    -------
    starts
        The offset of each one's comment token.
    """
    pattern = _LANGUAGES.get(suffix, CLOSED_NOISE)
    starts = set[int]()
    position = 0
    while match := pattern.search(data, position):
        position = match.end()
        kind = match.lastgroup
        if match.groupdict().get("line"):
            starts.add(match.start())
        elif kind == "nested":
            position = _end_of_nested(data, match.start())
    return frozenset(starts)


def _end_of_nested(data: bytes, start: int) -> int:
    """Return where a comment ends that may hold others; behind its first token if it never does."""
    depth = 0
    for match in _NESTING.finditer(data, start):
        depth += 1 if match[0] == b"/*" else -1
        if depth == 0:
            return match.end()
    return start + 2
