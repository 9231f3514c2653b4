"""Calls and conditions of any number of operands, which Python takes one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import PrimExpr, Span, StringImm
from uir_nodes.tir import Buffer, logical_and, logical_or, tensor_argument

from . import _ffi_api
from .op import Operand, as_expr

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = ["all", "any", "call_extern", "call_packed", "call_pure_extern", "reinterpret"]


def _args(args: Sequence[Operand | str]) -> list[PrimExpr]:
    return [StringImm(arg) if isinstance(arg, str) else as_expr(arg) for arg in args]


def _packed_args(args: Sequence[Operand | str | Buffer]) -> list[PrimExpr]:
    return [tensor_argument(arg) if isinstance(arg, Buffer) else _args([arg])[0] for arg in args]


def reinterpret(dtype: DataType | str, value: Operand, span: Span | None = None) -> PrimExpr:
    """Reinterpret the bits of a value as another data type.

    Parameters
    ----------
    dtype
        The data type, with as many bits as that of `value`.
    value
        The value.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression; the value itself if it has that data type.

    Raises
    ------
    TypeError
        If the numbers of bits differ.
    """
    return _ffi_api.reinterpret(as_expr(value), dtype, span)


def call_packed(
    name: str,
    *args: Operand | str | Buffer,
    dtype: DataType | str = "int32",
    span: Span | None = None,
) -> PrimExpr:
    """Call a global function of tvm-ffi by name.

    `uir.build` fails if there is no such function; the module then runs in this process only.

    Parameters
    ----------
    name
        The global name of the function.
    *args
        The arguments: numbers, booleans, references to objects, pointers, strings, and buffers,
        which are passed as tensors.
    dtype
        The data type of the result: a number, a boolean or a pointer. The result of another kind is
        an error, unless it is not used.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_packed(StringImm(name), _packed_args(args), dtype, span)


def call_extern(
    dtype: DataType | str, name: str, *args: Operand | str, span: Span | None = None
) -> PrimExpr:
    """Call a C function by symbol; it may have any side effect.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    *args
        The arguments. Strings become `StringImm`.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_extern(StringImm(name), _args(args), dtype, span)


def call_pure_extern(
    dtype: DataType | str, name: str, *args: Operand | str, span: Span | None = None
) -> PrimExpr:
    """Call a C function without side effects by symbol.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    *args
        The arguments. Strings become `StringImm`.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_pure_extern(StringImm(name), _args(args), dtype, span)


def all(*conditions: Operand) -> PrimExpr:
    """Return the conjunction of conditions.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The conjunction; the constant True if there are no conditions.

    Raises
    ------
    TypeError
        If a condition is not a boolean.
    """
    result = as_expr(True)
    for condition in conditions:
        result = logical_and(result, condition)
    return result


def any(*conditions: Operand) -> PrimExpr:
    """Return the disjunction of conditions.

    Parameters
    ----------
    *conditions
        Booleans.

    Returns
    -------
    PrimExpr
        The disjunction; the constant False if there are no conditions.

    Raises
    ------
    TypeError
        If a condition is not a boolean.
    """
    result = as_expr(False)
    for condition in conditions:
        result = logical_or(result, condition)
    return result
