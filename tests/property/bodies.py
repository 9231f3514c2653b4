"""The code that people would write for a random package: bodies of methods and functions.

In: the JSON IR.  Out: C++ text, and Rust text that rebuilds every object.  `rebuild_x` reads every
argument of an object's constructor from its fields and constructs the like; any other function, and
every method, returns its last argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.backends.rust.names import identifier
from tschema.ir.keywords import escaped
from tschema.ir.model import Field, Function, Method, Schema, Type, TypeRef
from tschema.ir.spelling import spelled

__all__ = ["concrete_types", "cpp_bodies", "rust_rebuilders"]

_OBJECTS = frozenset(
    {"node", "Object", "Function", "Tensor", "Shape", "Module"}
    | {"Array", "Map", "List", "Dict", "Tuple"}
)


def concrete_types(schema: Schema) -> Iterator[Type]:
    """Yield the types that can be constructed."""
    for space in schema.namespaces:
        yield from (type_ for type_ in space.types if not type_.options.abstract)


def cpp_bodies(schema: Schema) -> str:
    """Return one C++ source with every body that a package needs."""
    lines = []
    schema = spelled(schema, "cpp")
    for space in schema.namespaces:
        lines.append(f"#include <{space.name.replace('.', '/')}/{space.file}.h>")
    for space in schema.namespaces:
        lines.append(f"namespace {space.name.replace('.', '::')} {{")
        lines.append("namespace ffi = ::tvm::ffi;")
        scope = Scope.of_file(space, schema)
        for type_ in space.types:
            lines += _post_init(type_)
            lines += [_echo(method, scope, f"{type_.name}::") for method in type_.methods]
        types = {f"rebuild_{type_.stem.lower()}": type_ for type_ in space.types}
        for function in space.functions:
            if function.name in types:
                lines.append(_rebuild(function, types[function.name], schema))
            else:
                lines.append(_echo(function, scope, ""))
        lines.append("}")
    return "\n".join(lines) + "\n"


def _post_init(type_: Type) -> list[str]:
    return [f"void {type_.name}::PostInit() {{}}"] if type_.options.post_init else []


def _echo(callable_: Function | Method, scope: Scope, owner: str) -> str:
    """Define what returns its last argument."""
    params = [names.cpp_type(param.type, scope) for param in callable_.params]
    if params:
        params[-1] += f" {names.identifier(callable_.params[-1])}"
    is_method = isinstance(callable_, Method)
    name = names.method_name(callable_) if is_method else escaped(callable_.name, "C++")
    result = f" return {names.identifier(callable_.params[-1])}; " if params else ""
    const = " const" if owner else ""
    returns = names.cpp_type(callable_.returns, scope)
    return f"{returns} {owner}{name}({', '.join(params)}){const} {{{result}}}"


def _rebuild(function: Function, type_: Type, schema: Schema) -> str:
    values = ", ".join(f"node->{names.identifier(field)}" for field in schema.arguments(type_))
    unused = "" if values else "(void)node; "
    return (
        f"{type_.ref} {function.name}({type_.ref} node) {{ {unused}return {type_.ref}({values}); }}"
    )


def rust_rebuilders(schemas: Sequence[Schema]) -> str:
    """Return a Rust library that exports a function to rebuild each type of several packages."""
    lines = ["use tvm_ffi::{tvm_ffi_dll_export_typed_func, Error, ObjectRefCore, Result};", ""]
    for schema in schemas:
        lines.append(f'#[path = "{schema.package}/generated/rust/mod.rs"]')
        lines.append(f"pub mod {schema.package};")
    lines += _CONSTRUCTED
    for schema in schemas:
        name = f"init_{schema.package}"
        lines.append(f"fn {name}() -> Result<()> {{ {schema.package}::init() }}")
        lines.append(f"tvm_ffi_dll_export_typed_func!({name}, {name});")
        in_rust = spelled(schema, "rust")
        for type_ in concrete_types(in_rust):
            lines += _rust_rebuilder(type_, in_rust)
    return "\n".join(lines) + "\n"


_CONSTRUCTED = [
    "",
    "/// What `new` returns, whether or not the constructor can refuse.",
    "trait Constructed<T> {",
    "    fn constructed(self) -> Result<T>;",
    "}",
    "",
    "impl<T: ObjectRefCore> Constructed<T> for T {",
    "    fn constructed(self) -> Result<T> { Ok(self) }",
    "}",
    "",
    "impl<T> Constructed<T> for std::result::Result<T, Error> {",
    "    fn constructed(self) -> Result<T> { self }",
    "}",
    "",
]


def _rust_rebuilder(type_: Type, schema: Schema) -> list[str]:
    path = f"{type_.namespace.replace('.', '::')}::{type_.ref}"
    name = "_".join(["rebuild", *type_.namespace.split("."), type_.stem.lower()])
    mutable = {
        field.name
        for ancestor in schema.ancestry(type_)
        for field in ancestor.fields
        if ancestor.options.mutable
    }
    values = ", ".join(
        _rust_value(field, is_mutable=field.name in mutable) for field in schema.arguments(type_)
    )
    node = "node" if values else "_node"
    return [
        f"#[allow(non_snake_case)] fn {name}({node}: {path}) -> Result<{path}> {{",
        f"    {path}::new({values}).constructed()",
        "}",
        f"tvm_ffi_dll_export_typed_func!({name}, {name});",
    ]


def _rust_value(field: Field, *, is_mutable: bool) -> str:
    value = f"node.{identifier(field)}.{'get' if is_mutable else 'clone'}()"
    is_wrapped = field.type.kind == "Optional" and not _is_object(field.type.args[0])
    return f"{value}.get()" if is_wrapped else value


def _is_object(type_ref: TypeRef) -> bool:
    return type_ref.kind in _OBJECTS
