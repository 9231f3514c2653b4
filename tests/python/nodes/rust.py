"""Rust that makes every sample, and that reads every field of every concrete type.

In: the schema and the samples.  Out: the text of one module.  Nodes are made with `X::new`, and
fields, inherited ones too, are read through `Deref`, as people do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from tschema.ir.model import Schema, Type, TypeRef

from .samples import DType, GlobalFunction, Made, Member, Sample, Scalar, Value

__all__ = ["emit"]

_PLAIN = {"int32": "i32", "int64": "i64", "float64": "f64", "bool": "bool"}

_HEAD = """\
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    tvm_ffi_dll_export_typed_func, Any, Array, DLDataType, DLDataTypeExt, Function, Map,
    ObjectRefCast, Result, String,
};

use tschema::Dict;

use super::Made;
"""
_EXPORTS = """\
tvm_ffi_dll_export_typed_func!(make, make);
tvm_ffi_dll_export_typed_func!(read, read);
"""


def emit(schema: Schema, samples: Iterable[Sample], types: Iterable[Type]) -> str:
    """Return the module with `make` and `read`."""
    types = list(types)
    return "\n".join(
        [
            _HEAD,
            *(f"super::made!({_path(type_.key)});" for type_ in types),
            "",
            *_maker(schema, samples),
            "",
            *_reader(schema, types),
            "",
            _EXPORTS,
        ]
    )


def _maker(schema: Schema, samples: Iterable[Sample]) -> list[str]:
    keys: dict[str, str] = {}
    lines = ["fn make() -> Result<Map<String, ObjectRef>> {", "    let mut made = vec![];"]
    for sample in samples:
        keys[sample.name] = sample.type_key
        type_ = schema.type(sample.type_key)
        values = ", ".join(
            _value(sample.arguments[field.name], field.type, keys)
            for field in schema.arguments(type_)
        )
        variable = f"made_{sample.name}"
        lines.append(f"    let {variable} = {_path(type_.key)}::new({values}).made()?;")
        entry = f'(String::from("{sample.name}"), ObjectRef::from({variable}.clone()))'
        lines.append(f"    made.push({entry});")
    return [*lines, "    Ok(made.into_iter().collect())", "}"]


def _reader(schema: Schema, types: list[Type]) -> list[str]:
    lines = ["fn read(object: ObjectRef) -> Result<Map<String, Any>> {"]
    for type_ in reversed(types):  # A type is asked for before its ancestors.
        lines.append(f"    if let Ok(node) = object.clone().try_cast::<{_path(type_.key)}>() {{")
        lines.append("        let mut fields = Vec::<(String, Any)>::new();")
        get = ".get()" if type_.options.mutable else ".clone()"
        for field in schema.fields(type_):
            entry = f'(String::from("{field.name}"), Any::from(node.{field.name}{get}))'
            lines.append(f"        fields.push({entry});")
        lines += ["        return Ok(fields.into_iter().collect());", "    }"]
    return [*lines, "    Ok(Map::default())", "}"]


def _path(key: str) -> str:
    return key.replace(".", "::")


def _type(ref: TypeRef) -> str:
    if ref.key is not None:
        return _path(ref.key)
    if ref.args:
        return f"{ref.kind}<{', '.join(map(_type, ref.args))}>"
    return _PLAIN.get(ref.kind, ref.kind)


def _value(value: Value, ref: TypeRef, keys: Mapping[str, str]) -> str:
    match value, ref.kind:
        case None, "Any":
            return "Any::default()"
        case None, _:
            return "None"
        case _, "Optional":
            return f"Some({_value(value, ref.args[0], keys)})"
        case [*items], "Map" | "Dict":
            pairs = (
                f"({_value(key, ref.args[0], keys)}, {_value(item, ref.args[1], keys)})"
                for key, item in items
            )
            return f"[{', '.join(pairs)}].into_iter().collect::<{_type(ref)}>()"
        case [*items], "Array":
            elements = ", ".join(_value(item, ref.args[0], keys) for item in items)
            return f"{_type(ref).replace('<', '::<', 1)}::new(vec![{elements}])"
        case [*items], "Any":
            return f"Any::from({_value(items, TypeRef(kind='Array', args=(ref,)), keys)})"
        case Member(name), _:
            return f"{_type(ref)}::{name}"
        case Made(name), "node":
            made = f"made_{name}"
            return f"{made}.clone()" if keys[name] == ref.key else f"{_type(ref)}::from(&{made})"
        case Made(name), "Object":
            return f"ObjectRef::from(made_{name}.clone())"
        case _, "Any":
            return f"Any::from({_leaf(value, 'i64')})"
        case _:
            return _leaf(value, _type(ref))


def _leaf(value: Value, integer: str) -> str:
    match value:
        case Made(name):
            return f"made_{name}.clone()"
        case DType(text):
            return f'DLDataType::try_from_str("{text}")?'
        case GlobalFunction(name):
            return f'Function::get_global("{name}")?'
        case Scalar(element):
            elements = f"Array::<Any>::new(vec![Any::from({element}f64)])"
            dtype = 'DLDataType::try_from_str("float32")?'
            shape = "Array::<i64>::new(vec![])"
            return f"uir::relay::constant({elements}, {shape}, {dtype})?.data.clone()"
        case bool():
            return json.dumps(value)
        case int():
            return f"{value}{integer}"
        case float():
            return f"{value}f64"
        case _:
            return f"String::from({json.dumps(value)})"
