"""Primitives to schedule a loop nest by hand: each checks that the result stays."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode
from schema.tir.function import PrimFuncNode
from schema.tir.stmt import ForKind
from schema.tir.var import VarNode
from tschema import function, ty


@function
def split(
    func: PrimFuncNode,
    loop: ty.Union[VarNode, ty.String],
    factors: ty.Array[ty.Optional[PrimExprNode]],
) -> PrimFuncNode:
    """
    Split a loop into nested loops.

    The loops of `i` are `i_0`, `i_1`, and so on. If their product is not proved to be the
    extent of the loop, the body runs under a condition marked `tir.likely`.

    Parameters
    ----------
    func
        The function.
    loop
        The loop's variable or its name: a serial loop without a step.
    factors
        The extents of the loops, outermost first, at least 1. None, once at most, means the
        least factor that covers the loop.

    Returns
    -------
    scheduled
        The function with the loops. Recipes do not change the nest.

    Raises
    ------
    ValueError
        If there is no such loop or several, or the loop cannot be split; the message has the
        script with the place.
    """
    ...


@function(api=True)
def reorder(
    func: PrimFuncNode,
    loops: ty.Array[ty.Union[VarNode, ty.String]],
    reassociate: ty.bool = False,
) -> PrimFuncNode:
    """
    Nest loops in another order.

    Each loop must be the body of the next outer one. If a loop moves outwards, earlier stores
    and loops, such as the start of a sum, get loops of their own, such as `i_start` for `i`.

    Parameters
    ----------
    func
        The function.
    loops
        Variables of loops or their names in the new order, outermost first. Loops between them
        that are not named keep their places.
    reassociate
        Whether sums, products, minima and maxima of floating-point numbers may be computed in
        another order. Those of integers may without.

    Returns
    -------
    scheduled
        The function with the loops in this order. Recipes do not change the nest.

    Raises
    ------
    ValueError
        If there is no such loop or several, the loops are not nested in each other, or an
        iteration may need what another one stores and would run in another order to it; the
        message has the script with the place.
    """
    ...


@function(api=True)
def annotate(
    func: PrimFuncNode,
    loop: ty.Union[VarNode, ty.String],
    kind: ty.Optional[ForKind] = None,
    annotations: ty.Optional[ty.Map[ty.String, ty.Any]] = None,
) -> PrimFuncNode:
    """
    Set how the iterations of a loop run, and annotations for later passes.

    Parameters
    ----------
    func
        The function.
    loop
        The loop's variable or its name.
    kind
        The kind; None to leave it. A vectorized or unrolled loop needs a constant extent.
    annotations
        Annotations to set, by name; None for none.

    Returns
    -------
    scheduled
        The function with the loop. Recipes do not change the nest.

    Raises
    ------
    ValueError
        If there is no such loop or several, or the loop is to be parallel or vectorized and an
        iteration may need what another one stores; the message has the script with the place.
    """
    ...


@function(api=True)
def cache(
    func: PrimFuncNode,
    buffer: ty.Union[BufferNode, ty.String],
    at_loop: ty.Union[VarNode, ty.String],
    scope: ty.String = "global",
) -> PrimFuncNode:
    """
    Copy the region of a buffer that an iteration of a loop uses to a buffer of its own.

    The region is copied before the body of the loop, and copied back after it if the body
    stores to it. Its extents must be bounded by numbers; elements outside of the buffer are not
    copied.

    Parameters
    ----------
    func
        The function.
    buffer
        The buffer or its name.
    at_loop
        The variable of the loop or its name.
    scope
        The storage scope of the new buffer: `local` for one that may stay in registers.

    Returns
    -------
    scheduled
        The function with the buffer `<name>_cache`, and the loops `<name>_load_0` and so on
        before the body, `<name>_store_0` after it. Recipes do not change the nest.

    Raises
    ------
    ValueError
        If there is no such buffer or loop or several, the loop does not use the buffer, an
        extent of the region is not bounded, or another buffer may share its memory; the message
        has the script with the place.
    """
    ...
