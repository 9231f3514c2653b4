"""Checks of the methods in custom regions whose generated versions are turned off.

In: a class, its block.  Out: diagnostics.  To add a method: a line in `METHODS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tschema.backends.cpp.structural import METHOD_OPTIONS, emitted_methods
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.source import Span
from tschema.ir.model import Schema, Type
from tschema.regions.blocks import Block
from tschema.regions.cpp_lexer import Lexeme
from tschema.verify.definitions import matching
from tschema.verify.homes import Home
from tschema.verify.sources import CppFile
from tschema.verify.tokens import tokenize

_SIGNATURES = {
    "VisitAttrs": "void VisitAttrs(tschema::AttrVisitor* v)",
    "SEqualReduce": "bool SEqualReduce(const {node}* other, tschema::SEqualReducer equal) const",
    "SHashReduce": "void SHashReduce(tschema::SHashReducer hash_reduce) const",
}
"""Methods that are emitted unless an option is off, as they are to be written; `{node}` is the data
class."""


class _Found(Struct, frozen=True):
    """A method in a custom region."""

    signature: str
    offset: int


def check_custom_methods(
    type_: Type, schema: Schema, declared: Span | None, home: Home
) -> Iterator[Diagnostic]:
    """Yield the errors of the structural methods of a custom region."""
    found = {name: _find(home.file, home.block, name) for name in _SIGNATURES}
    emitted = emitted_methods(type_, schema)
    lacking = _lacking(type_, found)
    for name, there in found.items():
        signature = _SIGNATURES[name].format(node=type_.name)
        if there and name in emitted:
            written = home.file.span(there.offset, len(name))
            yield _duplicate(type_, name, declared, written)
        elif there and not re.fullmatch(_pattern(signature), there.signature):
            yield Diagnostic(
                "TS071",
                "error",
                f"`{name}` of `{type_.name}` has another signature than the one expected",
                home.file.span(there.offset, len(name)),
                help=f"write `{signature}`",
            )
        elif name in lacking:
            yield Diagnostic(
                "TS070",
                "error",
                f"the custom region of `{type_.name}` lacks `{name}`",
                home.custom_begin(),
                (Note(f"`{METHOD_OPTIONS[name]} = False` requires it", declared),),
                f"write `{signature}`",
            )


def lacking_methods(type_: Type, home: Home) -> dict[str, str]:
    """Return the signatures of the methods that a custom region has to have, by name."""
    found = {name: _find(home.file, home.block, name) for name in _SIGNATURES}
    return {name: _SIGNATURES[name].format(node=type_.name) for name in _lacking(type_, found)}


def _lacking(type_: Type, found: Mapping[str, _Found | None]) -> list[str]:
    """Return the methods that are off and not written, unless a class has none on purpose."""
    is_on = {name: getattr(type_.options, option) for name, option in METHOD_OPTIONS.items()}
    if not any(found.values()) and not any(is_on.values()):
        return []
    return [name for name, there in found.items() if not (there or is_on[name])]


def _duplicate(type_: Type, name: str, declared: Span | None, written: Span) -> Diagnostic:
    return Diagnostic(
        "TS078",
        "error",
        f"`{name}` of `{type_.name}` is both generated and written by hand",
        written,
        (Note(f"`{type_.name}` is declared here", declared),),
        f"declare the class with `{METHOD_OPTIONS[name]} = False`",
    )


def _find(file: CppFile, block: Block, name: str) -> _Found | None:
    """Return the method of a name, which is declared or defined directly in a custom region."""
    if block.region is None:
        return None
    lines = file.source.text.split("\n")
    base = sum(len(line) + 1 for line in lines[: block.region.start])
    text = "\n".join(lines[block.region.start : block.region.stop])
    tokens = tokenize(text).tokens
    start = index = 0
    place: int | None = None
    while index < len(tokens):
        sign = tokens[index].text
        if sign == name and place is None and tokens[index + 1 : index + 2] != ():
            place = index
        if sign in ("(", "["):
            index = matching(tokens, index)
        elif sign in ("{", ";"):
            if place is not None and tokens[place + 1].text == "(":
                signature = _signature(tokens[start:index])
                return _Found(signature, base + tokens[place].start)
            index = matching(tokens, index) if sign == "{" else index
            start, place = index + 1, None
        elif sign == ":" and index and tokens[index - 1].text in ("public", "private", "protected"):
            start = index + 1
        index += 1
    return None


def _signature(tokens: Sequence[Lexeme]) -> str:
    """Return a signature with one blank between tokens, without what makes no difference."""
    words = [token.text for token in tokens if token.text != "inline"]
    text = " ".join(words).replace(":: tschema ::", "tschema ::")
    return re.sub(r" (?:override|noexcept)$", "", text)


def _pattern(signature: str) -> str:
    """Return the regular expression of a signature, whose parameters may have any name or none."""
    words = [token.text for token in tokenize(signature).tokens]
    return "".join(
        r"(?: \w+)?" if following in (",", ")") and re.match(r"\w", word) else _escaped(word, place)
        for place, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True))
    )


def _escaped(word: str, place: int) -> str:
    return f"{' ' if place else ''}{re.escape(word)}"
