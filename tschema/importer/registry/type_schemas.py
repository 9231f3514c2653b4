"""Types of a registry, from the JSON of tvm-ffi to `TypeRef`s.

In: a type schema, and the size of the member where it is one.  Out: a `TypeRef`, or `UnknownType`.
Reflection keeps neither sign nor width: the size of a member gives its width, and an integer counts
as signed, as the ABI's are.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from typing import Any

from tschema.ir.model import TypeKind, TypeRef

_PLAIN: Mapping[str, TypeKind] = {
    "bool": "bool",
    "DataType": "DataType",
    "Device": "Device",
    "Any": "Any",
    "None": "None",
    "ffi.String": "String",
    "ffi.SmallStr": "String",
    "ffi.Bytes": "Bytes",
    "ffi.SmallBytes": "Bytes",
    "ffi.Object": "Object",
    "ffi.Function": "Function",
    "ffi.Tensor": "Tensor",
    "ffi.Shape": "Shape",
    "ffi.Module": "Module",
    # As types that Python registers name them.
    "str": "String",
    "bytes": "Bytes",
    "dtype": "DataType",
    "Object": "Object",
    "Callable": "Function",
    "Tensor": "Tensor",
}
_GENERIC: Mapping[str, tuple[TypeKind, int | None]] = {
    "Optional": ("Optional", 1),
    "ffi.Array": ("Array", 1),
    "ffi.List": ("List", 1),
    "ffi.Map": ("Map", 2),
    "ffi.Dict": ("Dict", 2),
    "Tuple": ("Tuple", None),
    "Variant": ("Union", None),
    "Array": ("Array", 1),
    "List": ("List", 1),
    "Map": ("Map", 2),
    "Dict": ("Dict", 2),
    "tuple": ("Tuple", None),
    "Union": ("Union", None),
}
"""Kind and number of arguments; containers without arguments hold anything."""
_WIDTHS: Mapping[int, TypeKind] = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}
_FLOATS: Mapping[int, TypeKind] = {4: "float32", 8: "float64"}

_REFERENCE = 8
"""Bytes of a reference; a value of a class has another size."""
_BIG_INTEGER = ("ffi.BigInt", 16)
"""An integer of any size, laid out as a value: an `int64`, or an object behind it."""

Json = Mapping[str, Any]


class UnknownType(Exception):
    """A type that the schema language cannot express; the text of the error names the type."""


def decode_metadata(metadata: str) -> Json:
    """Return the type schema in the metadata of a field or method; empty if there is none."""
    outer: Json = json.loads(metadata) if metadata else {}
    inner = outer.get("type_schema", {})
    # C++ registers it as text; Python does not.
    decoded: Json = json.loads(inner) if isinstance(inner, str) else inner
    return decoded


class TypeReader:
    """Reads the types of one registry.

    Parameters
    ----------
    keys
        The registered type keys.
    """

    def __init__(self, keys: Container[str]) -> None:
        self._keys = keys

    def member(self, schema: Json, size: int) -> TypeRef:
        """Return the type of a member of `size` bytes.

        Raises
        ------
        UnknownType
            The schema language has no such type.
        """
        name = schema.get("type")
        if name == "int" and size in _WIDTHS:
            return TypeRef(kind=_WIDTHS[size])
        if name == "float" and size in _FLOATS:
            return TypeRef(kind=_FLOATS[size])
        if name == "std::string":
            return TypeRef(kind="foreign", key=name)
        if (name, size) == _BIG_INTEGER:
            return TypeRef(kind="Any")
        ref = self.value(schema)
        if ref.kind == "node" and size != _REFERENCE:
            raise UnknownType(spell(schema))
        return ref

    def value(self, schema: Json) -> TypeRef:
        """Return the type of an argument, a result, or the elements of a container.

        Raises
        ------
        UnknownType
            The schema language has no such type.
        """
        name = schema.get("type", "a type that is not told")
        if name in ("int", "float"):
            return TypeRef(kind="int64" if name == "int" else "float64")
        if name in _PLAIN:
            return TypeRef(kind=_PLAIN[name])
        if name in _GENERIC:
            return self._generic(name, schema.get("args", ()))
        if name in self._keys:
            return TypeRef(kind="node", key=name)
        raise UnknownType(spell(schema))

    def _generic(self, name: str, args: list[Json]) -> TypeRef:
        kind, arity = _GENERIC[name]
        if not args and arity is not None:
            return TypeRef(kind=kind, args=(TypeRef(kind="Any"),) * arity)
        return TypeRef(kind=kind, args=tuple(map(self.value, args)))

    def signature(self, schema: Json) -> tuple[tuple[TypeRef, ...], TypeRef]:
        """Return the types of the parameters, and that of the result.

        Raises
        ------
        UnknownType
            The schema language lacks one of them, or the signature is not told.
        """
        named = schema.get("named_args")
        if named is not None:
            returns, params = named["return"], named["params"]
        else:
            returns, params = schema.get("args", ())[:1], schema.get("args", ())[1:]
        if not returns:
            raise UnknownType("a function whose signature is not told")
        return tuple(map(self.value, params)), self.value(returns[0])


def spell(schema: Json) -> str:
    """Return a type schema as text: `ffi.Array[NestedMsg]`."""
    args = ", ".join(spell(arg) for arg in schema.get("args", ()) if isinstance(arg, dict))
    name = str(schema.get("type", "?"))
    return f"{name}[{args}]" if args else name
