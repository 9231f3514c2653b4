"""Registrations that were written by hand, of classes that tschema registers.

In: the bytes of C++ files.  Out: the chains `ObjectDef<FooNode>().def_ro(...)`, and the files with
lines around them that switch them off: to register a type twice is an error of tvm-ffi.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from msgspec import Struct

from tschema.regions.cpp_lexer import Lexeme, lex

_DEFS = ("ObjectDef", "OverloadObjectDef")
_OFF = re.compile(r"#\s*if\s+0\b")
_CONDITION = re.compile(r"#\s*(if|endif)")
_BETWEEN = (";", "{", "}")


class Registration(Struct, frozen=True):
    """A chain that registers a class, and is compiled."""

    name: str
    """The data class, without its namespace."""
    first: int
    """Index of the line on which the chain begins, or of what is around it on its lines."""
    last: int
    """Index of the line on which it ends."""
    is_apart: bool
    """Whether the lines hold nothing else that would be switched off."""
    names: tuple[tuple[str, int], ...]
    """The fields and methods that it registers, and the lines of these."""


def find_registrations(data: bytes, classes: Container[str]) -> list[Registration]:
    """
    Find the chains of some classes.

    Parameters
    ----------
    data
        A C++ file.
    classes
        The names of the data classes.
    """
    if not any(name.encode() in data for name in _DEFS):
        return []
    text = data.decode("latin-1")
    code = list(_compiled(text))
    found: list[tuple[str, int, int]] = []
    for index, one in enumerate(code):
        if one.text in _DEFS and code[index + 1 : index + 2] and code[index + 1].text == "<":
            name, behind = _argument(code, index + 1)
            if name in classes and code[behind : behind + 1] and code[behind].text == "(":
                found.append((name, _start(code, index), _stop(code, behind)))
    chains = [range(first, last + 1) for _, first, last in found]
    return [_registration(text, code, name, chains, at) for at, (name, _, _) in enumerate(found)]


def switch_off(data: bytes, chains: Sequence[Registration], reason: str) -> bytes:
    """
    Return a file in which chains are not compiled.

    Parameters
    ----------
    data
        The file.
    chains
        Those to switch off, each apart.
    reason
        What a comment says about it.
    """
    lines = data.splitlines(keepends=True)
    line_end = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    spans: list[tuple[int, int]] = []
    for first, last in sorted({(one.first, one.last) for one in chains}):
        if spans and not b"".join(lines[spans[-1][1] + 1 : first]).strip():
            spans[-1] = spans[-1][0], last
        else:
            spans.append((first, last))
    for first, last in reversed(spans):
        lines.insert(last + 1, b"#endif" + line_end)
        lines.insert(first, b"#if 0  // " + reason.encode() + line_end)
    return b"".join(lines)


def _compiled(text: str) -> Iterator[Lexeme]:
    """Yield the tokens that do not stand in an `#if 0`."""
    off = 0
    for one in lex(text):
        if one.kind == "directive":
            if _OFF.match(one.text) or (off and _CONDITION.match(one.text.replace("endif", ""))):
                off += 1
            elif off and one.text.lstrip("# \t").startswith("endif"):
                off -= 1
        elif one.kind != "comment" and not off:
            yield one


def _argument(code: Sequence[Lexeme], index: int) -> tuple[str, int]:
    """Return the last name in angle brackets, and the index behind them."""
    name, depth = "", 0
    for at in range(index, len(code)):
        depth += (code[at].text == "<") - (code[at].text == ">")
        if depth == 0:
            return name, at + 1
        name = code[at].text if code[at].kind == "word" else name
    return name, len(code)


def _start(code: Sequence[Lexeme], index: int) -> int:
    """Return where the statement begins that a token stands in."""
    while index > 0 and code[index - 1].text not in _BETWEEN:
        index -= 1
    return index


def _stop(code: Sequence[Lexeme], index: int) -> int:
    """Return where the statement ends that a token stands in."""
    depth = 0
    for at in range(index, len(code)):
        depth += (code[at].text in "([{") - (code[at].text in ")]}")
        if depth == 0 and code[at].text == ";":
            return at
    return len(code) - 1


def _registration(
    text: str, code: Sequence[Lexeme], name: str, chains: Sequence[range], at: int
) -> Registration:
    """Return a chain with the lines that it stands on."""
    chain = chains[at]
    first = text.count("\n", 0, code[chain.start].start)
    last = text.count("\n", 0, code[chain.stop - 1].stop)
    beside = (
        [
            index
            for index, one in enumerate(code)
            if first <= text.count("\n", 0, one.start) <= last and index not in chain
        ]
        if not _has_lines(text, code[chain.start], code[chain.stop - 1])
        else []
    )
    others = [code[index].text for index in beside if not any(index in one for one in chains)]
    is_apart = others.count("{") == others.count("}") and ";" not in others
    return Registration(name, first, last, is_apart, tuple(_names(text, code, chain)))


def _has_lines(text: str, first: Lexeme, last: Lexeme) -> bool:
    """Return whether a statement has its lines to itself."""
    end = text.find("\n", last.stop)
    before = text[text.rfind("\n", 0, first.start) + 1 : first.start]
    behind = text[last.stop : end if end >= 0 else len(text)].strip()
    return not before.strip() and (not behind or behind.startswith("//"))


def _names(text: str, code: Sequence[Lexeme], chain: range) -> Iterator[tuple[str, int]]:
    """Yield the names that a chain registers."""
    depth = 0
    for at in chain:
        one = code[at]
        if depth == 0 and one.text in ("def", "def_ro", "def_rw", "def_static") and at + 2 in chain:
            literal = code[at + 2]
            if literal.kind == "string":
                yield literal.text.strip('"'), text.count("\n", 0, literal.start)
        depth += (one.text in "([{") - (one.text in ")]}")
