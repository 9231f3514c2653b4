"""Signatures of declarations in C++, Python and Rust, with types and defaults.

In: the JSON IR.  Out: a line of each language, in the spelling of its backend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from tschema.backends.cpp import names as cpp
from tschema.backends.cpp.scope import Scope, function_name
from tschema.backends.python import names as python
from tschema.backends.rust import names as rust
from tschema.ir.casing import snake_case
from tschema.ir.keywords import MEMBERS, SCOPE_NAMES, escaped
from tschema.ir.model import Default, Field, Function, Method, Namespace, Parameter, Schema, Type
from tschema.ir.spelling import class_name, cpp_home, spelled

Lines = dict[str, str]
"""Text by language, as fences of Markdown name it."""


class Signatures(Struct, frozen=True, dict=True):
    """Spells the declarations of a schema."""

    schema: Schema

    @cached_property
    def _rust(self) -> Schema:
        return spelled(self.schema, "rust")

    def field(self, type_: Type, field: Field) -> Lines:
        """Return the member of a field in each language."""
        scope = Scope.of_class(type_, self.schema)
        found = {"cpp": f"{field.cpp_type or cpp.cpp_type(field.type, scope)} {cpp.member(field)}"}
        if field.type.kind == "foreign":
            return found
        seen = self.schema.seen_field(field)
        text = f"{rust.identifier(field)}: {self._in_rust(type_.key).field(seen.type)}"
        return {**found, "python": f"{field.name}: {_read(seen)}", "rust": text}

    def constructor(self, type_: Type) -> Lines:
        """Return the constructor of a class in each language; none for an abstract class."""
        if not type_.is_constructed:
            return {}
        arguments = self.schema.arguments(type_)
        home = cpp_home(type_.key, self.schema)
        found = {
            "python": f"{class_name(type_.key, 'Python')}({_python(arguments, self.schema)})",
            "rust": self._builder(type_, arguments),
        }
        if type_.options.ref in ("default", "nullable") and type_.options.ref_init == "fields":
            listed = _cpp(arguments, Scope(self.schema, home))
            found = {"cpp": f"{class_name(type_.key, 'C++')}({listed})", **found}
        return found

    def _builder(self, type_: Type, arguments: Sequence[Field]) -> str:
        required = [one for one in arguments if one.default is None]
        call = "new" if len(required) == len(arguments) else "builder"
        listed = self._params(required, type_.key)
        tail = ".build()" if call == "builder" else ""
        return f"{class_name(type_.key, 'Rust')}::{call}({listed}){tail}"

    def method(self, type_: Type, method: Method) -> Lines:
        """Return a method in each language."""
        scope = Scope.of_class(type_, self.schema)
        result = cpp.cpp_type(method.returns, scope) if method.returns.kind != "None" else "void"
        name = f"{type_.name}::{cpp.method_name(method)}"
        in_rust = escaped(snake_case(method.name), "Rust", MEMBERS)
        receiver = () if method.static else ("&self",)
        return {
            "cpp": f"{result} {name}({_cpp(method.params, scope)})",
            "python": f"{method.name}({_python(method.params, self.schema)})"
            f" -> {_returned(method, self.schema)}",
            "rust": f"{in_rust}({self._params(method.params, type_.key, receiver)})",
        }

    def function(self, space: Namespace, function: Function) -> Lines:
        """Return a free function in each language."""
        scope = Scope.of_file(space, self.schema)
        result = cpp.cpp_type(function.returns, scope)
        name = function.key.rpartition(".")[2]
        result = "void" if function.returns.kind == "None" else result
        in_rust = escaped(snake_case(name), "Rust", SCOPE_NAMES)
        return {
            "cpp": f"{result} {function_name(name)}({_cpp(function.params, scope)})",
            "python": f"{name}({_python(function.params, self.schema)})"
            f" -> {_returned(function, self.schema)}",
            "rust": f"{in_rust}({self._params(function.params, function.key)})",
        }

    def _in_rust(self, key: str) -> rust.Scope:
        home = self._rust.find_home(key)
        space = home or next(iter(self._rust.namespaces))
        return rust.Scope(self._rust, space)

    def _params(
        self, params: Iterable[Field | Parameter], key: str, receiver: tuple[str, ...] = ()
    ) -> str:
        scope = self._in_rust(key)
        seen = self.schema.seen_type
        listed = (f"{rust.identifier(one)}: {scope.value(seen(one.type))}" for one in params)
        return ", ".join([*receiver, *listed])


def _cpp(params: Iterable[Field | Parameter], scope: Scope) -> str:
    return ", ".join(
        f"{cpp.cpp_type(one.type, scope)} {cpp.identifier(one)}"
        + (f" = {cpp.cpp_default(default, one.type, scope)}" if (default := _stated(one)) else "")
        for one in params
    )


def _stated(param: Field | Parameter) -> Default | None:
    """Return the default that a signature can show."""
    return None if param.default is None or param.default.initializer else param.default


def _python(params: Iterable[Field | Parameter], schema: Schema) -> str:
    texts: list[str] = []
    is_named = False
    for one in params:
        if one.kw_only and not is_named:
            texts.append("*")
            is_named = True
        type_ref = schema.seen_type(one.type)
        text = f"{one.name}: {python.given_type(type_ref, _in_python, python.Imports())}"
        if default := _stated(one):
            text += f" = {python.default_text(default, type_ref, _in_python)}"
        texts.append(text)
    return ", ".join(texts)


def _read(field: Field) -> str:
    return python.read_type(field.type, _in_python, python.Imports())


def _returned(function: Function | Method, schema: Schema) -> str:
    seen = schema.seen_type(function.returns)
    return python.read_type(seen, _in_python, python.Imports())


def _in_python(key: str) -> str:
    return class_name(key, "Python")
