"""Declarations of a schema file as bytes, and back, for the cache.

In: a `FileDecl` that was not refused in any part.  Out: JSON that stands for it, given the text of
the file; and the same declarations again.  It parses no Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tschema.diagnostics.source import Extent, Place, SourceFile
from tschema.ir.declarations import (
    Assignment,
    ClassDecl,
    Contents,
    DocItem,
    Docstring,
    FieldDecl,
    FunctionDecl,
    ImportDecl,
    ParamDecl,
    Scalar,
    TypeExpr,
    Value,
)

__all__ = ["dump", "load"]

_Json = Any
_At = Callable[[Extent], Place]


def dump(contents: Contents) -> bytes:
    """Return the bytes that stand for the contents of a file or a part of it, given its text."""
    parts = [
        contents.doc,
        [[one.local, one.module, one.name, one.place.at] for one in contents.imports],
        [_dump_class(one) for one in contents.classes],
        [_dump_function(one) for one in contents.functions],
    ]
    return json.dumps(parts, separators=(",", ":")).encode()


def load(data: bytes, source: SourceFile, line: int = 0) -> Contents:
    """
    Return the contents of a file that bytes stand for.

    Parameters
    ----------
    data
        What `dump` returned.
    source
        The file.
    line
        Lines of it that are before the text that was dumped.
    """
    doc, imports, classes, functions = json.loads(data)

    def at(extent: Extent) -> Place:
        first, offset, last, end_offset = extent
        return Place(source, (first + line, offset, last + line, end_offset))

    return Contents(
        doc,
        tuple(ImportDecl(local, module, name, at(place)) for local, module, name, place in imports),
        tuple(_load_class(one, at) for one in classes),
        tuple(_load_function(one, at) for one in functions),
    )


def _dump_class(decl: ClassDecl) -> _Json:
    return [
        decl.name,
        [_dump_type(base) for base in decl.bases],
        _dump_doc(decl.doc),
        [[one.name, _dump_value(one.value), one.place.at] for one in decl.assignments],
        [_dump_field(field) for field in decl.fields],
        [_dump_function(method) for method in decl.methods],
        decl.place.at,
    ]


def _load_class(data: _Json, at: _At) -> ClassDecl:
    name, bases, doc, assignments, fields, methods, place = data
    return ClassDecl(
        name,
        tuple(_load_type(base, at) for base in bases),
        _load_doc(doc, at),
        tuple(Assignment(key, _load_value(value, at), at(one)) for key, value, one in assignments),
        tuple(_load_field(field, at) for field in fields),
        tuple(_load_function(method, at) for method in methods),
        at(place),
    )


def _dump_field(field: FieldDecl) -> _Json:
    options = [[name, _dump_value(value)] for name, value in field.options.items()]
    return [field.name, _dump_optional(field.annotation), options, field.place.at]


def _load_field(data: _Json, at: _At) -> FieldDecl:
    name, annotation, options, place = data
    values = {key: _load_value(value, at) for key, value in options}
    return FieldDecl(name, _load_optional(annotation, at), values, at(place))


def _dump_function(decl: FunctionDecl) -> _Json:
    params = [
        [
            param.name,
            _dump_optional(param.annotation),
            None if param.default is None else _dump_value(param.default),
            param.place.at,
        ]
        for param in decl.params
    ]
    return [decl.name, params, _dump_optional(decl.returns), _dump_doc(decl.doc), decl.place.at]


def _load_function(data: _Json, at: _At) -> FunctionDecl:
    name, params, returns, doc, place = data
    return FunctionDecl(
        name,
        tuple(
            ParamDecl(
                param,
                _load_optional(annotation, at),
                None if default is None else _load_value(default, at),
                at(one),
            )
            for param, annotation, default, one in params
        ),
        _load_optional(returns, at),
        _load_doc(doc, at),
        at(place),
    )


def _dump_doc(doc: Docstring) -> _Json:
    sections = (doc.attributes, doc.params, doc.raises)
    items = [[[one.name, one.text, one.place.at] for one in section] for section in sections]
    return [doc.text, doc.see_also, *items, doc.returns]


def _load_doc(data: _Json, at: _At) -> Docstring:
    text, see_also, *sections, returns = data
    attributes, params, raises = (
        tuple(DocItem(name, about, at(place)) for name, about, place in section)
        for section in sections
    )
    return Docstring(text, tuple(see_also), attributes, params, returns, raises)


def _dump_type(expr: TypeExpr) -> _Json:
    return [expr.name, [_dump_type(arg) for arg in expr.args], expr.place.at]


def _load_type(data: _Json, at: _At) -> TypeExpr:
    name, args, place = data
    return TypeExpr(name, tuple([_load_type(arg, at) for arg in args]), at(place))


def _dump_optional(expr: TypeExpr | None) -> _Json:
    return None if expr is None else _dump_type(expr)


def _load_optional(data: _Json, at: _At) -> TypeExpr | None:
    return None if data is None else _load_type(data, at)


def _dump_value(value: Value) -> _Json:
    is_bytes = isinstance(value.value, bytes)
    scalar = value.value.decode("latin-1") if isinstance(value.value, bytes) else value.value
    return [value.kind, scalar, is_bytes, value.place.at]


def _load_value(data: _Json, at: _At) -> Value:
    kind, scalar, is_bytes, place = data
    literal: Scalar = scalar.encode("latin-1") if is_bytes else scalar
    return Value(kind, literal, at(place))
