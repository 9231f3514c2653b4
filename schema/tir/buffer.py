"""Buffers, regions of them, and reads from them."""

from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.ir.span import SpanNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, ty


@declare
class BufferType(ty.IntEnum):
    """
    How a buffer may be read beyond its extents.

    Attributes
    ----------
    DEFAULT
        Indices are within the extents.
    AUTO_BROADCAST
        An index into a dimension of extent 1 is taken for 0.
    """

    DEFAULT = 1
    AUTO_BROADCAST = 2


@declare
class BufferNode(Object):
    """
    Multi-dimensional array in memory: what its elements are and where they lie.

    A buffer stands for itself: two buffers of the same shape are different buffers. Element
    `(i, j, ...)` lies `elem_offset + i * strides[0] + j * strides[1] + ...` elements behind the
    address that `data` holds.

    See Also
    --------
    Buffer
    AllocBuffer
    DeclBuffer

    Attributes
    ----------
    data
        Address of the memory, a variable of data type `handle`.
    dtype
        The data type of an element.
    shape
        Extent of each dimension, outermost first, as scalar integers.
    strides
        Distance of neighbours in each dimension, in elements; empty for a compact row-major
        buffer.
    elem_offset
        Distance of the first element from `data`, in elements. None becomes 0 when the buffer
        is made.
    name
        What printers call it; structural equality ignores it.
    data_alignment
        Alignment of `data`, in bytes; a power of two.
    offset_factor
        `elem_offset` is a multiple of it, in elements; at least 1.
    buffer_type
        How the buffer may be read beyond its extents.
    axis_separators
        Dimensions that flattening keeps apart, ascending: each entry is the first dimension of
        a new group. Empty for memory that is flat.
    span
        Where the buffer was declared; structural equality ignores it.
    """

    type_key = "uir.tir.Buffer"
    structural = "var"
    post_init = True
    data: VarNode
    dtype: ty.DataType
    shape: ty.Array[PrimExprNode]
    strides: ty.Array[PrimExprNode] = field(default_factory=list)
    elem_offset: ty.Optional[PrimExprNode] = field(default=None)
    name: ty.String = field(default="buffer", structural="ignore")
    data_alignment: ty.int32_t = field(default=64)
    offset_factor: ty.int32_t = field(default=1)
    buffer_type: BufferType = field(default=BufferType.DEFAULT)
    axis_separators: ty.Array[ty.int64_t] = field(default_factory=list)
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class BufferRegionNode(Object):
    """
    Box-shaped part of a buffer.

    See Also
    --------
    BufferRegion

    Attributes
    ----------
    buffer
        The buffer.
    region
        The part of each dimension, one range for each.
    """

    type_key = "uir.tir.BufferRegion"
    post_init = True
    buffer: BufferNode
    region: ty.Array[RangeNode]


@declare
class MatchBufferRegionNode(Object):
    """
    Buffer that stands for a part of another one inside a block.

    See Also
    --------
    MatchBufferRegion
    Block

    Attributes
    ----------
    buffer
        The new buffer; its address, strides and offset may be variables, which are bound here.
    source
        The part that it stands for, of the same data type.
    """

    type_key = "uir.tir.MatchBufferRegion"
    post_init = True
    buffer: BufferNode = field(structural="def_pattern")
    source: BufferRegionNode


@declare
class BufferLoadNode(PrimExprNode):
    """
    Element, or short vector of elements, that is read from a buffer.

    See Also
    --------
    BufferLoad
    BufferStore

    Attributes
    ----------
    buffer
        The buffer to read.
    indices
        One integer for each dimension; the last one alone may be a vector.
    predicate
        Which lanes to read, a boolean with the lanes of the last index; None for all.
    dtype
        The data type of an element with the lanes of the last index.
    """

    type_key = "uir.tir.BufferLoad"
    post_init = True
    buffer: BufferNode
    indices: ty.Array[PrimExprNode]
    predicate: ty.Optional[PrimExprNode] = field(default=None)
    dtype: ty.DataType = field(init=False)


@declare
class DataProducerNode(Object):
    """
    Multi-dimensional array that something else computes, not yet given a place in memory.

    See Also
    --------
    DataProducer
    ProducerLoad

    Attributes
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integers.
    dtype
        The data type of an element.
    name
        What printers call it; structural equality ignores it.
    """

    type_key = "uir.tir.DataProducer"
    final = False
    post_init = True
    shape: ty.Array[PrimExprNode]
    dtype: ty.DataType
    name: ty.String = field(default="", structural="ignore")


@declare
class ProducerLoadNode(PrimExprNode):
    """
    Element of an array that has no place in memory yet; lowering turns it into a `BufferLoad`.

    See Also
    --------
    ProducerLoad

    Attributes
    ----------
    producer
        The array to read.
    indices
        One scalar integer for each dimension.
    dtype
        The data type of an element.
    """

    type_key = "uir.tir.ProducerLoad"
    post_init = True
    producer: DataProducerNode
    indices: ty.Array[PrimExprNode]
    dtype: ty.DataType = field(init=False)


@function
def decl_buffer(
    shape: ty.Array[PrimExprNode],
    dtype: ty.DataType,
    name: ty.String = "buffer",
    storage_scope: ty.String = "global",
) -> BufferNode:
    """
    Make a compact row-major buffer, and the variable of its address.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integers.
    dtype
        The data type of an element.
    name
        What printers call the buffer; the variable is called the same.
    storage_scope
        The memory that it lies in, such as `global`, `shared` or `local`.

    Returns
    -------
    buffer
        The buffer.
    """
    ...
