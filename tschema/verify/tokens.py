"""Tokens of C++ without comments, the contents of strings, and inactive code.

In: the text of a file.  Out: `CppText`, its tokens and the headers that it includes.  Only the
first branch of a preprocessor conditional counts, except for `#if 0`; macros are not expanded.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from tschema.regions.cpp_lexer import Branch, Lexeme, lex

_INCLUDE = re.compile(r'#\s*include\s*(?:<([^>\n]+)>|"([^"\n]+)")')
_CONDITIONAL = re.compile(r"#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*([^\n]*)")


class CppText(Struct, frozen=True):
    """A file, taken apart."""

    tokens: tuple[Lexeme, ...]
    """Words, numbers, signs, and `""` for each string."""
    includes: tuple[str, ...]
    """The text between the quotes or angle brackets of each include."""


def tokenize(text: str) -> CppText:
    """Return the tokens and the includes of a file."""
    tokens: list[Lexeme] = []
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
            tokens.append(replace(lexeme, text='""') if lexeme.kind == "string" else lexeme)
    return CppText(tuple(tokens), tuple(includes))
