"""Calls of functions that write their outputs through parameters, and checks of dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _ffi_api

if TYPE_CHECKING:
    from uir_nodes.ir import ExternFunc, GlobalVar, PrimExpr, RelayExpr, Span, Type

__all__ = ["call_destination_passing", "require"]


def call_destination_passing(
    callee: GlobalVar | ExternFunc,
    args: Sequence[RelayExpr],
    out_types: Type | Sequence[Type],
    span: Span | None = None,
) -> RelayExpr:
    """Call a tensor-level or an external function, which writes its outputs through parameters.

    The function is called with the arguments and then the outputs, which are fresh tensors.

    Parameters
    ----------
    callee
        The `GlobalVar` of a `PrimFunc`, or an `ExternFunc`.
    args
        The arguments.
    out_types
        The type of the output, or those of several outputs.
    span
        Source location of the expression.

    Returns
    -------
    RelayExpr
        The call: the output itself if there is one, else a tuple of them.

    Raises
    ------
    TypeError
        If `callee` is of another type, or an output is not a tensor.
    ValueError
        If there is no output.
    """
    types = list(out_types) if isinstance(out_types, Sequence) else [out_types]
    return _ffi_api.call_destination_passing(callee, list(args), types, span)


def require(conditions: Sequence[PrimExpr], span: Span | None = None) -> RelayExpr:
    """Check conditions on dimensions where the block that binds the result runs.

    A call of the compiled function raises a `ValueError` if it runs the block and a condition does
    not hold. The error names the parameters whose dimensions the condition has.

    Parameters
    ----------
    conditions
        Boolean expressions of the dimensions of the function's parameters, at least one.
    span
        Source location of the expression.

    Returns
    -------
    RelayExpr
        The call, whose value is the empty tuple.

    Raises
    ------
    TypeError
        If a condition is not boolean.
    ValueError
        If there is no condition.
    """
    return _ffi_api.require(list(conditions), span)
