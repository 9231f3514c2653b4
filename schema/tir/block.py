"""Blocks, the unit of scheduling."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode, BufferRegionNode, MatchBufferRegionNode
from schema.tir.reduce import IterVarNode
from schema.tir.stmt import StmtNode
from tschema import declare, field, ty


@declare
class BlockNode(StmtNode):
    """
    Computation over its own iteration variables, with the regions that it reads and writes.

    Its iteration types show which iterations may be reordered, without analysis of the body.

    See Also
    --------
    Block
    BlockRealize

    Attributes
    ----------
    iter_vars
        The iteration variables, bound in the whole block.
    reads
        The regions that the block reads.
    writes
        The regions that the block writes.
    name_hint
        The name that schedules and printers use.
    body
        The body of one iteration.
    init
        The initialization before the first iteration of a reduction, if any.
    alloc_buffers
        Buffers that the block allocates; bound here.
    match_buffers
        Buffers that alias regions of others inside the block.
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
    Execution of a block with values for its iteration variables.

    See Also
    --------
    BlockRealize

    Attributes
    ----------
    iter_values
        The value of each iteration variable, scalars of their data types.
    predicate
        A scalar boolean: the block runs only if it holds.
    block
        The block.
    """

    type_key = "uir.tir.BlockRealize"
    post_init = True
    iter_values: ty.Array[PrimExprNode]
    predicate: PrimExprNode
    block: BlockNode
