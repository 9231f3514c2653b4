"""Buffers, regions of them, and reads from them."""

from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.ir.span import SpanNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


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

    @method
    def scope(self) -> ty.String:
        """
        Return the memory that the buffer lies in.

        Returns
        -------
        scope
            The scope that the type of `data` states, `global` where it states none.
        """
        ...

    @method
    def is_compact(self) -> ty.bool:
        """
        Tell whether the elements lie one after the other, row by row.

        Returns
        -------
        compact
            Whether there are no strides, or constants that are those of a compact buffer.
        """
        ...

    @method
    def offsets(self, indices: ty.Array[PrimExprNode]) -> ty.Array[PrimExprNode]:
        """
        Return how far an element lies from `data`, in elements.

        Parameters
        ----------
        indices
            One integer for each dimension; the last one alone may be a vector.

        Returns
        -------
        offsets
            One offset; with `axis_separators` one for each group of dimensions.
        """
        ...

    @method
    def flattened(self) -> "BufferNode":
        """
        Return the same memory as a buffer of one dimension, which `offsets` counts in.

        Returns
        -------
        buffer
            The buffer; with `axis_separators` it has a dimension for each group. This very one
            if it is flat already.
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
        Make a read of a vector of neighbours in the last dimension.

        Parameters
        ----------
        begin
            The indices of the first element.
        dtype
            The data type to read, some elements of the buffer; None for one element.
        predicate
            Which lanes to read; None for all.

        Returns
        -------
        load
            The read.
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
        Make the address of an element, for functions that take one.

        Parameters
        ----------
        access_mask
            What is done there: 1 for reads, 2 for writes, 3 for both.
        offset
            Distance of the element from the first one, in elements; None for 0.
        extent
            How many elements are accessed; None for all from there on.

        Returns
        -------
        address
            A call of `tir.access_ptr`, of data type `handle`.
        """
        ...


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
    Make a buffer and, where none is given, the variable of its address.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integers.
    dtype
        The data type of an element.
    name
        What printers call the buffer; the variable is called the same.
    data
        Address of the memory; None for a new variable.
    strides
        Distance of neighbours in each dimension, in elements; None for a compact buffer.
    elem_offset
        Distance of the first element from `data`, in elements; None for 0, or for a new
        variable where `offset_factor` is given.
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
        Dimensions that flattening keeps apart.
    span
        Where the buffer is declared.

    Returns
    -------
    buffer
        The buffer.
    """
    ...
