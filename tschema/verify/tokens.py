"""The lexer of C++: tokens without comments, strings and inactive code.

In: the text of a file.  Out: `Token`s, and the headers that it includes.  Only the first branch of
a preprocessor conditional counts, except for `#if 0`; macros are not expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))
  | (?P<directive>\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)
  | (?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"
      |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
      |(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<word>[A-Za-z_]\w*|\.?\d(?:'?[\w.]|[eEpP][+-])*)
  | (?P<sign>::|->|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(r'#\s*include\s*(?:<([^>\n]+)>|"([^"\n]+)")')
_CONDITIONAL = re.compile(r"#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*([^\n]*)")


class Token(Struct, frozen=True):
    """A word, a number, a sign, or `""` for a string."""

    text: str
    offset: int
    """Characters from the start of the file."""


class CppText(Struct, frozen=True):
    """A file, taken apart."""

    tokens: tuple[Token, ...]
    includes: tuple[str, ...]
    """As they stand between the quotes or angle brackets."""


def tokenize(text: str) -> CppText:
    """Return the tokens and the includes of a file."""
    tokens: list[Token] = []
    includes: list[str] = []
    conditions = _Conditions()
    for match in _scan(text):
        if match.lastgroup == "directive":
            include = _INCLUDE.search(match[0])
            if include and conditions.holds():
                includes.append(include[1] or include[2])
            conditions.take(match[0])
        elif conditions.holds():
            shown = '""' if match.lastgroup in ("string", "delimiter") else match[0]
            tokens.append(Token(shown, match.start()))
    return CppText(tuple(tokens), tuple(includes))


def _scan(text: str) -> Iterator[re.Match[str]]:
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "skip":
            yield match


class _Conditions:
    """Which branches of the conditionals around a place are taken."""

    def __init__(self) -> None:
        self._taken: list[bool] = []
        self._was_taken: list[bool] = []

    def holds(self) -> bool:
        """Return whether the text here counts."""
        return all(self._taken)

    def take(self, directive: str) -> None:
        """Take a directive."""
        match = _CONDITIONAL.search(directive)
        if match is None:
            return
        word, condition = match.groups()
        is_on = condition.strip() not in ("0", "false")
        if word.startswith("if"):
            self._taken.append(is_on)
            self._was_taken.append(is_on)
        elif self._taken and word == "endif":
            self._taken.pop()
            self._was_taken.pop()
        elif self._taken:
            self._taken[-1] = not self._was_taken[-1] and (word == "else" or is_on)
            self._was_taken[-1] |= self._taken[-1]
