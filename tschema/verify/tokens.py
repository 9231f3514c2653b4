"""The lexer of C++: tokens without comments, strings and inactive code.

In: the text of a file.  Out: `Token`s, and the headers that it includes.  Only the first branch of
a preprocessor conditional counts, except for `#if 0`; macros are not expanded.
"""

from __future__ import annotations

import re

from msgspec import Struct

from tschema.regions.cpp_lexer import Branch, lex

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
    branches: list[Branch] = []
    for lexeme in lex(text):
        if lexeme.kind == "directive":
            include = _INCLUDE.search(lexeme.text)
            if include and all(one.is_taken for one in branches):
                includes.append(include[1] or include[2])
            if conditional := _CONDITIONAL.search(lexeme.text):
                word, condition = conditional.groups()
                before = branches.pop() if branches and not word.startswith("if") else None
                if before or word.startswith("if"):
                    branches += [] if word == "endif" else [Branch.of(condition, before)]
        elif lexeme.kind != "comment" and all(one.is_taken for one in branches):
            shown = '""' if lexeme.kind == "string" else lexeme.text
            tokens.append(Token(shown, lexeme.start))
    return CppText(tuple(tokens), tuple(includes))
