"""Checks that sources define the declared methods and functions and include their headers.

In: a schema and the C++ files of its project.  Out: diagnostics.  The compiler checks signatures;
this check finds bodies that would be missing for the linker or the loader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from tschema.backends.cpp.names import method_name
from tschema.backends.cpp.operators import custom_rules, type_rule_head, type_rule_name
from tschema.backends.cpp.rows import function_head, method_head, parameters
from tschema.backends.cpp.scope import Scope, function_name
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.helps import AddLines, Help, suggest
from tschema.ir.locate import Locator
from tschema.ir.model import Namespace, Schema, Type
from tschema.verify.definitions import Definition
from tschema.verify.homes import Home
from tschema.verify.sources import CppFile, CppFiles


class Body(Struct, frozen=True):
    """A function to write by hand."""

    what: str
    """For messages: "method `x` of `PointNode`"."""
    name: str
    """In C++, with all namespaces and classes."""
    home: str | None
    """Dotted name of the class, whose header declares it; None for a free function."""
    key: str
    member: str | None
    head: str
    """The beginning of its definition, in its namespace."""
    namespace: str
    """The C++ namespace of the definition."""


_Sites = dict[str, list[tuple[CppFile, Definition]]]


def check_bodies(
    schema: Schema, homes: Mapping[str, Home], files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    """
    Yield missing definitions, and definitions in files that do not include the declaration.

    Parameters
    ----------
    homes
        The data classes to look at, those that have been generated, by dotted name.
    """
    sites = definition_sites(files)
    for space in schema.namespaces:
        for body in required_bodies(space, schema):
            if body.home is not None and body.home not in homes:
                continue
            if body.name not in sites:
                yield _missing(body, sites, locator)
            elif body.home is not None:
                yield from _check_includes(body, homes[body.home].file, sites, files)


def definition_sites(files: CppFiles) -> _Sites:
    """Return where each function is defined, by its full name."""
    sites: _Sites = {}
    for file in files.files:
        for definition in file.definitions:
            sites.setdefault(definition.name, []).append((file, definition))
    return sites


def required_bodies(space: Namespace, schema: Schema) -> Iterator[Body]:
    """Yield the functions that a schema file wants; the schema is spelled for C++."""
    for type_ in space.types:
        yield from _bodies_of_class(type_, space, schema)
    scope = Scope.of_file(space, schema)
    emitted = {operator.name for operator in space.operators if not operator.custom}
    for function in space.functions:
        if function.name not in emitted:
            head = function_head(function, scope)
            name = f"{scope.namespace}::{function_name(function.name)}"
            what = f"function `{function.name}`"
            yield Body(what, name, None, function.key, None, head, scope.namespace)
    for operator in custom_rules(space, schema):
        what = f"the type rule of operator `{operator.name}`"
        key, name = f"{space.name}.{operator.name}", type_rule_name(operator)
        head = type_rule_head(operator, scope)
        yield Body(what, f"{scope.namespace}::{name}", None, key, None, head, scope.namespace)


def _bodies_of_class(type_: Type, space: Namespace, schema: Schema) -> Iterator[Body]:
    home, scope = f"{space.name}.{type_.name}", Scope.of_class(type_, schema)
    namespace = scope.namespace
    if type_.options.post_init:
        name = f"{type_.name}::PostInit"
        what, head = f"`PostInit` of `{type_.name}`", f"void {name}()"
        yield Body(what, f"{namespace}::{name}", home, type_.key, None, head, namespace)
    for method in type_.methods:
        if method.cpp is not None:
            continue  # The source that registers it names it, so that the compiler tells.
        name = f"{type_.name}::{method_name(method)}"
        what = f"method `{method.name}` of `{type_.name}`"
        head = method_head(method, scope, name, parameters(method.params, scope))
        yield Body(what, f"{namespace}::{name}", home, type_.key, method.name, head, namespace)


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
    help = f"write `{body.name}` in one of the `sources` of `[verify]`"
    return replace(missing_body(body, locator, help), notes=tuple(notes))


def missing_body(body: Body, locator: Locator, help: str) -> Diagnostic:
    """Return the error that no source defines a function."""
    span = locator.span(body.key, body.member)
    return Diagnostic("TS072", "error", f"no source defines {body.what}", span, help=help)


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
                help=_include_help(header.path, body.name),
            )


def _include_help(path: str, name: str) -> str:
    """Return how to include a header: from the folder of the package on, where it is in one."""
    package = name.partition("::")[0]
    _, found, rest = f"/{path}".rpartition(f"/{package}/")
    if not found:
        return f"include `{path}`"
    line = f"#include <{package}/{rest}>"
    return Help(f"write `{line}`", AddLines((line,)))
