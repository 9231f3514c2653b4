"""Registrations that were written by hand, of classes that tschema registers.

In: the bytes of C++ files.  Out: the chains `ObjectDef<FooNode>().def_ro(...)`, and the files
without them: to register a type twice is an error of tvm-ffi.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from msgspec import Struct

from tschema.regions.cpp_lexer import Lexeme, lex

_DEFS = ("ObjectDef", "OverloadObjectDef")
_OFF = re.compile(r"#\s*if\s+0\b")
_IF, _ELSE, _ENDIF = (re.compile(rf"#\s*{word}") for word in ("if", "el", "endif"))
_BETWEEN = (";", "{", "}")


class Registration(Struct, frozen=True):
    """A chain that registers a class, and is compiled."""

    name: str
    """The data class, with its namespace."""
    start: int
    """Bytes before it."""
    stop: int
    """Bytes to its end."""
    names: tuple[tuple[str, int], ...]
    """The fields and methods that it registers, and the lines of these."""


def find_registrations(data: bytes, classes: Container[str]) -> list[Registration]:
    """
    Find the chains of some classes.

    Parameters
    ----------
    classes
        The names of the data classes, with their namespaces: `acme::ir::ExprNode`.
    """
    if not any(name.encode() in data for name in _DEFS):
        return []
    text = data.decode("latin-1")
    code = list(_compiled(text))
    found: list[Registration] = []
    used = [_joined(code[at + 2 :]) for at in range(len(code)) if _begins_using(code, at)]
    for index, around in _namespaces(code):
        argument, behind = _argument(code, index + 1)
        name = next((one for one in _candidates(argument, around, used) if one in classes), None)
        if name is not None and code[behind : behind + 1] and code[behind].text == "(":
            chain = range(_start(code, index), _stop(code, behind) + 1)
            start, stop = code[chain.start].start, code[chain.stop - 1].stop
            found.append(Registration(name, start, stop, tuple(_names(text, code, chain))))
            found += _continued(text, code, chain, name)
    return found


def _continued(
    text: str, code: Sequence[Lexeme], chain: range, name: str
) -> Iterator[Registration]:
    """Yield the later statements of a chain in a variable: `def.def_ro(...);`."""
    words = [one.text for one in code[chain.start : chain.stop]]
    if words[:1] not in (["auto"], ["const"]) or "=" not in words:
        return
    variable = words[words.index("=") - 1]
    at, depth = chain.stop, 0
    while at < len(code) and depth >= 0:
        stop = _stop(code, at) + 1
        if depth == 0 and [one.text for one in code[at : at + 2]] == [variable, "."]:
            part = range(at, stop)
            begin, end = code[at].start, code[stop - 1].stop
            yield Registration(name, begin, end, tuple(_names(text, code, part)))
            at = stop
            continue
        depth += (code[at].text == "{") - (code[at].text == "}")
        at += 1


def _begins_using(code: Sequence[Lexeme], index: int) -> bool:
    return [one.text for one in code[index : index + 2]] == ["using", "namespace"]


def _joined(code: Sequence[Lexeme]) -> str:
    """Return the qualified name that tokens begin with."""
    parts: list[str] = []
    for one in code:
        if one.kind != "word" and one.text != "::":
            break
        parts.append(one.text)
    return "".join(parts).removeprefix("::")


def _namespaces(code: Sequence[Lexeme]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield where chains are named, and the namespaces around each."""
    scopes: list[tuple[str, ...]] = []
    begin = 0
    for index, one in enumerate(code):
        if one.text == "{":
            words = [word.text for word in code[begin:index]]
            inner = words[words.index("namespace") + 1 :] if "namespace" in words else []
            scopes.append(tuple(word for word in inner if word != "::"))
        elif one.text == "}" and scopes:
            scopes.pop()
        if one.text in _BETWEEN:
            begin = index + 1
        if one.text in _DEFS and [sign.text for sign in code[index + 1 : index + 2]] == ["<"]:
            yield index, tuple(part for scope in scopes for part in scope)


def _candidates(argument: str, around: Sequence[str], used: Sequence[str]) -> Iterator[str]:
    """Yield the possible meanings of a name inside namespaces, the nearest first."""
    for count in range(len(around), 0, -1):
        yield "::".join([*around[:count], argument])
        yield from ("::".join([*around[:count], space, argument]) for space in used)
    yield argument
    yield from (f"{space}::{argument}" for space in used)


def without_chains(data: bytes, chains: Sequence[Registration]) -> bytes:
    """
    Return a file without chains: their lines go, if nothing else is on them.

    Parameters
    ----------
    chains
        Those to take out.
    """
    pieces: list[bytes] = []
    done = 0
    for chain in sorted(chains, key=lambda one: one.start):
        begin, end = _whole_lines(data, chain)
        before, behind = data[max(begin, done) : chain.start], data[chain.stop : end]
        if before.strip() or behind.strip():
            begin, end = chain.start, chain.stop
        pieces.append(data[done:begin])
        done = end
    return b"".join([*pieces, data[done:]])


def _whole_lines(data: bytes, chain: Registration) -> tuple[int, int]:
    """Return the begin and the end of the lines that a chain covers."""
    end = data.find(b"\n", chain.stop)
    return data.rfind(b"\n", 0, chain.start) + 1, end + 1 if end >= 0 else len(data)


def _compiled(text: str) -> Iterator[Lexeme]:
    """Yield the tokens outside of `#if 0`."""
    off = 0
    for one in lex(text):
        if one.kind == "directive":
            if _OFF.match(one.text) or (off and _IF.match(one.text)):
                off += 1
            elif off and (_ENDIF.match(one.text) or (off == 1 and _ELSE.match(one.text))):
                off -= 1
        elif one.kind != "comment" and not off:
            yield one


def _argument(code: Sequence[Lexeme], index: int) -> tuple[str, int]:
    """Return the name in angle brackets, and the index behind them."""
    name = _joined(code[index + 1 :])
    depth = 0
    for at in range(index, len(code)):
        depth += (code[at].text == "<") - (code[at].text == ">")
        if depth == 0:
            return name, at + 1
    return name, len(code)


def _start(code: Sequence[Lexeme], index: int) -> int:
    """Return the begin of the statement that contains a token."""
    while index > 0 and code[index - 1].text not in _BETWEEN:
        index -= 1
    return index


def _stop(code: Sequence[Lexeme], index: int) -> int:
    """Return the end of the statement that contains a token."""
    depth = 0
    for at in range(index, len(code)):
        depth += (code[at].text in "([{") - (code[at].text in ")]}")
        if depth == 0 and code[at].text == ";":
            return at
    return len(code) - 1


def _names(text: str, code: Sequence[Lexeme], chain: range) -> Iterator[tuple[str, int]]:
    """Yield the names that a chain registers, and the indices of their lines."""
    depth = 0
    for at in chain:
        one = code[at]
        if depth == 0 and one.text in ("def", "def_ro", "def_rw", "def_static") and at + 2 in chain:
            literal = code[at + 2]
            if literal.kind == "string":
                yield literal.text.strip('"'), text.count("\n", 0, literal.start)
        depth += (one.text in "([{") - (one.text in ")]}")
