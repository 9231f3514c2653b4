"""Python that makes every sample, and that reads every field of an object.

Nodes are made by calling their classes with keyword arguments, and read by attribute.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

import tvm_ffi

from tschema.ir.model import Schema, TypeRef
from uir.relay import const

from .samples import DType, GlobalFunction, Made, Member, Sample, Scalar, Value

__all__ = ["class_of", "make", "read"]


def class_of(key: str) -> Any:
    """Return the class of a type or an enum."""
    module, _, name = key.rpartition(".")
    return getattr(importlib.import_module(module), name)


def make(schema: Schema, samples: Iterable[Sample]) -> dict[str, Any]:
    """Make all samples; return them by their names."""
    made: dict[str, Any] = {}
    for sample in samples:
        fields = {field.name: field.type for field in schema.fields(schema.type(sample.type_key))}
        arguments = {
            name: _value(value, fields[name], made) for name, value in sample.arguments.items()
        }
        made[sample.name] = class_of(sample.type_key)(**arguments)
    return made


def read(schema: Schema, node: Any) -> dict[str, Any]:
    """Return the fields of a node by their names."""
    key = type(node).__tvm_ffi_type_info__.type_key
    return {field.name: getattr(node, field.name) for field in schema.fields(schema.type(key))}


def _value(value: Value, ref: TypeRef, made: Mapping[str, Any]) -> Any:
    match value, ref.kind:
        case _, "Optional":
            return _value(value, ref.args[0], made)
        case [*items], "Map" | "Dict":
            return {
                _value(key, ref.args[0], made): _value(item, ref.args[1], made)
                for key, item in items
            }
        case [*items], _:
            element = ref.args[0] if ref.args else ref
            return [_value(item, element, made) for item in items]
        case Member(name), _:
            assert ref.key is not None
            return class_of(ref.key)[name]
        case Made(name), _:
            return made[name]
        case DType(text), _:
            return text
        case GlobalFunction(name), _:
            return tvm_ffi.get_global_func(name)
        case Scalar(element), _:
            return const(element, "float32").data
        case _:
            return value
