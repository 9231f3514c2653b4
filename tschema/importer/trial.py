"""The schema language's own judgement on schema files that were written.

In: schema files, as texts.  Out: the JSON IR, or the refusals of the language, by declaration.  The
language alone decides which declarations are valid, so that an importer need not know its rules.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic, Reporter, SchemaError
from tschema.frontend import parse_files, schema_file
from tschema.importer.project import Project
from tschema.incremental.store import Store
from tschema.ir.model import Schema
from tschema.pipeline.schema import resolve_declarations

_BAD_DEFAULT = "TS025"
_NO_INITIALIZER = "TS028"


class Refusal(Struct, frozen=True):
    """A declaration, or a part of one, that the language refuses."""

    key: str
    """Type key of the class."""
    part: Literal["class", "method", "default", "initializer", "field"]
    name: str
    """The name of the method, or of the field that has the default, lacks an initializer, or is
    new."""
    reason: str


def try_schema(
    project: Project, files: Mapping[PurePosixPath, str], store: Store
) -> Schema | list[Refusal]:
    """
    Return the schema that a project declares with new files, or the refusals.

    Parameters
    ----------
    files
        New schema files, and new texts of those that are there.
    store
        Results of earlier trials.

    Raises
    ------
    SchemaError
        Something outside of all classes is refused.
    """
    config = project.config
    texts = {**project.files, **files}
    schema_files = [
        schema_file(path, project.root_of(path), config.package, texts[path], config.roots)
        for path in sorted(texts)
    ]
    try:
        return resolve_declarations(config, parse_files(schema_files, Reporter(), store))[0]
    except SchemaError as error:
        return list(_refusals(error, files, project.files))


def _refusals(
    error: SchemaError, files: Mapping[PurePosixPath, str], there: Container[PurePosixPath]
) -> Iterator[Refusal]:
    """Yield the refusals; if a new file as a whole is refused, all its classes are."""
    items = {str(path): list(_items(text)) for path, text in files.items()}
    for diagnostic in error.diagnostics:
        path = diagnostic.span.file.path if diagnostic.span else ""
        line = diagnostic.span.line if diagnostic.span else 0
        inside = items.get(path, [])
        found = [item] if (item := _innermost(inside, line)) else []
        if not found and PurePosixPath(path) not in there:
            found = [item for item in inside if item.kind == "class"]
        if not found:
            raise error
        yield from (_refusal(item, diagnostic) for item in found)


class _Item(Struct, frozen=True):
    """A class, or a field or a method of one, and its lines."""

    key: str
    kind: Literal["class", "field", "method"]
    name: str
    first: int
    last: int


def _innermost(items: Iterable[_Item], line: int) -> _Item | None:
    around = [item for item in items if item.first <= line <= item.last]
    return min(around, key=lambda item: item.last - item.first, default=None)


def _refusal(item: _Item, diagnostic: Diagnostic) -> Refusal:
    part: Literal["class", "method", "default", "initializer"] = "class"
    if item.kind == "method":
        part = "method"
    elif item.kind == "field" and diagnostic.code == _BAD_DEFAULT:
        part = "default"
    elif item.kind == "field" and diagnostic.code == _NO_INITIALIZER:
        part = "initializer"
    return Refusal(item.key, part, item.name, diagnostic.message)


def _items(text: str) -> Iterator[_Item]:
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ClassDef):
            yield from _class_items(statement)


def _class_items(node: ast.ClassDef) -> Iterator[_Item]:
    key = _type_key(node)
    yield _item(key, "class", node.name, node)
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield _item(key, "field", statement.target.id, statement)
        elif isinstance(statement, ast.FunctionDef):
            yield _item(key, "method", statement.name, statement)


def _item(
    key: str, kind: Literal["class", "field", "method"], name: str, node: ast.ClassDef | ast.stmt
) -> _Item:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return _Item(key, kind, name, first, node.end_lineno or node.lineno)


def _type_key(node: ast.ClassDef) -> str:
    """Return the type key of a class; an enum has none, and its name is used instead."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id == "type_key":
                return str(statement.value.value)
    return node.name
