"""Functions that are smaller than another one by one change.

In: a high-level function.  Out: functions, those with much less first; each has the types that its
operators give it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tschema.runtime import post_order
from uir_nodes.ir import IntImm, IRModule, PrimExpr, RelayExpr, TensorType
from uir_nodes.relay import Binding, Call, Constant, Function, If, Tuple, Var

from .. import tir
from ..arith import Analyzer
from ..relay import Tensor, const
from ..runtime import as_array, numpy_dtype
from ..transform import DeadCode, InferType, Inline, Sequential, ToANormalForm
from .rebuild import Changes, operands_of, rebuild

__all__ = ["smaller_functions", "without_calls"]

COMMON_DTYPES = ("float32", "int32")
"""What data types become."""
SIZE_ATTRIBUTES = ("shape", "sizes", "output_shape")
"""Attributes that have dimensions, which change with those of the operands."""


def without_calls(module: IRModule) -> IRModule:
    """Return a module in A-normal form whose private functions are inlined where they can be."""
    return Sequential([InferType(), ToANormalForm(), Inline(), DeadCode()])(module)


def smaller_functions(function: Function) -> Iterator[Function]:
    """Yield functions that are smaller by one change."""
    for makers in (_results, _parameters_for_values, _values, _parts, _dims, _dtypes, _constants):
        for changes in makers(function):
            try:
                yield rebuild(function, changes)
            except (TypeError, ValueError):
                # An operator does not take its new operands.
                continue


def _results(function: Function) -> Iterator[Changes]:
    """Yield changes to one of the results, to one less, and to earlier values."""
    result = function.body.result
    if isinstance(result, Tuple) and len(result.fields) > 0:
        fields = list(result.fields)
        yield from (Changes(result=field) for field in fields)
        if len(fields) > 2:
            for place in range(len(fields)):
                yield Changes(result=Tuple(fields[:place] + fields[place + 1 :]))
        return
    if isinstance(function.body.bindings[-1].value if function.body.bindings else None, If):
        return
    for binding in reversed(function.body.bindings[:-1]):
        if isinstance(binding.var.checked_type, TensorType):
            yield Changes(result=binding.var)


def _parameters_for_values(function: Function) -> Iterator[Changes]:
    """Yield changes of many values to parameters, then of half as many, down to one."""
    bindings = [
        one for one in function.body.bindings if isinstance(one.var.checked_type, TensorType)
    ]
    # The last value is the result, mostly.
    count = len(bindings)
    while count:
        for first in range(0, len(bindings), count):
            chosen = bindings[first : first + count]
            yield Changes(values={one.var: _parameter(one) for one in chosen})
        count //= 2


def _parameter(binding: Binding) -> RelayExpr:
    return Var(binding.var.name, binding.var.checked_type)


def _values(function: Function) -> Iterator[Changes]:
    """Yield changes of a value to one of its operands of the same type."""
    for binding in function.body.bindings:
        for operand in operands_of(binding.value):
            if _same_type(operand, binding.var):
                yield Changes(values={binding.var: operand})


def _same_type(one: RelayExpr, other: RelayExpr) -> bool:
    types = one.checked_type, other.checked_type
    return all(isinstance(type_, TensorType) for type_ in types) and str(types[0]) == str(types[1])


def _parts(function: Function) -> Iterator[Changes]:
    """Yield changes of operands: an element less, an optional one left out, an equal one shared."""
    params = list(function.params)
    for binding in function.body.bindings:
        value = binding.value
        for place, operand in enumerate(operands_of(value) if isinstance(value, Call) else ()):
            if isinstance(operand, Tuple):
                for left_out in range(len(operand.fields)):
                    fields = list(operand.fields)
                    del fields[left_out]
                    yield Changes(operands={(value, place): Tuple(fields)})
                continue
            yield Changes(operands={(value, place): Tuple([])})
    for place, param in enumerate(params):
        for earlier in params[:place]:
            if _same_type(param, earlier):
                yield Changes(values={param: earlier})


def _dims(function: Function) -> Iterator[Changes]:
    """Yield changes of all dimensions of one length, and of one symbolic dimension."""
    lengths: set[int] = set()
    symbols: dict[tir.Var, None] = {}
    for type_ in _types(function):
        for dim in type_.shape:
            if isinstance(dim, IntImm):
                lengths.add(int(dim.value))
            else:
                symbols.update((one, None) for one in post_order(dim) if isinstance(one, tir.Var))
    for symbol in symbols:
        for length in (1, 2, 5):
            yield _resized(partial(_symbol_to, symbol, length))
    for length in sorted(lengths, reverse=True):
        shorter = {1, 2, length // 2, length - 1} if length > 1 else set()
        for new in sorted(one for one in shorter if 0 < one < length):
            yield _resized(partial(_length_to, length, new))


def _symbol_to(symbol: tir.Var, new: int, dim: object) -> object:
    if not isinstance(dim, PrimExpr) or isinstance(dim, IntImm):
        return dim
    analyzer = Analyzer()
    analyzer.bind(symbol, tir.const(new, symbol.dtype))
    value = analyzer.simplify(dim)
    return int(value.value) if isinstance(value, IntImm) else value


def _length_to(length: int, new: int, dim: object) -> object:
    value = int(dim.value) if isinstance(dim, IntImm) else dim
    return new if isinstance(value, int) and value == length else dim


def _resized(change: Callable[[Any], Any]) -> Changes:
    def retype(type_: TensorType) -> TensorType:
        dims = [change(dim) for dim in type_.shape]
        same = all(one is old for one, old in zip(dims, type_.shape, strict=True))
        return type_ if same else Tensor(dims, type_.dtype)

    def reconstant(constant: Constant) -> RelayExpr:
        array = as_array(constant.data)
        dims = [change(dim) for dim in array.shape]
        return constant if dims == list(array.shape) else const(_cut(array, dims))

    def attribute(name: str, value: Any) -> Any:
        is_shape = name in SIZE_ATTRIBUTES and isinstance(value, list)
        return [change(one) for one in value] if is_shape else value

    return Changes(retype=retype, reconstant=reconstant, attribute=attribute)


def _cut(array: Any, dims: Sequence[int]) -> Any:
    """Return the first elements of an array along each axis."""
    return array[tuple(slice(dim) for dim in dims)]


def _dtypes(function: Function) -> Iterator[Changes]:
    """Yield changes of one data type to a common one."""
    found = sorted({str(type_.dtype) for type_ in _types(function)})
    for old in found:
        is_float = "float" in old
        for new in COMMON_DTYPES:
            if old not in (new, "bool") and is_float == ("float" in new):
                yield _with_dtype(old, new)


def _with_dtype(old: str, new: str) -> Changes:
    def retype(type_: TensorType) -> TensorType:
        return Tensor(type_.shape, new) if str(type_.dtype) == old else type_

    def reconstant(constant: Constant) -> RelayExpr:
        array = as_array(constant.data)
        with np.errstate(all="ignore"):
            return const(array.astype(numpy_dtype(new))) if str(array.dtype) == old else constant

    def attribute(name: str, value: object) -> Any:
        return new if name == "dtype" and str(value) == old else value

    return Changes(retype=retype, reconstant=reconstant, attribute=attribute)


def _constants(function: Function) -> Iterator[Changes]:
    """Yield changes of all constants to zeros, to ones, and to parameters."""
    constants = list(_constants_of(function))
    for number in (0, 1):
        if any((as_array(one.data) != number).any() for one in constants):
            yield Changes(reconstant=partial(_filled, number))


def _filled(number: int, constant: Constant) -> RelayExpr:
    array = as_array(constant.data)
    return const(np.full(array.shape, number).astype(array.dtype))


def _types(function: Function) -> Iterator[TensorType]:
    """Yield the types of parameters and constants."""
    for leaf in (*function.params, *_constants_of(function)):
        if isinstance(leaf.checked_type, TensorType):
            yield leaf.checked_type


def _constants_of(function: Function) -> Iterator[Constant]:
    """Yield the constants, once for each use."""
    for value in (*(one.value for one in function.body.bindings), function.body.result):
        pending = [value]
        while pending:
            one = pending.pop()
            pending += operands_of(one)
            if isinstance(one, Constant):
                yield one
