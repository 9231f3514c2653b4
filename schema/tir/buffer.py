"""Buffers, regions of buffers, and loads."""

from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.ir.span import SpanNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


@declare
class BufferType(ty.IntEnum):
    """
    Treatment of indices outside the extents of a buffer.

    Attributes
    ----------
    DEFAULT
        Indices must be within the extents.
    AUTO_BROADCAST
        An index into a dimension of extent 1 is treated as 0.
    """

    DEFAULT = 1
    AUTO_BROADCAST = 2


@declare
class BufferNode(Object):
    """
    Multi-dimensional array in memory, with the layout of its elements.

    A buffer has identity: two buffers of the same shape are different buffers. Element
    `(i, j, ...)` is at offset `elem_offset + i * strides[0] + j * strides[1] + ...` from
    `data`, in elements.

    See Also
    --------
    Buffer
    AllocBuffer
    DeclBuffer

    Attributes
    ----------
    data
        The pointer to the memory, a variable of data type `handle`.
    dtype
        The data type of an element.
    shape
        Extent of each dimension, outermost first, as scalar integers.
    strides
        Stride of each dimension, in elements; empty for a compact row-major buffer.
    elem_offset
        Offset of the first element from `data`, in elements. The constructor replaces None by
        0.
    name
        The name that printers use; structural equality ignores it.
    data_alignment
        Alignment of `data`, in bytes; a power of two.
    offset_factor
        A divisor of `elem_offset`, in elements; at least 1.
    buffer_type
        How the buffer may be read beyond its extents.
    axis_separators
        The first dimension of each group but the first, ascending; flattening keeps the groups
        as separate dimensions. Empty for flat memory.
    span
        Source location of the declaration; structural equality ignores it.
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

    @method
    def scope(self) -> ty.String:
        """
        Return the storage scope of the buffer.

        Returns
        -------
        scope
            The scope in the pointer type of `data`, by default `global`.
        """
        ...

    @method
    def is_compact(self) -> ty.bool:
        """
        Return whether the elements are contiguous in row-major order.

        Returns
        -------
        compact
            True if there are no strides, or if they are the constants of a compact buffer.
        """
        ...

    @method
    def offsets(self, indices: ty.Array[PrimExprNode]) -> ty.Array[PrimExprNode]:
        """
        Return the offset of an element from `data`, in elements.

        Parameters
        ----------
        indices
            One integer for each dimension; only the last one may be a vector.

        Returns
        -------
        offsets
            One offset for each group of dimensions, which is one without `axis_separators`.
        """
        ...

    @method
    def flattened(self) -> "BufferNode":
        """
        Return a one-dimensional view of the same memory, which `offsets` indexes.

        Returns
        -------
        buffer
            The buffer, with one dimension for each group; this buffer itself if it is flat.
        """
        ...

    @method
    def load_vector(
        self,
        begin: ty.Array[PrimExprNode],
        dtype: ty.Optional[ty.DataType] = None,
        predicate: ty.Optional[PrimExprNode] = None,
    ) -> PrimExprNode:
        """
        Load a vector of consecutive elements of the last dimension.

        Parameters
        ----------
        begin
            The indices of the first element.
        dtype
            The data type of the vector, a multiple of the element type; None for one element.
        predicate
            The mask of lanes to read; None for all.

        Returns
        -------
        load
            The load.
        """
        ...

    @method
    def pointer_to(
        self,
        access_mask: ty.int32_t,
        offset: ty.Optional[PrimExprNode] = None,
        extent: ty.Optional[PrimExprNode] = None,
    ) -> PrimExprNode:
        """
        Return a pointer to an element, to pass to a function.

        Parameters
        ----------
        access_mask
            The kind of access: 1 for reads, 2 for writes, 3 for both.
        offset
            Offset of the element from the first one, in elements; None for 0.
        extent
            The number of elements accessed; None for all that follow.

        Returns
        -------
        address
            A call of `tir.access_ptr`, of data type `handle`.
        """
        ...


@declare
class BufferRegionNode(Object):
    """
    Rectangular region of a buffer.

    See Also
    --------
    BufferRegion

    Attributes
    ----------
    buffer
        The buffer.
    region
        One range for each dimension.
    """

    type_key = "uir.tir.BufferRegion"
    post_init = True
    buffer: BufferNode
    region: ty.Array[RangeNode]


@declare
class MatchBufferRegionNode(Object):
    """
    Buffer that aliases a region of another buffer inside a block.

    See Also
    --------
    MatchBufferRegion
    Block

    Attributes
    ----------
    buffer
        The new buffer; binds the variables in its data pointer, strides and offset.
    source
        The region, of the same data type.
    """

    type_key = "uir.tir.MatchBufferRegion"
    post_init = True
    buffer: BufferNode = field(structural="def_pattern")
    source: BufferRegionNode


@declare
class BufferLoadNode(PrimExprNode):
    """
    Load of an element or a vector from a buffer.

    See Also
    --------
    BufferLoad
    BufferStore

    Attributes
    ----------
    buffer
        The buffer to read.
    indices
        One integer for each dimension; only the last one may be a vector.
    predicate
        The mask of lanes to read, a boolean with the lanes of the last index; None for all.
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
    Multi-dimensional array that an operation produces, before it has memory.

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
        The name that printers use; structural equality ignores it.
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
    Element of a producer's array; lowering replaces it by a `BufferLoad`.

    See Also
    --------
    ProducerLoad

    Attributes
    ----------
    producer
        The producer of the array.
    indices
        One scalar integer for each dimension.
    dtype
        The data type of an element.
    """

    type_key = "uir.tir.ProducerLoad"
    script = "tir.ProducerLoad({producer}, {indices})"
    post_init = True
    producer: DataProducerNode
    indices: ty.Array[PrimExprNode]
    dtype: ty.DataType = field(init=False)


@function
def decl_buffer(
    shape: ty.Array[PrimExprNode],
    dtype: ty.DataType,
    name: ty.String = "buffer",
    data: ty.Optional[VarNode] = None,
    strides: ty.Optional[ty.Array[PrimExprNode]] = None,
    elem_offset: ty.Optional[PrimExprNode] = None,
    scope: ty.String = "global",
    data_alignment: ty.int32_t = 64,
    offset_factor: ty.int32_t = 0,
    buffer_type: BufferType = BufferType.DEFAULT,
    axis_separators: ty.Optional[ty.Array[ty.int64_t]] = None,
    span: ty.Optional[SpanNode] = None,
) -> BufferNode:
    """
    Make a buffer, and a variable for its data pointer unless one is given.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integers.
    dtype
        The data type of an element.
    name
        The name of the buffer and of its data pointer.
    data
        The data pointer; None for a new variable.
    strides
        Stride of each dimension, in elements; None for a compact buffer.
    elem_offset
        Offset of the first element from `data`, in elements; None for 0, or for a new variable
        if `offset_factor` is not 0.
    scope
        The storage scope, such as `global`, `shared` or `local`; ignored if `data` is given.
    data_alignment
        Alignment of `data`, in bytes; a power of two.
    offset_factor
        A divisor of `elem_offset`, in elements; 0 if unknown.
    buffer_type
        How the buffer may be read beyond its extents.
    axis_separators
        The first dimension of each group but the first, for flattening.
    span
        Source location of the declaration.

    Returns
    -------
    buffer
        The buffer.
    """
    ...
