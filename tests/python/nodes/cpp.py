"""C++ that makes every sample, and that reads every field of every concrete type.

In: the schema and the samples.  Out: the text of one C++ file for each of the two.  Nodes are made
with the constructors of the reference classes, and read through `node->field`, as people do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from tschema.ir.model import Schema, Type, TypeRef

from .samples import DType, GlobalFunction, Made, Member, Sample, Scalar, Value

__all__ = ["emit_maker", "emit_reader"]

_PLAIN = {"int32": "int32_t", "int64": "int64_t", "float64": "double", "DataType": "DLDataType"}


def emit_maker(schema: Schema, samples: Iterable[Sample]) -> str:
    """Return the file with `make`, which returns all samples by their names."""
    keys: dict[str, str] = {}
    lines = []
    for sample in samples:
        keys[sample.name] = sample.type_key
        type_ = schema.type(sample.type_key)
        values = ", ".join(
            _value(sample.arguments[field.name], field.type, keys)
            for field in schema.arguments(type_)
        )
        arguments = f"({values})" if values else ""
        lines.append(f"  {_path(type_.key)} made_{sample.name}{arguments};")
        lines.append(f'  made.Set("{sample.name}", made_{sample.name});')
    return _file(
        schema,
        ["Nodes make() {", "  Nodes made;", *lines, "  return made;", "}"],
        "make",
    )


def emit_reader(schema: Schema, types: Iterable[Type]) -> str:
    """Return the file with `read`, which returns the fields of an object by their names."""
    lines = []
    for type_ in reversed(list(types)):  # A type is asked for before its ancestors.
        fields = ", ".join(
            f'{{"{field.name}", node->{field.name}}}' for field in schema.fields(type_)
        )
        lines.append(f"  if (const auto* node = object.as<{_path(type_.key)}Node>()) {{")
        lines.append(f"    return {{{fields}}};")
        lines.append("  }")
    return _file(
        schema,
        ["Fields read(ffi::ObjectRef object) {", *lines, "  return {};", "}"],
        "read",
    )


def _file(schema: Schema, body: list[str], function: str) -> str:
    spaces = (space for space in schema.namespaces if space.types or space.functions)
    includes = [f"#include <{'/'.join(space.name.split('.'))}/{space.file}.h>" for space in spaces]
    head = [
        "#include <tvm/ffi/function.h>",
        *includes,
        "namespace ffi = tvm::ffi;",
        "using Nodes = ffi::Map<ffi::String, ffi::ObjectRef>;",
        "using Fields = ffi::Map<ffi::String, ffi::Any>;",
    ]
    export = f"TVM_FFI_DLL_EXPORT_TYPED_FUNC({function}, {function});"
    return "\n".join([*head, *body, export, ""])


def _path(key: str) -> str:
    return "::" + key.replace(".", "::")


def _type(ref: TypeRef) -> str:
    if ref.key is not None:
        return _path(ref.key)
    if ref.args:
        return f"ffi::{ref.kind}<{', '.join(map(_type, ref.args))}>"
    return _PLAIN.get(ref.kind, "bool" if ref.kind == "bool" else f"ffi::{ref.kind}")


def _value(value: Value, ref: TypeRef, keys: Mapping[str, str]) -> str:
    match value, ref.kind:
        case None, "Any":
            return "ffi::Any()"
        case None, _:
            return "std::nullopt"
        case _, "Optional":
            return _value(value, ref.args[0], keys)
        case [*items], "Map" | "Dict":
            pairs = (
                f"{{{_value(key, ref.args[0], keys)}, {_value(item, ref.args[1], keys)}}}"
                for key, item in items
            )
            return f"{_type(ref)}{{{', '.join(pairs)}}}"
        case [*items], _:
            array = ref if ref.args else TypeRef(kind="Array", args=(ref,))
            elements = ", ".join(_value(item, array.args[0], keys) for item in items)
            return f"{_type(array)}{{{elements}}}"
        case Member(name), _:
            return f"{_type(ref)}::k{name.title().replace('_', '')}"
        case _:
            return _leaf(value)


def _leaf(value: Value) -> str:
    match value:
        case Made(name):
            return f"made_{name}"
        case DType(text):
            return f'ffi::StringToDLDataType("{text}")'
        case GlobalFunction(name):
            return f'ffi::Function::GetGlobalRequired("{name}")'
        case Scalar(element):
            dtype = 'ffi::StringToDLDataType("float32")'
            return f"uir::relay::constant({{{element}}}, {{}}, {dtype})->data"
        case bool() | float():
            return json.dumps(value)
        case int():
            return f"int64_t{{{value}}}"
        case _:
            return f"ffi::String({json.dumps(value)})"
