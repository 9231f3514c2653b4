"""Signatures and table rows of constructors, methods and functions.

In: parts of the JSON IR.  Out: ready-made C++ text and views.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope, function_name
from tschema.ir.casing import camel_case
from tschema.ir.model import Default, Field, Function, Method, Parameter, TypeRef


def declaration(field: Field | Parameter, scope: Scope, name: str = "") -> str:
    """Return a parameter as C++ declares it, under its own name or another one."""
    alias = field.cpp_type if isinstance(field, Field) else None
    return f"{alias or names.cpp_type(field.type, scope)} {name or names.identifier(field)}"


def forwarded(field: Field | Parameter, name: str = "") -> str:
    """Return how a parameter is handed on: moved where that saves a copy."""
    name = name or names.identifier(field)
    return name if names.is_plain(field.type) else f"std::move({name})"


def signature(params: Iterable[Field | Parameter], scope: Scope) -> str:
    """Return parameters with the defaults that C++ can have: the last ones."""
    texts: list[str] = []
    may_have_default = True
    for param in reversed(tuple(params)):
        may_have_default = may_have_default and param.default is not None
        text = declaration(param, scope)
        if may_have_default and param.default is not None:
            text += f" = {_default(param, param.default, scope)}"
        texts.append(text)
    return ", ".join(reversed(texts))


def parameters(params: Iterable[Field | Parameter], scope: Scope) -> str:
    """Return parameters as a definition has them, without defaults."""
    return ", ".join(declaration(param, scope) for param in params)


def function_head(function: Function, scope: Scope) -> str:
    """Return the beginning of the definition of a free function."""
    returns = names.cpp_type(function.returns, scope)
    return f"{returns} {function_name(function.name)}({parameters(function.params, scope)})"


def method_head(method: Method, scope: Scope, name: str, arguments: str) -> str:
    """Return the text that a method's declaration and its definition share."""
    returns = names.cpp_type(method.returns, scope)
    return f"{returns} {name}({arguments}){'' if method.static else ' const'}"


def _default(param: Field | Parameter, default: Default, scope: Scope) -> str:
    if isinstance(param, Field) and param.cpp_init is not None:
        return param.cpp_init
    return "{}" if default.initializer else names.cpp_default(default, param.type, scope)


def default_thunk(default: Default | None, type_ref: TypeRef, scope: Scope, factory: str) -> str:
    """Return the cell of a row that makes a default; `factory` is the suffix for containers."""
    if default is None:
        return ""
    if default.factory is not None:
        container = names.made_container(default.factory, type_ref).kind
        return f"&tschema::{container}Factory" if factory else f"&tschema::Empty{container}"
    if default.value is None:
        return "&tschema::None"
    value = names.cpp_default(default, type_ref, scope)
    if isinstance(default.value, int) and not isinstance(default.value, bool):
        value = f"int64_t{{{value}}}"
    return f"[]() -> ffi::Any {{ return {value}; }}"


def row(*cells: str) -> str:
    """Return a row of those cells that are not empty."""
    return ", ".join(filter(None, cells))


def method_call(method: Method, member: str) -> str:
    """Return the function that the row of a method calls, given the member of its name."""
    if method.cpp is None:
        return f"&tschema::Invoke<{member}>"
    # A template takes neither a lambda nor one of several overloads.
    return (
        "[](const tschema::Arguments& arguments) { "
        f"return tschema::Call({method.cpp}, arguments); }}"
    )


def callable_view(
    variable: str,
    params: Iterable[Field | Parameter],
    scope: Scope,
    *cells: str,
    thunks: Mapping[str, str] | None = None,
    **declared: str,
) -> View:
    """
    Return the view of a callable: its row in a table, and the rows of its parameters.

    Parameters
    ----------
    variable
        The array of its parameters' rows.
    scope
        That of the rows.
    cells
        Of its row: its name and what calls it, then its result and its doc.
    thunks
        What makes the defaults of some parameters, by their names.
    declared
        Its doc and its declaration, where the header has them.
    """
    parameters = []
    for one in params:
        default = (thunks or {}).get(one.name) or default_thunk(one.default, one.type, scope, "")
        parameters.append(row(names.string_literal(one.name), names.type_text(one.type), default))
    name, call, *result = cells
    cells_text = row(name, call, variable if parameters else "{}", *result)
    return View(variable=variable, parameters=parameters, cells=cells_text, **declared)


def function_doc(function: Function | Method) -> str:
    """Return the Doxygen text of a method or a function."""
    commands = [
        f"\\param {names.identifier(param)} {param.doc}".replace("\n", " ")
        for param in function.params
        if param.doc
    ]
    if function.returns_doc:
        commands.append(f"\\return {function.returns_doc}".replace("\n", " "))
    commands += [f"\\throws {one.name} {one.doc}".replace("\n", " ") for one in function.raises]
    return names.doxygen(function.doc, *commands)


def function_view(function: Function, scope: Scope, call: str | None = None) -> View:
    """Return the view of a free function; `call` is what calls it with its arguments."""
    returns = names.cpp_type(function.returns, scope)
    name = function_name(function.name)
    return callable_view(
        f"k{camel_case(function.name)}Parameters",
        function.params,
        scope,
        names.string_literal(function.key),
        call or f"&tschema::Invoke<&{name}>",
        names.type_text(function.returns),
        names.string_literal(function.doc),
        doc=function_doc(function),
        declaration=f"{returns} {name}({signature(function.params, scope)})",
    )
