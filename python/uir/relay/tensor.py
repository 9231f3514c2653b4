"""Types of tensors, as annotations of parameters say them."""

from __future__ import annotations

from collections.abc import Sequence
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

    Examples
    --------
    >>> Tensor((2, 3)).shape[1].value
    3
    """
    return TensorType([_extent(extent) for extent in shape], dtype)


def _extent(extent: PrimExpr | int) -> PrimExpr:
    if isinstance(extent, PrimExpr):
        return extent
    return IntImm("int32" if extent < 2**31 else "int64", extent)
