"""The lexer of C++, the only place that knows where its comments and literals end.

In: the text of a file, possibly malformed.  Out: `Lexeme`s, which keep every byte.  Patterns that
find comments and literals alone serve readers that leave the rest to a parser.  Macros are not
expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_LINE_COMMENT = r"//(?:\\\r?\n|[^\n])*"
_DELIMITER = r"(?P<delimiter>[^\s()\\]{0,16})"
_STRING = r'"(?:[^"\\\n]|\\.)*'
_CHARACTER = r"(?:[^'\\\n]|\\.)*"
_PREFIX = r"(?:u8|[uUL])?"
_LEXEME = re.compile(
    rf"""
    \s+
  | (?P<comment>{_LINE_COMMENT}|/\*.*?(?:\*/|\Z))
  | (?P<directive>\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)
  | (?P<string>{_PREFIX}R"{_DELIMITER}\(.*?\)(?P=delimiter)"|{_PREFIX}(?:{_STRING}"|'{_CHARACTER}'))
  | (?P<word>[A-Za-z_]\w*|\.?\d(?:'?[\w.]|[eEpP][+-])*)
  | (?P<sign>::|->|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Branch(Struct, frozen=True):
    """A branch of a preprocessor conditional: the first one is taken, unless its condition is 0."""

    is_taken: bool
    is_decided: bool
    """Whether it or a branch before it is taken."""

    @staticmethod
    def of(condition: str, before: Branch | None = None) -> Branch:
        """Return the branch of a condition, given the one before it in the same conditional."""
        was_taken = before is not None and before.is_decided
        is_taken = not was_taken and condition.strip() not in ("0", "false")
        return Branch(is_taken, was_taken or is_taken)


def _noise(unclosed: str, quote: str) -> re.Pattern[bytes]:
    """Return a pattern of comments and literals without prefixes, given the ends of unclosed ones.

    Each alternative begins with a character of its own, by which `re` skips all other text.  A
    quote behind a digit separates digits.
    """
    pattern = (
        rf"(?P<line>{_LINE_COMMENT})"
        rf"|/\*(?:.*?\*/{unclosed})"
        rf'|R"{_begins("R")}{_DELIMITER}\((?:.*?\)(?P=delimiter)"{unclosed})'
        rf'|{_STRING}"{quote}'
        rf"|'{_begins('')}{_CHARACTER}'{quote}"
    )
    return re.compile(pattern.encode(), re.DOTALL)


def _begins(letter: str) -> str:
    """Return a condition behind the quote of a literal: a prefix or no word is before it."""
    quote = f'{letter}"' if letter else "'"
    behind = (rf"(?<!\w{quote})", rf"(?<=\b[uUL]{quote})", rf"(?<=\bu8{quote})")
    return f"(?:{'|'.join(behind)})"


NOISE = _noise(r"|.*\Z", "?")
"""Comments and literals.  An unclosed one ends with its line or the text, so a scan is linear."""
CLOSED_NOISE = _noise("", "")
"""The same, without unclosed ones: what follows counts as code."""


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


def lex_code(text: str) -> list[Lexeme]:
    """Return the lexemes of a file that are neither comments nor directives."""
    return [one for one in lex(text) if one.kind not in ("comment", "directive")]


def lex(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of a file; blanks are left out."""
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup
        if kind:
            name = "string" if kind == "delimiter" else kind
            yield Lexeme(name, match[0], match.start())
