"""Random values of the types of a schema, as Python has them.

In: the JSON IR, and the generated classes.  Out: hypothesis strategies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import tvm_ffi
from hypothesis import strategies as st

from tschema.model import Field, Schema, Type, TypeRef

__all__ = ["Values", "same"]

_TEXTS = st.text(max_size=12) | st.sampled_from(["", "\0", "日本語のテキスト", "nine....!"])
_BYTES = st.binary(max_size=12) | st.sampled_from([b"", b"\0\xff", b"nine....!"])
_DTYPES = st.sampled_from(["int32", "float32x4", "bool", "uint8", "bfloat16", "int4x8"])
_DEVICES = st.sampled_from([("cpu", 0), ("cuda", 3), ("vulkan", 2**31 - 1)])


class Values:
    """Strategies for the types of one schema."""

    def __init__(self, schema: Schema, classes: Mapping[str, Any]) -> None:
        self.schema = schema
        self.classes = classes
        """By type key, or dotted name of an enum."""

    def node(self, type_: Type, depth: int = 0) -> st.SearchStrategy[Any]:
        """Return objects of exactly one concrete type."""
        required, optional = {}, {}
        for field in self.schema.arguments(type_):
            values = self.of(field.type, depth + 1)
            if field.default is None:
                required[field.name] = values
            elif depth < 2:
                optional[field.name] = values
        made = st.fixed_dictionaries(required, optional=optional)
        return made.map(lambda arguments: self.classes[type_.key](**arguments))

    def of(self, ref: TypeRef, depth: int) -> st.SearchStrategy[Any]:
        """Return values of a type."""
        kind = ref.kind
        if kind == "node":
            return self.node(self.schema.type(str(ref.key)), depth)
        if kind == "enum":
            return st.sampled_from(list(self.classes[str(ref.key)]))
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind == "Optional":
            return st.none() | self.of(ref.args[0], depth)
        if kind == "Union":
            return st.one_of([self.of(arg, depth) for arg in ref.args])
        if kind == "Tuple":
            return st.tuples(*(self.of(arg, depth) for arg in ref.args))
        size = 0 if depth > 2 else 3
        if kind in ("Array", "List"):
            return st.lists(self.of(ref.args[0], depth), max_size=size)
        keys, mapped = (self.of(arg, depth) for arg in ref.args)
        return st.dictionaries(keys, mapped, max_size=size)


def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.sampled_from([low, high]) | st.integers(low, high)


_PLAIN: Mapping[str, st.SearchStrategy[Any]] = {
    **{
        f"int{bits}": _integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)
    },
    **{f"uint{bits}": _integers(0, 2 ** min(bits, 63) - 1) for bits in (8, 16, 32, 64)},
    "bool": st.booleans(),
    "float32": st.floats(width=32),
    "float64": st.floats(),
    "DataType": _DTYPES.map(tvm_ffi.dtype),
    "Device": _DEVICES.map(lambda name: tvm_ffi.device(*name)),
    "String": _TEXTS,
    "Bytes": _BYTES,
    "Any": st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | _TEXTS | _BYTES,
    "Object": st.lists(st.integers(0, 3), max_size=2).map(tvm_ffi.Array),
    "Shape": st.lists(st.integers(0, 2**62), max_size=4).map(tvm_ffi.Shape),
}


def same(found: Any, expected: Any, fields: Mapping[type, tuple[Field, ...]]) -> bool:
    """Return whether two values are the same; nodes are compared by their fields."""
    if type(expected) in fields:
        return type(found) is type(expected) and all(
            same(getattr(found, field.name), getattr(expected, field.name), fields)
            for field in fields[type(expected)]
        )
    if isinstance(expected, float):
        is_same = found == expected and math.copysign(1, found) == math.copysign(1, expected)
        return is_same or (math.isnan(found) and math.isnan(expected))
    if isinstance(expected, (tvm_ffi.Array, tvm_ffi.List, tuple, list)):
        return len(found) == len(expected) and all(
            same(one, other, fields) for one, other in zip(found, expected, strict=True)
        )
    if isinstance(expected, (tvm_ffi.Map, tvm_ffi.Dict, dict)):
        return set(found.keys()) == set(expected.keys()) and all(
            same(found[key], value, fields) for key, value in expected.items()
        )
    if isinstance(expected, tvm_ffi.Shape):
        return tuple(found) == tuple(expected)
    return isinstance(found, type(expected)) and bool(found == expected)
