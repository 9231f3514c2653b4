"""Finds hand-written Python that hides a generated name.

In: a schema and the Python files of its project.  Out: diagnostics.  A module that imports all
names of a generated one (`from toy_nodes.clay import *`) re-exports them; a definition of its own
with one of these names would be a second, undocumented version.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from tschema.diagnostics.errors import Diagnostic, Note
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.locate import Locator
from tschema.ir.model import Namespace, Schema
from tschema.project.config import Config, PythonTarget
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import read_files


def check_twins(config: Config, schema: Schema, locator: Locator) -> Iterator[Diagnostic]:
    """Yield the definitions that hide generated names where a module re-exports these."""
    if not isinstance(config.python, PythonTarget):
        return
    names = _generated_names(schema)
    for path, data in read_files(str(config.root), (".py",), PROJECT_MARKS):
        if PurePosixPath(path).is_relative_to(config.python.dir):
            continue
        text = data.decode("utf-8", "replace")
        if f"{schema.package}_nodes" in text:
            yield from _twins(SourceFile(path, text), names, locator)


def _generated_names(schema: Schema) -> dict[str, dict[str, str]]:
    """Return the key of each name that a generated package exports, by package and name."""
    names: dict[str, dict[str, str]] = {}
    for space in schema.namespaces:
        package, _, inner = space.name.partition(".")
        module = f"{package}_nodes.{inner}" if inner else f"{package}_nodes"
        names.setdefault(module, {}).update(_exported(space))
    return names


def _exported(space: Namespace) -> Iterator[tuple[str, str]]:
    yield from ((type_.ref, type_.key) for type_ in space.types)
    yield from ((enum.name, enum.key) for enum in space.enums)
    yield from ((one.name, one.key) for one in space.functions if one.api)


def _twins(
    file: SourceFile, names: Mapping[str, Mapping[str, str]], locator: Locator
) -> Iterator[Diagnostic]:
    try:
        body = ast.parse(file.text).body
    except (SyntaxError, ValueError):
        return
    hidden: dict[str, str] = {}
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            hidden.update(names.get(statement.module or "", {}))
    for statement in body:
        for name, place in _defined(statement):
            if name in hidden:
                yield _twin(name, hidden[name], place, file, locator)


def _defined(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt | ast.expr]]:
    """Yield the names that a statement of a module defines, and where."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name, statement
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    yield from ((target.id, target) for target in targets if isinstance(target, ast.Name))


def _twin(
    name: str, key: str, place: ast.stmt | ast.expr, file: SourceFile, locator: Locator
) -> Diagnostic:
    line = file.text.splitlines()[place.lineno - 1]
    # A backslash may put the name of a class on the line after its keyword.
    column = max(line.find(name, place.col_offset), place.col_offset) + 1
    span = Span(file, place.lineno, column, place.lineno, column + len(name))
    declared = locator.span(key)
    notes = (Note("it is declared here", declared),) if declared else ()
    message = f"`{name}` hides the generated `{key}`"
    help = "remove it, or give it another name"
    return Diagnostic("TS079", "error", message, span, notes=notes, help=help)
