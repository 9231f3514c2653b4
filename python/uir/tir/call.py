"""Calls of functions, and of intrinsics for conditions and memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import PrimExpr, Span, StringImm

from . import _ffi_api
from .op import Operand, as_expr, as_operands

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = [
    "address_of",
    "call_extern",
    "call_packed",
    "call_pure_extern",
    "ceildiv",
    "fma",
    "if_then_else",
    "isnullptr",
    "likely",
    "prefetch",
    "reinterpret",
    "ret",
    "storage_sync",
]


def _args(args: Sequence[Operand | str]) -> list[PrimExpr]:
    return [StringImm(arg) if isinstance(arg, str) else as_expr(arg) for arg in args]


def if_then_else(
    condition: Operand, true_value: Operand, false_value: Operand, span: Span | None = None
) -> PrimExpr:
    """Return the value that a condition selects; only that one is computed.

    Parameters
    ----------
    condition
        A scalar boolean.
    true_value
        The result if `condition` holds.
    false_value
        The result otherwise.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If the condition is not a scalar boolean, or the values have no common data type.
    """
    return _ffi_api.if_then_else(as_expr(condition), *as_operands(true_value, false_value), span)


def likely(condition: Operand, span: Span | None = None) -> PrimExpr:
    """Mark a condition as likely to hold.

    Parameters
    ----------
    condition
        A boolean.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The marked condition; a constant is returned unchanged.

    Raises
    ------
    TypeError
        If the condition is not a boolean.
    """
    return _ffi_api.likely(as_expr(condition), span)


def fma(a: Operand, b: Operand, c: Operand, span: Span | None = None) -> PrimExpr:
    """Return the fused multiply-add `a * b + c`, rounded once.

    Parameters
    ----------
    a
        The first factor, a floating-point number.
    b
        The second factor.
    c
        The addend.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If the operands are not floating-point of the same data type.
    """
    return _ffi_api.fma(as_expr(a), as_expr(b), as_expr(c), span)


def ceildiv(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Return the quotient of integers, rounded up.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, a positive integer.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    return _ffi_api.ceildiv(*as_operands(a, b), span)


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
    return _ffi_api.reinterpret(dtype, as_expr(value), span)


def address_of(load: Operand, span: Span | None = None) -> PrimExpr:
    """Return the address of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The address, of data type `handle`.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    return _ffi_api.address_of(as_expr(load), span)


def isnullptr(address: Operand, span: Span | None = None) -> PrimExpr:
    """Return whether an address is null.

    Parameters
    ----------
    address
        The address.
    span
        Source location.

    Returns
    -------
    PrimExpr
        A boolean.

    Raises
    ------
    TypeError
        If `address` is not a `handle`.
    """
    return _ffi_api.isnullptr(as_expr(address), span)


def prefetch(load: Operand, span: Span | None = None) -> PrimExpr:
    """Prefetch the cache line of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call, of data type `void`.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    return _ffi_api.prefetch(as_expr(load), span)


def storage_sync(scope: str, span: Span | None = None) -> PrimExpr:
    """Synchronize the threads of a group on a storage scope.

    Parameters
    ----------
    scope
        The storage scope, such as `shared`.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call, of data type `void`.
    """
    return _ffi_api.storage_sync(scope, span)


def ret(value: Operand, span: Span | None = None) -> PrimExpr:
    """Return a value from the enclosing function.

    Parameters
    ----------
    value
        The value.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call, of data type `void`.
    """
    return _ffi_api.ret(as_expr(value), span)


def call_packed(
    name: str,
    *args: Operand | str,
    dtype: DataType | str = "int32",
    span: Span | None = None,
) -> PrimExpr:
    """Call a global FFI function by name.

    Parameters
    ----------
    name
        The global name of the function.
    *args
        The arguments. Strings become `StringImm`.
    dtype
        The data type of the result.
    span
        Source location.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_packed(dtype, name, _args(args), span)


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
    return _ffi_api.call_extern(dtype, name, _args(args), span)


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
    return _ffi_api.call_pure_extern(dtype, name, _args(args), span)
