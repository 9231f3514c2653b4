"""That what is declared is defined, by a source that includes the declaration.

In: a schema and the C++ files of its project.  Out: diagnostics.  Signatures are the compiler's to
compare; a body under another name is what it leaves to the linker, or to the loader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tschema.backends.cpp.names import camel_case
from tschema.errors import Diagnostic, Note, suggest
from tschema.locate import Locator
from tschema.model import Namespace, Schema
from tschema.verify.definitions import Definition
from tschema.verify.sources import CppFile, CppFiles

__all__ = ["Body", "check_bodies", "required_bodies"]


@dataclass(frozen=True)
class Body:
    """A function that somebody has to write."""

    what: str
    """For messages: "method `x` of `PointNode`"."""
    name: str
    """In C++, with all namespaces and classes."""
    block: str | None
    """Block of the class, whose header declares it; None for a free function."""
    key: str
    member: str | None


_Sites = dict[str, list[tuple[CppFile, Definition]]]


def check_bodies(
    schema: Schema, classes: set[str], files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    """
    Yield what no source defines, and definitions in files that do not include the declaration.

    Parameters
    ----------
    schema
        The package's schema.
    classes
        The data classes to look at: those that have been generated.
    files
        The C++ files.
    locator
        Where the declarations are.
    """
    sites: _Sites = {}
    for file in files.files:
        for definition in file.definitions:
            sites.setdefault(definition.name, []).append((file, definition))
    for space in schema.namespaces:
        for body in required_bodies(space):
            if body.block is not None and body.block not in classes:
                continue
            if body.name not in sites:
                yield _missing(body, sites, locator)
            elif body.block is not None:
                yield from _check_includes(body, files.blocks[body.block], sites, files)


def required_bodies(space: Namespace) -> Iterator[Body]:
    """Yield the functions that a schema file wants."""
    scope = space.name.replace(".", "::")
    for type_ in space.types:
        if type_.options.post_init:
            what = f"`PostInit` of `{type_.name}`"
            yield Body(what, f"{scope}::{type_.name}::PostInit", type_.name, type_.key, None)
        for method in type_.methods:
            name = f"{scope}::{type_.name}::{camel_case(method.name)}"
            what = f"method `{method.name}` of `{type_.name}`"
            yield Body(what, name, type_.name, type_.key, method.name)
    for function in space.functions:
        name = f"{scope}::{function.name}"
        yield Body(f"function `{function.name}`", name, None, function.key, None)


def _missing(body: Body, sites: _Sites, locator: Locator) -> Diagnostic:
    scope = body.name.rpartition("::")[0]
    near = [name for name in sites if name.rpartition("::")[0] == scope]
    last = body.name.rpartition("::")[2]
    similar = suggest(last, (name.rpartition("::")[2] for name in near))
    notes = []
    if similar:
        name = similar.split("`")[1]
        file, definition = sites[f"{scope}::{name}"][0]
        notes.append(Note(f"`{name}` is defined here", file.span(definition.offset, len(name))))
    return Diagnostic(
        "TS072",
        "error",
        f"no source defines {body.what}",
        locator.span(body.key, body.member),
        tuple(notes),
        f"write `{body.name}` in one of the `sources` of `[verify]`",
    )


def _check_includes(
    body: Body, header: CppFile, sites: _Sites, files: CppFiles
) -> Iterator[Diagnostic]:
    for file, definition in sites[body.name]:
        if not files.includes(file, header):
            last = body.name.rpartition("::")[2]
            yield Diagnostic(
                "TS073",
                "error",
                f"`{file.path}` defines {body.what}, and does not include `{header.path}`",
                file.span(definition.offset, len(last)),
                help=f"write `#include <{_include_name(header.path, body.name)}>`",
            )


def _include_name(path: str, name: str) -> str:
    """Return how a header is included: from the folder of the package on."""
    package = name.partition("::")[0]
    before, found, rest = f"/{path}".rpartition(f"/{package}/")
    return f"{package}/{rest}" if found or before else path
