"""The lexer of C++, which keeps every byte: comments, directives and strings are lexemes too.

In: the text of a file, possibly malformed.  Out: `Lexeme`s.  Macros are not expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_LEXEME = re.compile(
    r"""
    \s+
  | (?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))
  | (?P<directive>\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)
  | (?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"
      |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
      |(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<word>[A-Za-z_]\w*|\.?\d(?:'?[\w.]|[eEpP][+-])*)
  | (?P<sign>::|->|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Lexeme(Struct, frozen=True):
    """A piece of the text."""

    kind: str
    """`comment`, `directive`, `string`, `word` or `sign`."""
    text: str
    start: int
    """Characters from the start of the file."""

    @property
    def stop(self) -> int:
        """Return where it ends."""
        return self.start + len(self.text)


def lex(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of a file; blanks are left out."""
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup
        if kind:
            name = "string" if kind == "delimiter" else kind
            yield Lexeme(name, match[0], match.start())
