"""The names of a schema file with their places, and the declarations that they mean.

In: a parsed schema file.  Out: `Element`s.  The places are those that the front end recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from tschema.diagnostics.source import Place, Span
from tschema.ir.declarations import ClassDecl, FileDecl, FunctionDecl, TypeExpr, Value
from tschema.lsp.index import SchemaIndex
from tschema.passes.vocabulary import ENUM_BASES

ElementKind = Literal[
    "class", "enum", "member", "option", "field", "method", "parameter", "function", "type",
    "import", "value",
]  # fmt: skip
DECLARATIONS: frozenset[ElementKind] = frozenset(
    {"class", "enum", "member", "field", "method", "parameter", "function"}
)
"""The kinds of elements that declare a name."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")


class Element(Struct, frozen=True, eq=False):
    """A name in a schema file."""

    kind: ElementKind
    name: str
    """Dotted, as written."""
    place: Place
    owner: tuple[str, ...] = ()
    """Names of the class and the function around it, outermost first."""


def elements(file: FileDecl) -> Iterator[Element]:
    """Yield the names of a file; the arguments of a type come before the type."""
    for one in file.imports:
        yield Element("import", f"{one.module}.{one.name or ''}".rstrip("."), one.place)
    for decl in (*file.classes, *file.dialects):
        yield from _class(decl, is_enum=is_enum(decl, file))
    for function in file.functions:
        yield Element("function", function.name, function.place)
        yield from _signature(function, (function.name,))


def is_enum(decl: ClassDecl, file: FileDecl) -> bool:
    """Return whether a class declares an enum."""
    return any(file.qualify(base.name) in ENUM_BASES for base in decl.bases)


def at(file: FileDecl, line: int, column: int) -> Element | None:
    """
    Return the innermost element at a position.

    Parameters
    ----------
    line, column
        The position, 1-based.
    """
    found = [one for one in elements(file) if one.place.at[0] <= line <= one.place.at[2]]
    held = [(one, span) for one in found if holds(span := one.place.span(), line, column)]
    if not held:
        return None
    word = word_at(file.source.line(line), column)
    named = [one for one in held if word.rpartition(".")[2] in one[0].name.split(".")]
    return min(named or held, key=lambda one: _extent(one[1]))[0]


def holds(span: Span, line: int, column: int) -> bool:
    """Return whether a span holds a position, the place behind its last character included."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def word_at(line: str, column: int) -> str:
    """Return the dotted name at a 1-based column, up to the part that is there; empty if none."""
    for match in _DOTTED.finditer(line):
        if match.start() < column <= match.end() + 1:
            rest = re.match(r"\w*", line[column - 1 :])
            return line[match.start() : column - 1] + (rest[0] if rest else "")
    return ""


def meaning(element: Element, file: FileDecl, index: SchemaIndex) -> str | None:
    """Return the dotted name of the declaration that an element means; None for other words."""
    known = index.docs.by_module
    dotted: str | None
    if element.kind in ("type", "import"):
        absolute = element.name if element.kind == "import" else file.qualify(element.name)
        dotted = known.get(absolute)
    elif element.kind == "value":
        owner, _, name = file.qualify(element.name).rpartition(".")
        dotted = f"{known[owner]}.{name}" if owner in known else None
    elif element.kind == "option":
        dotted = None
    else:
        dotted = ".".join([file.namespace, *element.owner, element.name])
    return dotted if dotted in index.targets else None


def _class(decl: ClassDecl, *, is_enum: bool) -> Iterator[Element]:
    yield Element("enum" if is_enum else "class", decl.name, decl.place)
    owner = (decl.name,)
    yield from _types(decl.bases, owner)
    for assignment in decl.assignments:
        kind: ElementKind = "member" if is_enum else "option"
        yield Element(kind, assignment.name, assignment.place, owner)
        yield from _values((assignment.value,), owner)
    for field in decl.fields:
        yield Element("field", field.name, field.place, owner)
        yield from _types((field.annotation,), owner)
        yield from _values(field.options.values(), owner)
    for method in decl.methods:
        yield Element("method", method.name, method.place, owner)
        yield from _signature(method, (decl.name, method.name))


def _signature(function: FunctionDecl, owner: tuple[str, ...]) -> Iterator[Element]:
    yield from _values(function.options.values(), owner)
    for param in function.params:
        yield Element("parameter", param.name, param.place, owner)
        yield from _types((param.annotation,), owner)
        yield from _values((param.default,), owner)
    yield from _types((function.returns,), owner)


def _types(types: Iterable[TypeExpr | None], owner: tuple[str, ...]) -> Iterator[Element]:
    for one in types:
        if one is not None:
            yield from _types(one.args, owner)
            if one.name.replace(".", "").isidentifier():
                yield Element("type", one.name, one.place, owner)


def _values(values: Iterable[Value | None], owner: tuple[str, ...]) -> Iterator[Element]:
    for one in values:
        if one is not None and one.kind in ("name", "cast"):
            yield Element("value", str(one.value), one.place, owner)


def _extent(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column
