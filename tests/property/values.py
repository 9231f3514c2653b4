"""Random values of the types of a schema, as Python has them.

In: the JSON IR, and the generated classes.  Out: hypothesis strategies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import tvm_ffi
from hypothesis import strategies as st

from tschema.ir.model import Field, Schema, Type, TypeRef
from tschema.testing.values import PLAIN

__all__ = ["Values", "same"]


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
        if kind in PLAIN:
            return PLAIN[kind]
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
