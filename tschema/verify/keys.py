"""Whether classes that people write have the type keys that the schema declares.

In: the schema, the C++ files and their blocks.  Out: diagnostics.  A generated macro has the right
key; one of the author's has the key of before, if the class was renamed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tschema.diagnostics.errors import Diagnostic, Note
from tschema.ir.locate import Locator
from tschema.ir.model import Schema, Type
from tschema.regions.cpp_lexer import Lexeme
from tschema.verify.homes import Home
from tschema.verify.sources import CppFile, CppFiles

_MACRO = "TVM_FFI_DECLARE_OBJECT_INFO"
"""The prefix of the macros with a key."""
_MEMBER = "_type_key"


def check_keys(
    schema: Schema, homes: Mapping[str, Home], files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    """
    Yield the type keys of hand-written macros that are not those of the schema.

    Parameters
    ----------
    homes
        The blocks of the data classes, by dotted name.
    """
    owned = [
        one for space in schema.namespaces for one in space.types if one.options.extern is None
    ]
    names = [one.name for one in owned]
    apart = {
        one.name: one
        for one in owned
        if names.count(one.name) == 1 and one.options.register == "hand"
    }
    seen: set[tuple[str, int]] = set()
    for type_ in owned:
        home = homes.get(f"{type_.namespace}.{type_.name}")
        if home is not None and home.block.region is not None:
            first, last = (_offset(home, line) for line in (home.block.begin, home.block.end))
            inside = [one for one in home.file.text.tokens if first <= one.start < last]
            for place in _keys(inside):
                seen.add((home.file.path, place.start))
                yield from _checked(type_, home.file, place, locator)
    for file in files.files if apart else ():
        tokens = file.text.tokens if _MACRO in file.source.text else ()
        for index in range(len(tokens)):
            named = apart.get(_class_of(tokens, index))
            if named is not None and (file.path, tokens[index + 2].start) not in seen:
                yield from _checked(named, file, tokens[index + 2], locator)


def _offset(home: Home, line: int) -> int:
    """Return the characters before a line."""
    return sum(len(one) + 1 for one in home.file.source.text.split("\n")[:line])


def _keys(tokens: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Yield the literals of keys in a class, and not in classes inside of it."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.text == "{") - (token.text == "}")
        if depth > 1:
            continue
        words = [one.text for one in tokens[index : index + 3]]
        if words[0].startswith(_MACRO) and words[1:] == ["(", '""']:
            yield tokens[index + 2]
        if words == [_MEMBER, "=", '""']:
            yield tokens[index + 2]


def _class_of(tokens: Sequence[Lexeme], index: int) -> str:
    """Return the class that a macro is for; empty where there is none."""
    words = [one.text for one in tokens[index : index + 5]]
    is_macro = words[0].startswith(_MACRO) and words[1:4] == ["(", '""', ","]
    return words[4] if is_macro and len(words) > 4 else ""


def _checked(type_: Type, file: CppFile, literal: Lexeme, locator: Locator) -> Iterator[Diagnostic]:
    text = file.source.text[literal.start :]
    found = text[1 : text.find('"', 1)] if text.startswith('"') else None
    if found is None or found == type_.key:
        return
    yield Diagnostic(
        "TS160",
        "error",
        f"`{type_.name}` has the type key `{found}` here, and `{type_.key}` in the schema",
        file.span(literal.start, len(found) + 2),
        (Note(f"`{type_.name}` is declared here", locator.span(type_.key)),),
        f'write `"{type_.key}"`, or change the schema',
    )
