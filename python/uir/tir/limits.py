"""The ends of data types, as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uir_nodes.ir import PrimExpr, Span

from . import _ffi_api

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = [
    "infinity",
    "max_value",
    "min_value",
]


def min_value(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return the least finite value of a data type.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is no scalar number.
    """
    return _ffi_api.min_value(dtype, span)


def max_value(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return the greatest finite value of a data type; constants of `uint64` do not reach it.

    Parameters
    ----------
    dtype
        The data type, a number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is no scalar number.
    ValueError
        If no constant reaches it.
    """
    return _ffi_api.max_value(dtype, span)


def infinity(dtype: DataType | str, span: Span | None = None) -> PrimExpr:
    """Return infinity.

    Parameters
    ----------
    dtype
        The data type, a floating-point number.
    span
        Where that is written.

    Returns
    -------
    PrimExpr
        The constant.

    Raises
    ------
    TypeError
        If the data type is no floating-point number, or has no infinity.
    """
    return _ffi_api.infinity(dtype, span)
