"""Passes over the loops of tensor-level functions."""

from schema.transform.config import PassOptionsNode
from schema.transform.passes import PassNode
from tschema import declare, function, ty


@declare
class HoistedConditionals(ty.IntEnum):
    """
    Bits for the conditions that `HoistExpression` hoists.

    Attributes
    ----------
    NEVER
        None.
    IF_ELSE_STMT
        Conditions of conditional statements.
    IF_ELSE_EXPR
        Conditions of `tir.if_then_else`.
    BOOLEAN_EXPRESSION
        Operands of `and` and `or`.
    USING_BLOCK_VAR
        Also conditions that use the variable of a launch of threads, and out of launches.
    ALL
        All of these.
    """

    NEVER = 0
    IF_ELSE_STMT = 1
    IF_ELSE_EXPR = 2
    BOOLEAN_EXPRESSION = 4
    USING_BLOCK_VAR = 8
    ALL = 15


@declare
class HoistedLetBindings(ty.IntEnum):
    """
    Bits for the bindings that `HoistExpression` hoists.

    Attributes
    ----------
    NEVER
        None.
    REQUIRED_BY_CONDITION
        Those that conditions use.
    LET_STMT
        All `Bind` statements.
    LET_EXPR
        `Let` expressions.
    ALL
        All of these.
    """

    NEVER = 0
    REQUIRED_BY_CONDITION = 1
    LET_STMT = 2
    LET_EXPR = 4
    ALL = 7


@declare
class HoistExpressionOptionsNode(PassOptionsNode):
    """
    Options of `HoistExpression`.

    See Also
    --------
    HoistExpression

    Attributes
    ----------
    hoisted_conditionals
        The sum of bits of `HoistedConditionals`; by default all but `USING_BLOCK_VAR`.
    hoisted_let_bindings
        The sum of bits of `HoistedLetBindings`; by default all.
    """

    type_key = "uir.transform.HoistExpressionOptions"
    hoisted_conditionals: ty.int64_t = 7
    hoisted_let_bindings: ty.int64_t = 7


@function(makes_pass=True)
def HoistExpression() -> PassNode:
    """
    Return a pass that hoists loop-invariant bindings and conditions out of loops.

    A binding moves in front of the loop. A condition that decides about the whole body, in a
    conditional, in `tir.if_then_else` or below `and` and `or`, becomes a conditional around the
    loop; each branch gets a copy of it in which the condition is known. Neither may read
    memory. An expression that the loop may skip is hoisted only if it cannot fail or overflow.

    `HoistExpressionOptions` select the expressions.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n, x = tir.Var("n"), tir.Var("x")
    >>> body = tir.SeqStmt([tir.Bind(x, n % 4), tir.Evaluate(tir.call_extern("int32", "f", x))])
    >>> loop = tir.For(tir.Var("i"), tir.const(0), tir.const(8), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], loop)})
    >>> type(transform.HoistExpression()(module).lookup("main").body.seq[0]).__name__
    'Bind'
    """
    ...


@declare
class HoistIfThenElseOptionsNode(PassOptionsNode):
    """
    Options of `HoistIfThenElse`.

    See Also
    --------
    HoistIfThenElse

    Attributes
    ----------
    support_block_scope_hoisting
        Whether conditions may use variables of threads, and leave launches of threads.
    """

    type_key = "uir.transform.HoistIfThenElseOptions"
    support_block_scope_hoisting: ty.bool = False


@function(makes_pass=True)
def HoistIfThenElse() -> PassNode:
    """
    Return a pass that hoists loop-invariant conditionals out of loops.

    A conditional is hoisted if it is the whole body of a loop except for bindings, its
    condition neither uses the loop variable nor reads memory, and the loop is not bound to
    threads. It moves out of as many loops as possible. Each branch gets a copy of the loop. A
    condition that the loop may skip is hoisted only if it cannot fail or overflow.

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
    of the inner loops. A known comparison is replaced by its value, and a choice that depends
    on it by the chosen value. A loop between constants is split wherever a condition changes,
    and a part of one iteration has no loop; any other loop is split before and after the
    iterations in which its conditions hold. Blocks of a grid branch in their threads.

    All `tir.likely` marks are removed afterwards. A loop with constant bounds is split only
    with the option `LoopPartition.partition_const_loop`, or with the annotation or attribute
    `pragma_loop_partition_hint`, which includes conditions that are not marked.

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
class LowerParallelOptionsNode(PassOptionsNode):
    """
    Options of `LowerParallel`.

    See Also
    --------
    LowerParallel

    Attributes
    ----------
    min_work
        The least work for which the loop runs on several threads: the number of operators,
        loads, stores and calls of all iterations. A loop that is known to have less becomes
        serial.
    """

    type_key = "uir.transform.LowerParallelOptions"
    min_work: ty.int64_t = 32768


@function(makes_pass=True)
def LowerParallel() -> PassNode:
    """
    Return a pass that turns loops of kind `PARALLEL` into functions.

    The body of an outermost one becomes a private function of a range of iterations and of all
    that the body uses, which `tir.parallel_for` calls. Parallel loops inside become serial, and
    so do those with a step, those that return from their function or use a vector from outside,
    and those whose work is known to be less than `LowerParallelOptions.min_work`. Work is known
    if all extents are constant and no function is called. If extents are computed from sizes
    that are known before the loop, the work is compared when the loop runs.

    Returns
    -------
    made
        The pass, of level 0.
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
        The maximum number of iterations of a loop to unroll. With 1, every loop of at most one
        iteration is replaced by its body, of any kind but `THREAD_BINDING`, at any depth, with
        and without `explicit_unroll`.
    explicit_unroll
        Whether to replace loops by their iterations, instead of only marking them `UNROLLED`.
    unroll_local_access
        Whether to unroll loops whose variable is in an index of a buffer of the scope `local` or
        `warp`, so that its elements can be registers.
    """

    type_key = "uir.transform.UnrollLoopOptions"
    auto_max_step: ty.int64_t = 0
    auto_max_depth: ty.int64_t = 8
    auto_max_extent: ty.int64_t = 0
    explicit_unroll: ty.bool = True
    unroll_local_access: ty.bool = False


@function(makes_pass=True)
def UnrollLoop() -> PassNode:
    """
    Return a pass that unrolls loops of kind `UNROLLED`, and short serial loops.

    The options of the context select the serial loops to unroll, by default none: see
    `UnrollLoopOptions`. A loop that would become more than 65,536 stores and calls becomes a
    serial loop instead.

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

    The loop variable becomes a `Ramp`. A condition that differs between lanes becomes the
    predicate of the stores and loads under it, so that no other element is read or
    written. A statement that cannot be vectorized, such as an assertion under such a
    condition or a call with an effect, becomes a serial loop.

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
