"""Calls of operators on arrays: by their references, else by the rules of their declarations."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import tvm_ffi

from uir_nodes.ir import Op, PrimExpr, RelayExpr, TensorType, has_op
from uir_nodes.relay import Call, ReshapeAttrs, Tuple

from ..runtime import numpy_dtype
from . import reference
from .dimensions import Dimensions
from .reference import registry
from .reference.rules import run_compute, run_decompose, run_scalar

__all__ = ["call_part", "run_operator"]

RunExpr = Callable[[RelayExpr], Any]


def run_operator(op: Op, call: Call, run_expr: RunExpr, dimensions: Dimensions) -> Any:
    """Return the value of a call of an operator.

    Raises
    ------
    TypeError
        If the operator has neither a reference nor a rule.
    """
    operands = {
        info.name: _operand(arg, info.type_info, run_expr)
        for arg, info in zip(call.args, op.arguments, strict=False)
    }
    attributes = {
        name: _attribute(getattr(call.attrs, name), dimensions) for name in _names(type(call.attrs))
    }
    function = find_reference(op.name)
    type_ = call.checked_type
    if _copies_symbolic_shape(call) and isinstance(type_, TensorType):
        # As a number 0, a dimension would mean that of the operand, and -1 any dimension.
        shape = tuple(dimensions.value(dim) for dim in type_.shape)
        return operands["x"].reshape(shape)
    if function is not None:
        if operands.keys() <= inspect.signature(function).parameters.keys():
            return function(**operands, **attributes)
        return function(*operands.values(), **attributes)
    result = run_rule(op, {**operands, **attributes})
    if isinstance(type_, TensorType) and isinstance(result, np.ndarray):
        return result.astype(numpy_dtype(type_.dtype))
    return result


def _copies_symbolic_shape(call: Call) -> bool:
    """Return whether a call is a reshape to dimensions that are not constant."""
    attrs = call.attrs
    return isinstance(attrs, ReshapeAttrs) and any(isinstance(x, PrimExpr) for x in attrs.shape)


def find_reference(name: str) -> Callable[..., Any] | None:
    """Return the reference of an operator; None if it has none."""
    namespace, _, last = name.rpartition(".")
    if namespace != "relay" or last not in reference.__all__:
        return registry.find(name)
    function: Callable[..., Any] = getattr(reference, last)
    return function


def run_rule(op: Op, arguments: dict[str, object]) -> Any:
    """Return the result of an operator's declaration for its arguments.

    Raises
    ------
    TypeError
        If the declaration has no such rule.
    """
    for rule, run in (("scalar", run_scalar), ("compute", run_compute)):
        text = op.get_attr(rule)
        if text is not None:
            return run(str(text), arguments)
    text = op.get_attr("decompose")
    if text is None:
        raise TypeError(
            f"evaluate: `{op.name}` has neither a rule to compute it nor a reference; "
            "give it one with `uir.relay.reference.register`"
        )
    call = partial(call_part, op.name.rpartition(".")[0])
    return run_decompose(str(text), arguments, call)


def call_part(namespace: str, name: str, *positional: object, **attributes: object) -> object:
    """Call an operator that a `decompose` names: one of the same dialect, or else of relay."""
    whole = f"{namespace}.{name}" if has_op(f"{namespace}.{name}") else f"relay.{name}"
    function, part = find_reference(whole), Op.get(whole)
    if function is not None:
        names = list(inspect.signature(function).parameters)
        return function(*_converted(part, names, positional), **attributes)
    names = [info.name for info in part.arguments]
    count = len(names)
    operands = _converted(part, names, positional[:count])
    given = {**dict(zip(names, operands, strict=False)), **attributes}
    return run_rule(part, {**given, **_attributes(part, positional[count:], attributes)})


def _converted(op: Op, names: Sequence[str], positional: Sequence[object]) -> Iterator[object]:
    """Yield arguments; a number takes the data type of an array with the same type variable."""
    variables = {info.name: re.split(r"\W", info.type_info)[0] for info in op.arguments}
    dtypes = {
        variables[name]: value.dtype
        for name, value in zip(names, positional, strict=False)
        if isinstance(value, np.ndarray) and name in variables
    }
    for name, value in zip(names, positional, strict=False):
        dtype = dtypes.get(variables.get(name, ""))
        is_number = isinstance(value, int | float) and dtype is not None
        yield np.asarray(value, dtype) if is_number else value


def _attributes(
    op: Op, positional: Sequence[object], keywords: dict[str, object]
) -> dict[str, Any]:
    """Return the attributes of a call with defaults."""
    key = op.get_attr("attrs_key")
    if key is None:
        return {}
    node_class = tvm_ffi.core._lookup_or_register_type_info_from_type_key(str(key)).type_cls
    assert node_class is not None
    names = _names(node_class)
    node = node_class(**dict(zip(names, positional, strict=False)), **keywords)
    return {name: _attribute(getattr(node, name), Dimensions()) for name in names}


def _operand(arg: RelayExpr, dtype: str, run_expr: RunExpr) -> Any:
    """Return the value of an operand: None for an absent one, a list for a variadic one."""
    if isinstance(arg, Tuple) and dtype.endswith("..."):
        return [run_expr(field) for field in arg.fields]
    if isinstance(arg, Tuple) and dtype.endswith("?") and not arg.fields:
        return None
    return run_expr(arg)


def _names(attrs_class: type) -> Sequence[str]:
    """Return the names of the fields of a node of attributes."""
    return list(vars(attrs_class).get("__annotations__", {}))


def _attribute(value: object, dimensions: Dimensions) -> Any:
    """Return an attribute as a plain value; dimensions become numbers."""
    if isinstance(value, PrimExpr):
        return dimensions.value(value)
    if isinstance(value, tvm_ffi.Array):
        return [_attribute(element, dimensions) for element in value]
    return value
