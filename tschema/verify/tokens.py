"""The lexer of C++: tokens without comments, strings and inactive code.

In: the text of a file.  Out: `Token`s, and the headers that it includes.  Only the first branch of
a preprocessor conditional counts, except for `#if 0`; macros are not expanded.
"""

from __future__ import annotations

import re

from msgspec import Struct

from tschema.regions.cpp_lexer import lex

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
    """The text between the quotes or angle brackets of each include."""


def tokenize(text: str) -> CppText:
    """Return the tokens and the includes of a file."""
    tokens: list[Token] = []
    includes: list[str] = []
    conditions = _Conditions()
    for lexeme in lex(text):
        if lexeme.kind == "directive":
            include = _INCLUDE.search(lexeme.text)
            if include and conditions.holds():
                includes.append(include[1] or include[2])
            conditions.take(lexeme.text)
        elif lexeme.kind != "comment" and conditions.holds():
            shown = '""' if lexeme.kind == "string" else lexeme.text
            tokens.append(Token(shown, lexeme.start))
    return CppText(tuple(tokens), tuple(includes))


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
