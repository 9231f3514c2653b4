"""The names that a schema declares, each with its kind and its place.

In: resolved files and classes.  Out: `Name`s of a namespace and of the members of a class, and how
each language spells a member.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tschema.diagnostics.source import Place
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.declarations import FieldDecl
from tschema.ir.keywords import MEMBERS, escaped
from tschema.ir.model import Field
from tschema.passes.reserved import LONGEST_NAME
from tschema.passes.resolved import Node, ResolvedFile

RENAMED = "renamed reference class"
"""The noun of a reference class that is not called like its type key."""


class Name(Struct, frozen=True, eq=False):
    """A declared name and its place."""

    noun: str
    name: str
    place: Place | None
    cpp_name: str | None = None
    """That of the member of a field, where C++ calls it otherwise."""
    is_emitted: bool = True
    """Whether generated code declares it; not so in a class by hand."""

    def __str__(self) -> str:
        if len(self.name) > LONGEST_NAME:
            return f"{self.noun} `{self.name[: LONGEST_NAME // 2]}...`"
        return f"{self.noun} `{self.name}`"


def declared_names(file: ResolvedFile) -> Iterator[Name]:
    """Yield the names that a file adds to its namespace."""
    for node in file.nodes:
        if node.decl is not None:
            yield Name("class", node.name, node.decl.place)
            stem = node.key.rpartition(".")[2]
            yield Name("reference class", stem, node.decl.place)
            if node.ref != stem:
                yield Name(RENAMED, node.ref, node.option_place("ref_name"))
    yield from (Name("enum", decl.name, decl.place) for decl, _ in file.enums)
    yield from (Name("function", one.name, one.place) for one in file.decl.functions)


def member_names(node: Node) -> Iterator[Name]:
    """Yield the fields and methods that a class itself declares."""
    if node.decl is None:
        for info in node.fields:
            yield Name("field", info.model.name, None, info.model.cpp_name)
        yield from (Name("method", info.model.name, None) for info in node.methods)
        return
    known = {one.name: cpp_name for above in node.ancestors() for one, cpp_name in _stated(above)}
    for field in node.decl.fields:
        # One that restates an inherited field is the same member.
        cpp_name = stated_cpp_name(field) or known.get(field.name)
        yield Name("field", field.name, field.place, cpp_name, is_emitted(node))
    yield from (Name("method", method.name, method.place) for method in node.decl.methods)


def is_emitted(node: Node) -> bool:
    """Return whether generated code declares the members of a class."""
    return node.options.register != "hand" and node.options.extern is None


def _stated(node: Node) -> Iterator[tuple[Field, str]]:
    """Yield the fields of a class whose members C++ calls otherwise."""
    for info in node.fields:
        if info.model.cpp_name is not None:
            yield info.model, info.model.cpp_name


def stated_cpp_name(field: FieldDecl) -> str | None:
    """Return the name of the member that a field states, if it states one."""
    value = field.options.get("cpp_name")
    return value.value if value is not None and isinstance(value.value, str) else None


def spelled_member(named: Name, language: str) -> str:
    """Return how a language spells a member."""
    if language == "Python":
        return named.name
    if language == "C++" and named.cpp_name is not None:
        return named.cpp_name
    cased = camel_case if language == "C++" else snake_case
    name = named.name if named.noun == "field" else cased(named.name)
    return escaped(name, language, MEMBERS)
