"""Types of tensors, as annotations of parameters say them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from uir_nodes.ir import IntImm, PrimExpr, TensorType

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = ["Tensor"]


def Tensor(shape: Sequence[PrimExpr | int], dtype: DataType | str = "float32") -> TensorType:
    """Make the type of a tensor.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first: a number, a `tir.SizeVar`, or an expression over
        these.
    dtype
        The data type of the elements.

    Returns
    -------
    TensorType
        The type.

    Raises
    ------
    TypeError
        If the shape is not a sequence, or an extent is neither a number nor an expression.

    Examples
    --------
    >>> Tensor((2, 3)).shape[1].value
    3
    """
    if not isinstance(shape, Sequence):
        raise TypeError(f"relay.Tensor: `shape` must be a sequence of extents, got `{shape!r}`")
    return TensorType([_extent(extent) for extent in shape], dtype)


def _extent(extent: PrimExpr | int) -> PrimExpr:
    if isinstance(extent, PrimExpr):
        return extent
    if isinstance(extent, str):
        hint = f'make a variable, `{extent} = uir.tir.SizeVar("{extent}", "int64")`, and use it'
        raise TypeError(f'relay.Tensor: an extent must not be a string, got "{extent}": {hint}')
    try:
        number = index(extent)
    except TypeError:
        message = f"got `{extent!r}` of type `{type(extent).__name__}`"
        raise TypeError(
            f"relay.Tensor: an extent must be an integer or an expression, {message}"
        ) from None
    return IntImm("int32" if number < 2**31 else "int64", number)
