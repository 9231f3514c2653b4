"""The C++ namespaces around the blocks of a file.

In: a file with blocks.  Out: by block, the namespaces around it.  Macros are not expanded: in a
file whose namespaces may be a macro's, nothing is known.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from tschema.regions.blocks import MarkedFile
from tschema.regions.cpp_lexer import Lexeme, lex_code

_MACRO = re.compile(r"[A-Z0-9_]*NAMESPACE[A-Z0-9_]*|(?:[A-Z0-9_]+_)?(?:BEGIN|NS)(?:_[A-Z0-9_]+)?")
_NAME_SIGNS = ("::", "inline")


def namespaces_of_blocks(file: MarkedFile) -> dict[str, frozenset[str]]:
    """
    Return the namespaces that may be around each block.

    Returns
    -------
    namespaces
        By the name that the marker has: `acme::ir`, with and without inline namespaces; empty at
        the level of the file.  Without blocks in a file that opens namespaces by macros.
    """
    text = file.joined().decode("latin-1")
    code = lex_code(text)
    if any(_MACRO.fullmatch(one.text) for one in code):
        return {}
    found: dict[str, frozenset[str]] = {}
    starts = [0]
    for line in file.lines:
        starts.append(starts[-1] + len(line))
    # A block that nothing was generated into may have the end of its class alone.
    within = [(starts[one.begin], starts[one.end]) for one in file.blocks.values()]
    opened = list(_scopes(list(_outside(code, sorted(within)))))
    for name, block in file.blocks.items():
        before = bisect_left(opened, starts[block.begin], key=lambda one: one[0])
        found[name] = _spelled(opened[before - 1][1] if before else ())
    return found


def _outside(code: Sequence[Lexeme], blocks: Sequence[tuple[int, int]]) -> Iterator[Lexeme]:
    """Yield the code outside of blocks."""
    rest = iter([*blocks, (sys.maxsize, sys.maxsize)])
    begin, end = next(rest)
    for one in code:
        while one.start >= end:
            begin, end = next(rest)
        if one.start < begin:
            yield one


_Scope = tuple[tuple[str, ...], bool]
"""The names that a brace opens, and whether the namespace is inline."""


def _scopes(code: Sequence[Lexeme]) -> Iterator[tuple[int, tuple[_Scope, ...]]]:
    """Yield each place where a brace opens or closes, and the scopes from there on."""
    scopes: list[_Scope] = []
    begin = 0
    for index, one in enumerate(code):
        if one.text == "{":
            words = [word.text for word in code[begin:index]]
            is_space = "namespace" in words
            names = words[words.index("namespace") + 1 :] if is_space else []
            named = tuple(word for word in names if word not in _NAME_SIGNS)
            scopes.append((named, "inline" in words if is_space else False))
        elif one.text == "}" and scopes:
            scopes.pop()
        if one.text in ("{", "}", ";"):
            begin = index + 1
        if one.text in ("{", "}"):
            yield one.start, tuple(scopes)


def _spelled(scopes: Sequence[_Scope]) -> frozenset[str]:
    every = "::".join(name for names, _ in scopes for name in names)
    outer = "::".join(name for names, is_inline in scopes if not is_inline for name in names)
    return frozenset((every, outer))
