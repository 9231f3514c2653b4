"""Construction of buffers.

`decl_buffer` is long because it documents twelve options, in the order of TVM's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from uir_nodes.tir import Buffer, BufferType, Var

from . import _ffi_api
from .op import Operand, as_expr

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

    from uir_nodes.ir import Span

__all__ = ["decl_buffer"]


def decl_buffer(
    shape: Sequence[Operand] | Operand,
    dtype: DataType | str = "float32",
    name: str = "buffer",
    data: Var | None = None,
    strides: Sequence[Operand] | None = None,
    elem_offset: Operand | None = None,
    scope: str = "global",
    data_alignment: int = 64,
    offset_factor: int = 0,
    buffer_type: BufferType = BufferType.DEFAULT,
    axis_separators: Sequence[int] | None = None,
    span: Span | None = None,
) -> Buffer:
    """Make a buffer, and a variable for its data pointer unless one is given.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a single number is one dimension.
    dtype
        The data type of an element.
    name
        The name of the buffer and of its data pointer.
    data
        The data pointer; None for a new variable.
    strides
        Stride of each dimension, in elements; None for a compact row-major buffer.
    elem_offset
        Offset of the first element from `data`, in elements; None for 0, or for a new variable if
        `offset_factor` is not 0.
    scope
        The storage scope, such as `global`, `shared` or `local`; ignored if `data` is given.
    data_alignment
        Alignment of `data`, in bytes; a power of two.
    offset_factor
        A divisor of `elem_offset`, in elements; 0 if unknown.
    buffer_type
        The treatment of indices outside the extents.
    axis_separators
        The first dimension of each group but the first, for flattening.
    span
        Source location of the declaration.

    Returns
    -------
    Buffer
        The buffer.

    Raises
    ------
    TypeError
        If an extent, a stride or the offset is not a scalar integer, or `data` is not a `handle`.
    ValueError
        If the number of strides is not the rank, or an alignment or a factor is invalid.

    Examples
    --------
    >>> decl_buffer((4, 8), "float32", "A", strides=(16, 1)).is_compact()
    False
    """
    extents = shape if isinstance(shape, Sequence) else (shape,)
    return _ffi_api.decl_buffer(
        [as_expr(extent) for extent in extents],
        dtype,
        name,
        data,
        None if strides is None else [as_expr(stride) for stride in strides],
        None if elem_offset is None else as_expr(elem_offset),
        scope,
        data_alignment,
        offset_factor,
        buffer_type,
        axis_separators,
        span,
    )
