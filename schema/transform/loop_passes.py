"""Passes over the loops of tensor-level functions."""

from schema.transform.config import PassOptionsNode
from schema.transform.passes import PassNode
from tschema import declare, function, ty


@function(makes_pass=True)
def HoistIfThenElse() -> PassNode:
    """
    Return a pass that hoists loop-invariant conditionals out of loops.

    A conditional is hoisted if it is the whole body of a loop, its condition neither uses the
    loop variable nor reads memory, and the loop is not bound to threads. It moves out of as
    many loops as possible. Each branch gets a copy of the loop.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n = tir.Var("n")
    >>> body = tir.IfThenElse(n > 3, tir.Evaluate(tir.call_intrin("int32", "tir.ret", [n])))
    >>> loop = tir.For(tir.Var("i"), tir.const(0), tir.const(8), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], loop)})
    >>> type(transform.HoistIfThenElse()(module).lookup("main").body).__name__
    'IfThenElse'
    """
    ...


@declare
class LoopPartitionOptionsNode(PassOptionsNode):
    """
    Options of `LoopPartition`.

    See Also
    --------
    LoopPartition

    Attributes
    ----------
    partition_const_loop
        Whether to partition loops with constant bounds too.
    no_unroll_loop_with_extent_one
        Whether to keep the loop of a part of one iteration.
    unroll_loop_with_partition_hint_no_interval
        Whether a loop with a hint becomes `UNROLLED` where none of its conditions is known.
    """

    type_key = "uir.transform.LoopPartitionOptions"
    partition_const_loop: ty.bool = False
    no_unroll_loop_with_extent_one: ty.bool = False
    unroll_loop_with_partition_hint_no_interval: ty.bool = False


@function(makes_pass=True)
def LoopPartition() -> PassNode:
    """
    Return a pass that splits loops into parts whose `tir.likely` conditions are known.

    The comparisons of such a condition are solved for the loop's variable, for all iterations
    of the loops inside. Where one is known, it is replaced by its value, and what it chooses by
    the choice. A loop between constants is split wherever a condition changes, and a part of
    one iteration has no loop; any other loop is split before and after the iterations in which
    its conditions hold. Blocks of a grid branch in their threads.

    All `tir.likely` marks are removed afterwards. A loop with constant bounds is split only
    with the option `LoopPartition.partition_const_loop`, or with the annotation or attribute
    `pragma_loop_partition_hint`, under which conditions that are not marked count too.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n, i = tir.SizeVar("n"), tir.Var("i")
    >>> inside = tir.call_intrin("bool", "tir.likely", [i * 4 + 3 < n])
    >>> body = tir.IfThenElse(inside, tir.Evaluate(tir.call_intrin("int32", "tir.ret", [i])))
    >>> loop = tir.For(i, tir.const(0), tir.floordiv(n + 3, 4), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], loop)})
    >>> len(transform.LoopPartition()(module).lookup("main").body.seq)
    2
    """
    ...


@declare
class UnrollLoopOptionsNode(PassOptionsNode):
    """
    Options of `UnrollLoop`: the serial loops to unroll, by default none.

    See Also
    --------
    UnrollLoop

    Attributes
    ----------
    auto_max_step
        The maximum number of stores and calls after unrolling.
    auto_max_depth
        The maximum number of nested loops to unroll.
    auto_max_extent
        The maximum number of iterations of a loop to unroll.
    explicit_unroll
        Whether to replace loops by their iterations, instead of only marking them `UNROLLED`.
    """

    type_key = "uir.transform.UnrollLoopOptions"
    auto_max_step: ty.int64_t = 0
    auto_max_depth: ty.int64_t = 8
    auto_max_extent: ty.int64_t = 0
    explicit_unroll: ty.bool = True


@function(makes_pass=True)
def UnrollLoop() -> PassNode:
    """
    Return a pass that unrolls loops of kind `UNROLLED`, and short serial loops.

    The options of the context select the serial loops to unroll, by default none: see
    `UnrollLoopOptions`.

    The attributes `pragma_auto_unroll_max_step` and `pragma_unroll_explicit` override two of
    them for a statement.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for a loop of kind `UNROLLED` whose extent is
        not constant.
    """
    ...


@function(makes_pass=True)
def VectorizeLoop(enable_vectorize: ty.bool = True) -> PassNode:
    """
    Return a pass that replaces loops of kind `VECTORIZED` by vector statements.

    The loop variable becomes a `Ramp`. A statement that cannot be vectorized, such as one under
    a condition that differs between lanes, becomes a serial loop.

    Parameters
    ----------
    enable_vectorize
        Whether to vectorize; if False, the loops become serial.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for a loop of kind `VECTORIZED` whose extent
        is not constant.
    """
    ...
