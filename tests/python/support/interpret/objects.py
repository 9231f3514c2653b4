"""Objects of tvm-ffi: what their fields hold, their types, elements of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tvm_ffi

from tschema.runtime import layout
from uir import tir
from uir.ir import IntImm, StringImm

from .compiler import Compiler, Env, Eval
from .errors import Undefined
from .numbers import Value, fit

__all__ = ["OBJECT_INTRINSICS"]


def _is_object(value: Any, type_key: str) -> bool:
    """Return whether an object is of a type, or of a subtype."""
    if not isinstance(value, tvm_ffi.Object):
        return False
    keys = [getattr(base, "__tvm_ffi_type_info__", None) for base in type(value).__mro__]
    return any(info is not None and info.type_key == type_key for info in keys)


def _text(node: tir.Call, index: int) -> str:
    arg = node.args[index]
    assert isinstance(arg, StringImm)
    return arg.value


def _read(node: tir.Call, value: Any, field: str) -> Value:
    if value is None:
        raise Undefined(f"there is no field `{field}` of None")
    found = getattr(value, field)
    return found if str(node.dtype) == "handle" else fit(node.dtype)(found)


def _get_field(compiler: Compiler, node: tir.Call) -> Eval:
    value, field = compiler.expr(node.args[0]), _text(node, 1)

    def evaluate(env: Env) -> Value:
        found = value(env)
        if found is None:
            raise TypeError(f"None has no field `{field}`")
        return _read(node, found, field)

    return evaluate


def _object_field(compiler: Compiler, node: tir.Call) -> Eval:
    value, key, field = compiler.expr(node.args[0]), _text(node, 1), _text(node, 2)
    offset = node.args[3]
    assert isinstance(offset, IntImm)
    if layout(key).field(field).offset != offset.value:
        raise Undefined(f"field `{field}` of `{key}` is not at byte {offset.value}")

    def evaluate(env: Env) -> Value:
        found = value(env)
        if not _is_object(found, key):
            raise Undefined(f"{found!r} is not a `{key}`")
        return _read(node, found, field)

    return evaluate


def _as_object(compiler: Compiler, node: tir.Call) -> Eval:
    value, key, name = compiler.expr(node.args[0]), _text(node, 1), _text(node, 2)

    def evaluate(env: Env) -> Value:
        found = value(env)
        if not _is_object(found, key):
            raise TypeError(f"`{name}` must be a `{key}`")
        return found

    return evaluate


def _test(compiler: Compiler, node: tir.Call) -> Eval:
    value, key = compiler.expr(node.args[0]), _text(node, 1)
    return lambda env: _is_object(value(env), key)


def _is_null(compiler: Compiler, node: tir.Call) -> Eval:
    value = compiler.expr(node.args[0])
    return lambda env: value(env) is None


def _array_size(compiler: Compiler, node: tir.Call) -> Eval:
    array = compiler.expr(node.args[0])
    return lambda env: len(array(env))


def _array_item(compiler: Compiler, node: tir.Call) -> Eval:
    array, index = compiler.expr(node.args[0]), compiler.expr(node.args[1])

    def evaluate(env: Env) -> Value:
        items, place = array(env), index(env)
        if not 0 <= place < len(items):
            raise IndexError(f"an array of {len(items)} elements has none at {place}")
        item = items[place]
        return item if str(node.dtype) == "handle" else fit(node.dtype)(item)

    return evaluate


OBJECT_INTRINSICS: dict[str, Callable[[Compiler, tir.Call], Eval]] = {
    "array_item": _array_item,
    "array_size": _array_size,
    "as_object": _as_object,
    "get_field": _get_field,
    "is_object": _test,
    "isnullptr": _is_null,
    "object_field": _object_field,
}
"""By the operator's name without its dialect."""
