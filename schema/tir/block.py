"""Blocks: the unit that schedules move."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode, BufferRegionNode, MatchBufferRegionNode
from schema.tir.reduce import IterVarNode
from schema.tir.stmt import StmtNode
from tschema import declare, field, ty


@declare
class BlockNode(StmtNode):
    """
    Computation over iteration variables of its own, with the regions that it reads and writes.

    A block says what may be reordered without a look into its body.

    See Also
    --------
    Block
    BlockRealize

    Attributes
    ----------
    iter_vars
        The iterations; their variables are bound in the whole block.
    reads
        What the block reads.
    writes
        What the block writes.
    name_hint
        What schedules and printers call it.
    body
        What one iteration does.
    init
        What a reduction does before its first iteration; None where nothing is to be set.
    alloc_buffers
        Buffers that live as long as the block runs; they are bound here.
    match_buffers
        Buffers that stand for parts of others inside the block.
    annotations
        Hints for later passes, by name.
    """

    type_key = "uir.tir.Block"
    alloc_buffers: ty.Array[BufferNode] = field(default_factory=list, structural="def_pattern")
    iter_vars: ty.Array[IterVarNode]
    match_buffers: ty.Array[MatchBufferRegionNode] = field(default_factory=list)
    reads: ty.Array[BufferRegionNode]
    writes: ty.Array[BufferRegionNode]
    name_hint: ty.String = field(structural="ignore")
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)
    init: ty.Optional[StmtNode] = field(default=None)
    body: StmtNode


@declare
class BlockRealizeNode(StmtNode):
    """
    Run of a block with given values for its iteration variables.

    See Also
    --------
    BlockRealize

    Attributes
    ----------
    iter_values
        The value of each iteration variable, scalars of their data types.
    predicate
        A scalar boolean: where it does not hold the block is not run.
    block
        The block.
    """

    type_key = "uir.tir.BlockRealize"
    post_init = True
    iter_values: ty.Array[PrimExprNode]
    predicate: PrimExprNode
    block: BlockNode
