"""Passes that choose how loops run: recipes for kinds of loop nests, and a table of parameters."""

from schema.transform.passes import PassNode
from tschema import declare, function, ty


@declare
class BlockKind(ty.IntEnum):
    """
    Kinds of loop nests, by their computation.

    Attributes
    ----------
    OTHER
        A nest whose iterations may depend on each other, or that no recipe knows.
    ELEMENTWISE
        Each iteration stores an element of its own.
    ROW
        Each element is a reduction of values, such as a sum or a maximum.
    CONTRACTION
        Each element is a sum of products of an element that its column does not choose, and one
        that its row does not choose, as in a product of matrices.
    WINDOW
        A reduction, perhaps a contraction, over a window that moves with the element.
    """

    OTHER = 0
    ELEMENTWISE = 1
    ROW = 2
    CONTRACTION = 3
    WINDOW = 4


@function(makes_pass=True)
def ClassifyBlocks() -> PassNode:
    """
    Return a pass that notes the kind of each loop nest.

    A nest is an outermost loop, between statements and allocations of a function. Its
    annotation `block_kind` becomes the value of a `BlockKind`, from which later passes choose a
    recipe.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, schedule, te, tir
    >>> x = te.placeholder((8, 8), "float32", name="x")
    >>> y = te.compute((8, 8), lambda i, j: x[i, j] + x[j, i], name="y")
    >>> module = ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([x, y])})
    >>> loop = schedule.ClassifyBlocks()(module).lookup("main").body
    >>> schedule.BlockKind(loop.annotations["block_kind"]).name
    'ELEMENTWISE'
    """
    ...


@function(makes_pass=True)
def FuseElementwise() -> PassNode:
    """
    Return a pass that computes elementwise nests in the loops of the nests next to them.

    An elementwise nest with one elementwise reader is computed inside the reader, as a
    variable, however often it is used there; a chain of operators becomes one loop. An
    elementwise nest that reads the result of a contraction before it, such as a bias and an
    activation, becomes its epilogue, which is computed with the sums in registers. The buffers
    between vanish. A result that something else reads, and one that is returned, is stored as
    before.

    It runs after `ClassifyBlocks`, on functions with the attribute `tir.noalias`. Each nest
    that moves becomes a line of the function's attribute `schedule_trace`.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, schedule, te, tir
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> e = te.compute((8,), lambda i: tir.exp(x[i]), name="e")
    >>> y = te.compute((8,), lambda i: e[i] * e[i] + e[i], name="y")
    >>> module = ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([x, y])})
    >>> module = schedule.FuseElementwise()(schedule.ClassifyBlocks()(module))
    >>> module.lookup("main").attrs["schedule_trace"][0]
    'FuseElementwise: e: in_reader()'
    """
    ...


@function(makes_pass=True)
def AlterLayout() -> PassNode:
    """
    Return a pass that lays out the channels of tensors between convolutions in blocks.

    A tensor `x[n, c, i, j]` that a host function allocates for those that it calls
    becomes `x[n, c // 32, i, j, c % 32]`, or with blocks of 16, so that vectors are
    neighbouring channels of a pixel: convolutions read such pixels in place. Their sums
    go through one block of channels after the other: through the window, and at each
    place of it through the channels.

    It does so where all functions that store to the tensor go from channel to channel
    in loops, such as convolutions with constant weights, pooling, concatenation along the
    channels, and elementwise operators. Another function that reads it gets one copy without
    blocks; where only such functions read a tensor, it is worth a copy if it is a convolution
    of 256 products or more for each element. Tensors that no convolution is connected to stay
    as they are.

    It runs after `LowerEntry` and before `PlanMemory`. A function `conv` that is made
    for blocks is called `conv_blocked`.

    Returns
    -------
    made
        The pass, of level 1.
    """
    ...


@function(makes_pass=True)
def PackWeights() -> PassNode:
    """
    Return a pass that lays out constant right operands of contractions as these read them.

    A parameter of a private function that a contraction of more than three rows reads as its
    right operand, and that is a constant in all calls, becomes panels of neighbouring columns:
    of shape `(columns / width, sums, width)`, filled up with zeros. The constants are laid out
    in the same way, so that nothing is packed when the function runs.

    It runs before `BindConstants`, which drops the constants that are no longer used.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def ScheduleByLists(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that schedules the nests for which `with_lists` gave lists of primitives.

    Axes that a list does not split to single elements get the loops of the recipe for the nest,
    inside of those of the list.

    It runs after `FuseElementwise`, on functions with the attribute `tir.noalias`, and removes
    the lists. A complete list becomes a line of the function's attribute `schedule_trace`.

    Parameters
    ----------
    isa
        The instruction set, which chooses the loops of recipes: `native` for that of the machine
        at hand, `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a
        function, which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`, and if a list does not fit
        the function.
    """
    ...


@function(makes_pass=True)
def ScheduleContraction(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that blocks contractions for registers and caches.

    The right operand is packed into panels of a few vectors, blocked along the sum; blocks of
    rows and columns of the result are sums in vectors of the scope `local`, which stay in
    registers. Each element adds the same products in the same order as before, so that the
    result is the same, bit for bit, if no sum and product are contracted. Contractions of few
    rows read the right operand in place; a symbolic number of rows is counted when the function
    runs. Windows that `ScheduleWindow` leaves are blocked as well. An epilogue is computed when
    the last part of a sum is stored.

    It runs after `ClassifyBlocks`, on functions with the attribute `tir.noalias`. Its choices
    become a line of the function's attribute `schedule_trace`.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`.
    """
    ...


@function(makes_pass=True)
def ScheduleWindow(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that schedules reductions over windows that move with the element.

    A window that is a sum of products, such as a convolution, becomes a product of
    matrices: the pixels that some lines of the result need are packed side by side, a block
    at a time, and the sums of a few channels and vectors of pixels stay in registers.
    Weights are read in place. Where channels lie in blocks (`AlterLayout`), vectors are
    neighbouring channels, and pixels are read in place. Each element adds the same products
    in the same order as before.

    For a window over one channel at a time, such as pooling or a depthwise convolution, a few
    lines and vectors of elements stay in registers. All pixels of the window are combined with
    them, in the same order as before. The pixels of some lines are copied first, with their
    padding, so that vectors read them side by side; windows that need no copy read them in
    place.

    It runs after `ClassifyBlocks`, on functions with the attribute `tir.noalias`. Its choices
    become a line of the function's attribute `schedule_trace`.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`.
    """
    ...


@function(makes_pass=True)
def ScheduleRow(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that runs reductions by vectors, and nests that share rows as one loop.

    Neighbouring nests become the body of one loop over the rows that they share, if no row
    needs what another one computes; buffers that only they use shrink to one row. Softmax
    and normalizations are such nests. A reduction along neighbouring elements adds to
    several vectors in turn, then their lanes, in an order that only the number of terms
    decides, and not that of its loops: sums and products of floating-point numbers may be
    rounded differently. A reduction over other dimensions runs by vectors of neighbouring
    columns, each in the order of its terms. With much work the loop over rows becomes
    parallel.

    It runs after `ClassifyBlocks`, on functions with the attribute `tir.noalias`. Its choices
    become a line of the function's attribute `schedule_trace`.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`.
    """
    ...


@function(makes_pass=True)
def ScheduleElementwise(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that computes elements of elementwise loop nests by vectors.

    The innermost loop is split into vectors if all that it reads lies side by side, or is the
    same for all of its iterations. A choice by the position of an element, such as a tensor
    with zeros around it, becomes loops over the parts of a line. An outermost loop with much
    work becomes parallel.

    It runs after `ClassifyBlocks`, on functions with the attribute `tir.noalias`. Its choices
    become a line of the function's attribute `schedule_trace`.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`.
    """
    ...


@function(makes_pass=True)
def ScheduleFallback(isa: ty.String = "native") -> PassNode:
    """
    Return a pass that schedules the loop nests that no other recipe took.

    The outermost loop becomes parallel where each element is computed by itself and there is
    much work. The annotations of `ClassifyBlocks` go.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for another `isa`.
    """
    ...
