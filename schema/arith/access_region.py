"""The regions of buffers that a block reads and writes, found in its body."""

from schema.tir.block import BlockNode
from schema.tir.buffer import BufferNode, BufferRegionNode
from schema.tir.var import VarNode
from tschema import function, ty


@function(api=True)
def detect_access_regions(
    block: BlockNode,
    buffers: ty.Optional[ty.Map[VarNode, BufferNode]] = None,
) -> ty.Array[ty.Array[BufferRegionNode]]:
    """
    Return the regions that a block reads and writes, over its axes.

    Each region contains all elements of its buffer that the block may access, while
    the variables of loops inside take all values of their ranges where the conditions
    around the access hold. A dimension whose index is read from memory counts as a
    whole. A block in the body counts by its `reads` and `writes`. Buffers that the block
    allocates do not count, and a block with an initialization does not read the elements that
    it writes, as in TVM.

    Parameters
    ----------
    block
        The block.
    buffers
        The buffer of each address that a call in the block may take; a call accesses all of it.

    Returns
    -------
    regions
        The regions that are read, in the order of the first access, and those that are written.

    Examples
    --------
    >>> from uir import arith, script
    >>> block = script.parse_value('''
    ... A = tir.Buffer((16,), "float32")
    ... B = tir.Buffer((16,), "float32")
    ... with tir.block("sum", realize=False):
    ...     i = tir.axis.spatial(4, None)
    ...     for k in range(4):
    ...         B[i] = B[i] + A[i * 4 + k]
    ... ''')
    >>> reads, writes = arith.detect_access_regions(block)
    >>> for region in reads:
    ...     print(region.buffer.name, region.region[0].min, region.region[0].extent)
    B i 1
    A i * 4 4
    """
    ...
