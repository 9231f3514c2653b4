"""Signatures and table rows of constructors, methods and functions.

In: parts of the JSON IR.  Out: ready-made C++ text and views.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.backends.cpp import names
from tschema.backends.cpp.view import FunctionView, RowView
from tschema.ir.model import Default, Field, Function, Method, Parameter, Schema, TypeRef

__all__ = [
    "declaration",
    "default_thunk",
    "forwarded",
    "function_doc",
    "function_view",
    "parameter_row",
    "row",
    "signature",
]


def declaration(field: Field | Parameter, namespace: str) -> str:
    """Return a parameter or a member as C++ declares it."""
    return f"{names.cpp_type(field.type, namespace)} {field.name}"


def forwarded(field: Field | Parameter) -> str:
    """Return how a parameter is handed on: moved where that saves a copy."""
    return field.name if names.is_plain(field.type) else f"std::move({field.name})"


def signature(params: Iterable[Field | Parameter], namespace: str, schema: Schema) -> str:
    """Return parameters with the defaults that C++ can have: the last ones."""
    texts: list[str] = []
    may_have_default = True
    for param in reversed(tuple(params)):
        may_have_default = may_have_default and param.default is not None
        text = declaration(param, namespace)
        if may_have_default and param.default is not None:
            default = names.cpp_default(param.default, param.type, namespace, schema)
            text += f" = {default}"
        texts.append(text)
    return ", ".join(reversed(texts))


def default_thunk(
    default: Default | None, type_ref: TypeRef, namespace: str, schema: Schema, factory: str
) -> str:
    """Return the cell of a row that makes a default; `factory` is the suffix for containers."""
    if default is None:
        return ""
    if default.factory is not None:
        container = names.made_container(default.factory, type_ref).kind
        return f"&tschema::{container}Factory" if factory else f"&tschema::Empty{container}"
    if default.value is None:
        return "&tschema::None"
    value = names.cpp_default(default, type_ref, namespace, schema)
    if isinstance(default.value, int) and not isinstance(default.value, bool):
        value = f"int64_t{{{value}}}"
    return f"[]() -> ffi::Any {{ return {value}; }}"


def row(*cells: str) -> RowView:
    """Return a row of those cells that are not empty."""
    return RowView(", ".join(cell for cell in cells if cell))


def parameter_row(param: Field | Parameter, namespace: str, schema: Schema) -> RowView:
    """Return the row of a parameter."""
    return row(
        names.string_literal(param.name),
        names.type_text(param.type),
        default_thunk(param.default, param.type, namespace, schema, factory=""),
    )


def function_doc(function: Function | Method) -> str:
    """Return the Doxygen text of a method or a function."""
    commands = [
        f"\\param {param.name} {param.doc}".replace("\n", " ")
        for param in function.params
        if param.doc
    ]
    if function.returns_doc:
        commands.append(f"\\return {function.returns_doc}".replace("\n", " "))
    commands += [f"\\throws {one.name} {one.doc}".replace("\n", " ") for one in function.raises]
    return names.doxygen(function.doc, *commands)


def function_view(function: Function, schema: Schema) -> FunctionView:
    """Return the view of a free function."""
    namespace = function.key.rpartition(".")[0]
    returns = names.cpp_type(function.returns, namespace)
    return FunctionView(
        doc=function_doc(function),
        declaration=f"{returns} {function.name}({signature(function.params, namespace, schema)})",
        variable=f"k{names.camel_case(function.name)}Parameters",
        name=names.string_literal(function.key),
        call=f"&tschema::Invoke<&{function.name}>",
        parameters=tuple(parameter_row(param, namespace, schema) for param in function.params),
        result=names.type_text(function.returns),
        brief=names.string_literal(function.doc),
    )
