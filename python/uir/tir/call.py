"""Calls of functions, and of intrinsics on conditions and memory."""

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
    """Make the choice between two values, only one of which is computed.

    Parameters
    ----------
    condition
        A scalar boolean; a constant one decides here.
    true_value
        The result where it holds.
    false_value
        The result elsewhere.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If the condition is no scalar boolean, or the values have no common data type.
    """
    return _ffi_api.if_then_else(as_expr(condition), *as_operands(true_value, false_value), span)


def likely(condition: Operand, span: Span | None = None) -> PrimExpr:
    """Note that a condition mostly holds.

    Parameters
    ----------
    condition
        A boolean.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The condition with the note; a constant stays as it is.

    Raises
    ------
    TypeError
        If the condition is no boolean.
    """
    return _ffi_api.likely(as_expr(condition), span)


def fma(a: Operand, b: Operand, c: Operand, span: Span | None = None) -> PrimExpr:
    """Make `a * b + c`, rounded once.

    Parameters
    ----------
    a
        The first factor, a floating-point number.
    b
        The second factor.
    c
        What is added.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If the operands are no floating-point numbers of one data type.
    """
    return _ffi_api.fma(as_expr(a), as_expr(b), as_expr(c), span)


def ceildiv(a: Operand, b: Operand, span: Span | None = None) -> PrimExpr:
    """Make the quotient, rounded up.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, a positive integer.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression.

    Raises
    ------
    TypeError
        If the operands are no integers.
    ValueError
        If `b` is the constant 0.
    """
    return _ffi_api.ceildiv(*as_operands(a, b), span)


def reinterpret(dtype: DataType | str, value: Operand, span: Span | None = None) -> PrimExpr:
    """Take the bits of a value for another data type.

    Parameters
    ----------
    dtype
        The data type, of as many bits as that of the value.
    value
        The value.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The expression; the value itself if it has that data type.

    Raises
    ------
    TypeError
        If the data types have other numbers of bits.
    """
    return _ffi_api.reinterpret(dtype, as_expr(value), span)


def address_of(load: Operand, span: Span | None = None) -> PrimExpr:
    """Make the address of an element of a buffer.

    Parameters
    ----------
    load
        A read of the element.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The address, of data type `handle`.

    Raises
    ------
    TypeError
        If `load` is no `BufferLoad`.
    """
    return _ffi_api.address_of(as_expr(load), span)


def isnullptr(address: Operand, span: Span | None = None) -> PrimExpr:
    """Make the check whether an address is null.

    Parameters
    ----------
    address
        The address.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        A boolean.

    Raises
    ------
    TypeError
        If `address` is no `handle`.
    """
    return _ffi_api.isnullptr(as_expr(address), span)


def prefetch(load: Operand, span: Span | None = None) -> PrimExpr:
    """Load the memory around an element into the cache.

    Parameters
    ----------
    load
        A read of an element.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        A call without a value.

    Raises
    ------
    TypeError
        If `load` is no `BufferLoad`.
    """
    return _ffi_api.prefetch(as_expr(load), span)


def storage_sync(scope: str, span: Span | None = None) -> PrimExpr:
    """Wait until the threads of a group have written a memory.

    Parameters
    ----------
    scope
        The memory, such as `shared`.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        A call without a value.
    """
    return _ffi_api.storage_sync(scope, span)


def ret(value: Operand, span: Span | None = None) -> PrimExpr:
    """Leave the function with a value.

    Parameters
    ----------
    value
        The value.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        A call without a value.
    """
    return _ffi_api.ret(as_expr(value), span)


def call_packed(
    name: str,
    *args: Operand | str,
    dtype: DataType | str = "int32",
    span: Span | None = None,
) -> PrimExpr:
    """Call a function of the FFI registry.

    Parameters
    ----------
    name
        The global name of the function.
    *args
        The arguments. Texts stand for themselves.
    dtype
        The data type of the result.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_packed(dtype, name, _args(args), span)


def call_extern(
    dtype: DataType | str, name: str, *args: Operand | str, span: Span | None = None
) -> PrimExpr:
    """Call a C function, which may do anything.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    *args
        The arguments. Texts stand for themselves.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_extern(dtype, name, _args(args), span)


def call_pure_extern(
    dtype: DataType | str, name: str, *args: Operand | str, span: Span | None = None
) -> PrimExpr:
    """Call a C function that does nothing but compute its result.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    *args
        The arguments. Texts stand for themselves.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The call.
    """
    return _ffi_api.call_pure_extern(dtype, name, _args(args), span)
