"""Checks of hand-written reference classes and of their hand-written constructors.

In: a class, and the block of its reference class.  Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.backends.base import block_name
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.source import Span
from tschema.ir.model import Type
from tschema.regions.cpp_lexer import Lexeme
from tschema.verify.homes import Home
from tschema.verify.tokens import tokenize

_CLASS_WORDS = ("class", "struct")


def check_reference(type_: Type, declared: Span | None, home: Home) -> Iterator[Diagnostic]:
    """
    Yield the missing parts of the custom region of a reference class.

    Parameters
    ----------
    home
        The block of its reference class.
    """
    tokens = _region(home)
    if type_.options.ref == "hand" and not _defines(tokens, type_.ref):
        yield _lacking(type_, home, f"the class `{type_.ref}`", 'ref = "hand"', declared)
    if type_.options.ref_init == "hand" and not _has_constructor(tokens, type_.ref):
        yield _lacking(type_, home, "a constructor", 'ref_init = "hand"', declared)


def _region(home: Home) -> Sequence[Lexeme]:
    region = home.block.region
    if region is None:
        return ()
    lines = home.file.source.text.split("\n")
    return tokenize("\n".join(lines[region.start : region.stop])).tokens


def _defines(tokens: Sequence[Lexeme], name: str) -> bool:
    words = [token.text for token in tokens]
    heads = (words[place:] for place, word in enumerate(words) if word in _CLASS_WORDS)
    # A forward declaration ends where a definition continues with its base.
    return any(head[1:2] == [name] and head[2:3] != [";"] for head in heads)


def _has_constructor(tokens: Sequence[Lexeme], name: str) -> bool:
    words = [token.text for token in tokens]
    return any(
        word == name and words[place + 1] == "(" and words[max(0, place - 1)] != "~"
        for place, word in enumerate(words[:-1])
    )


def _lacking(type_: Type, home: Home, what: str, option: str, declared: Span | None) -> Diagnostic:
    return Diagnostic(
        "TS070",
        "error",
        f"the custom region of `{block_name(type_.key)}` lacks {what}",
        home.custom_begin(),
        (Note(f"`{option}` requires it", declared),),
        "write it there",
    )
