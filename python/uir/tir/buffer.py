"""Making buffers, and the variables of their addresses.

`decl_buffer` is long as it documents twelve options, in the order of TVM's; its code is one call.
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
    """Make a buffer and, where none is given, the variable of its address.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a number alone stands for one dimension.
    dtype
        The data type of an element.
    name
        What printers call the buffer; the variable is called the same.
    data
        Address of the memory; None for a new variable.
    strides
        Distance of neighbours in each dimension, in elements; None for a compact row-major buffer.
    elem_offset
        Distance of the first element from `data`, in elements; None for 0, or for a new variable
        where `offset_factor` is given.
    scope
        The memory that it lies in, such as `global`, `shared` or `local`; without effect where
        `data` is given.
    data_alignment
        Alignment of `data`, in bytes; a power of two.
    offset_factor
        What `elem_offset` is a multiple of, in elements; 0 where nothing is known.
    buffer_type
        How the buffer may be read beyond its extents.
    axis_separators
        Dimensions that flattening keeps apart: the first one of each new group.
    span
        Where the buffer is declared.

    Returns
    -------
    Buffer
        The buffer.

    Raises
    ------
    TypeError
        If an extent, a stride or the offset is no scalar integer, or `data` is no `handle`.
    ValueError
        If the strides are not as many as the dimensions, or an alignment or a factor makes no
        sense.

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
