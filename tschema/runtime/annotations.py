"""Python types of declared fields, for reading and for constructor arguments.

In: the type of a field. Out: the annotation of generated code, as an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import tvm_ffi

from tschema.runtime.declarations import TypeRef

__all__ = ["given_type", "read_type"]

_PLAIN: Mapping[str, Any] = {
    "bool": bool,
    **{f"{sign}int{bits}": int for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float32": float,
    "float64": float,
    "String": str,
    "Bytes": bytes,
    "Any": Any,
    "DataType": tvm_ffi.dtype,
    **{
        name: getattr(tvm_ffi, name)
        for name in ("Device", "Object", "Function", "Tensor", "Shape", "Module")
    },
}
# Subscripted at run time, which type checkers do not support.
_UNION: Any = Union
_GIVEN: Mapping[str, Any] = {
    "Optional": Union,
    "Union": Union,
    "Array": Sequence,
    "List": Sequence,
    "Map": Mapping,
    "Dict": Mapping,
    "Tuple": tuple,
}
_CONTAINERS: Mapping[str, Any] = {
    name: getattr(tvm_ffi, name) for name in ("Array", "List", "Map", "Dict")
}


def read_type(type_ref: TypeRef, declared: Mapping[str, type]) -> Any:
    """Return the annotation of a field.

    Parameters
    ----------
    type_ref
        The field's type.
    declared
        Classes of types and enums, by type key and dotted name.

    Returns
    -------
    annotation
        A class, or a union of classes.
    """
    if type_ref.kind in ("node", "enum"):
        return declared[type_ref.key]
    if type_ref.kind in _PLAIN:
        return _PLAIN[type_ref.kind]
    args = tuple(_element_type(arg, type_ref.kind, declared) for arg in type_ref.args)
    if type_ref.kind == "Optional":
        args = (*args, None)
        return _UNION[args]
    if type_ref.kind == "Union":
        return _UNION[args]
    if type_ref.kind == "Tuple":
        return _CONTAINERS["Array"][_UNION[args] if args else Any]
    return _CONTAINERS[type_ref.kind][args]


def _element_type(type_ref: TypeRef, parent: str, declared: Mapping[str, type]) -> Any:
    """Return the annotation of an element; containers return an enum as an integer."""
    if type_ref.kind == "enum" and parent not in ("Optional", "Union"):
        return int
    return read_type(type_ref, declared)


def given_type(type_ref: TypeRef, declared: Mapping[str, type]) -> Any:
    """Return the annotation of an argument.

    Parameters
    ----------
    type_ref
        The field's type.
    declared
        Classes of types and enums, by type key and dotted name.

    Returns
    -------
    annotation
        The accepted types, such as a sequence for an `Array`, or a string for a data type.
    """
    if type_ref.kind == "DataType":
        return tvm_ffi.dtype | str
    if type_ref.kind == "Function":
        return Callable[..., Any]
    if type_ref.kind not in _GIVEN:
        return read_type(type_ref, declared)
    args = tuple(given_type(arg, declared) for arg in type_ref.args)
    args = (*args, None) if type_ref.kind == "Optional" else args
    return _GIVEN[type_ref.kind][args]
