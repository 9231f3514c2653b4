"""Passes over high-level functions."""

from schema.transform.config import PassOptionsNode
from schema.transform.passes import PassNode
from tschema import declare, field, function, ty


@function(makes_pass=True)
def DeadCode() -> PassNode:
    """
    Return a pass that removes bindings of high-level functions that no result depends on.

    Values with effects stay.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@declare
class DecomposeOpsOptionsNode(PassOptionsNode):
    """
    Options of `DecomposeOps`.

    See Also
    --------
    DecomposeOps

    Attributes
    ----------
    keep
        Names of operators that stay whole.
    row
        Whether to take operators of the kind `row` apart too.
    """

    type_key = "uir.transform.DecomposeOpsOptions"
    keep: ty.Array[ty.String] = field(default_factory=list)
    row: ty.bool = False


@function(makes_pass=True)
def DecomposeOps() -> PassNode:
    """
    Return a pass that takes operators apart into calls of others.

    The `decompose` of an operator's declaration defines them; the parts are decomposed too.
    Operators of the kind `row`, such as `relay.softmax` and `relay.layer_norm`, stay whole, so
    that `FuseOps` and `LowerOps` make one function of each with the operators around it; the
    option `DecomposeOps.row` of the context takes them apart too. The option
    `DecomposeOps.keep` lists names of other operators that stay. An operator also stays if its
    declaration says so: norms of 16-bit numbers, means along dimensions that are not constant.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types. It raises ValueError if
        `DecomposeOps.keep` names no operator.
    """
    ...


@function(makes_pass=True)
def EliminateCommonSubexpr() -> PassNode:
    """
    Return a pass that computes equal values of a high-level function once.

    Later uses take the variable of the first binding. Values with effects stay. Bindings of a
    branch are not available outside of it.

    Returns
    -------
    made
        The pass, of level 1.
    """
    ...


@function(makes_pass=True)
def FoldAffineIntoWeights() -> PassNode:
    """
    Return a pass that folds factors and summands of channels into constant weights.

    If the weight of a `conv`, `conv_transpose` or `matmul` depends only on constants, and so do
    the operands of the sums, differences, products and quotients after it,
    `(x @ w - m) * s + b` becomes `x @ (w * s) + (b - m * s)`: a batch norm in inference form
    becomes one summand. The operands have one element for each output channel, or one for all.
    A factor of the input channels before the contraction is folded too. The pass reassociates:
    results are rounded differently, and a weight times a factor may overflow. `DecomposeOps`
    decomposes the operators that it folds, `FoldConstant` computes the new weights, and
    `DeadCode` removes values that become unused.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types. A context disables it
        by its name.
    """
    ...


@function(makes_pass=True)
def FuseAttention() -> PassNode:
    """
    Return a pass that replaces attention written as products by the operator `attention`.

    `softmax(scale * query @ keys + mask) @ value`, of three or four axes and elements of
    `float32` or `float64`, becomes a call of `attention`, whose scores are computed for a
    block of queries at a time and stay in the cache. The factor is a constant number, the
    mask any summand; each may be absent. If the scores have another use, their computation
    stays. `DeadCode` removes values that become unused.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types.
    """
    ...


@function(makes_pass=True)
def FuseQuantize() -> PassNode:
    """
    Return a pass that computes quantized products and convolutions as integers of 8 bits.

    A product of `(x - zero) * scale` and `(w - zero) * scale`, where `x` and `w` are of int8 or
    uint8, becomes `integer_matmul(x, w)` with sums of int32, in bodies of loops and in branches
    too. The zero points become multiples of the sums of rows and columns, which `FoldConstant`
    computes for weights, and the scales a factor of the sums. Without scales, for operands
    converted to int32, the result is the same. With them it is as exact or more, because the terms
    are added up without rounding: scales are known and finite, zero points have the type of the
    values, and no sum can exceed int32. A product stays one of floats if a number could be infinite
    or a product of scales is subnormal. The number of terms must be known, and zero points and
    scales must be the same for all terms of a sum.

    A convolution becomes `integer_conv` of the padded images, if all sizes except that of the batch
    are known. Groups of fewer than 4 channels become a `conv` of float32 of the differences if all
    sums of those are integers up to 2^24, which it computes exactly: those of up to 258 terms are.
    Other windows of several places need more than 8 channels in a group if there are scales: with
    fewer, float32 takes less time. Without groups and with a window of one place, a convolution
    becomes a product of its weights and of the pixels, and elementwise operators on the result are
    computed in the shape of the product.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types.
    """
    ...


@function(makes_pass=True)
def CombineParallelMatmul() -> PassNode:
    """
    Return a pass that merges several products of one value into one product.

    `x @ q`, `x @ k` and `x @ v`, where `q`, `k` and `v` are matrices that depend only on
    constants, become slices of `x @ concatenate([q, k, v], axis=1)`: `x` is read once, and the
    columns share the threads. Where a constant row is added to each product and that is its
    only use, one row is added to all. `FoldConstant` computes the new matrix.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types.
    """
    ...


@declare
class FoldConstantOptionsNode(PassOptionsNode):
    """
    Options of `FoldConstant`.

    See Also
    --------
    FoldConstant

    Attributes
    ----------
    max_bytes
        The size in bytes up to which a value of constants of any size becomes a constant. If each
        byte of a value takes more than one operation to compute, the limit is as many times as
        large: a constant takes room in the library, and saves that work in each call. A function
        such as `sin` counts as 16 operations. Filled, moved and broadcast elements count as none.
        Values that only other constant values read may be 16 times as large.
    max_growth
        How many times as large as the constants that it comes from a larger value may be.
    """

    type_key = "uir.transform.FoldConstantOptions"
    post_init = True
    max_bytes: ty.int64_t = 1048576
    max_growth: ty.int64_t = 2


@function(makes_pass=True)
def FoldConstant() -> PassNode:
    """
    Return a pass that computes the constant values of high-level functions.

    Constants replace values that depend only on constants. The values of a module are compiled
    as one function and computed once; a later run finds that function in the cache of objects,
    for other constants of the same types too. It is compiled for the target `generic`, so that
    the same program gets the same constants on each machine. Views of constants, such as
    `reshape`, share their memory and are not compiled; if no other value depends only on
    constants, nothing is compiled.

    Values stay that are much larger than the constants they come from, which
    `FoldConstantOptions` limits; that have effects; that are results of functions of the
    module or of external ones; and all values if computing one of them fails, such as by an
    index out of range: the program then fails as before.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types. It raises the error of
        the compiler if a value does not compile, with the first of the values.
    """
    ...


@declare
class FuseOpsOptionsNode(PassOptionsNode):
    """
    Options of `FuseOps`.

    See Also
    --------
    FuseOps

    Attributes
    ----------
    max_ops
        The maximum number of operators in a group; at least 1.
    """

    type_key = "uir.transform.FuseOpsOptions"
    post_init = True
    max_ops: ty.int64_t = 256


@function(makes_pass=True)
def FuseOps() -> PassNode:
    """
    Return a pass that groups operators that share a loop into private functions.

    A value joins the group of its users if all of them are in one group, and the kinds of the
    operators permit it:

    - operators of the kinds `elementwise`, `broadcast`, `injective` and `view` join each other,
      in any number;
    - a `contraction`, `reduction`, `row` or `window`, at most one in a group, takes elementwise
      and broadcast operators after it whose results have its shape;
    - a `reduction` or `row` takes operators of the first four kinds before it;
    - a convolution with one channel in each group takes the casts, differences and products with
      single constants before it that compute numbers from integers of 8 bits: it reads these;
    - views join other views alone, unless their last one is a result of the function: they need no
      computation, and their operand is computed in its own shape;
    - an elementwise or broadcast operator does not join a broadcast that needs its elements
      several times;
    - `opaque` operators, operators with effects, and calls of functions join none.

    A group of two operators or more becomes a private function with the attribute
    `primitive`, without the views of its inputs and its result, which need no computation. Its
    parameters are the values from outside, larger constants among them; constants of one
    element stay inside. A function of the module with that attribute is not changed, and
    neither is a group whose parameters do not bind all dimensions that it uses.
    `FuseOpsOptions` has its option. `Inline` with the option `Inline.primitive` puts the
    functions back.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types.
    """
    ...


@function(makes_pass=True)
def InferType() -> PassNode:
    """
    Return a pass that infers the types of high-level functions.

    It types values without a type and values that depend on a changed type. A variable whose
    type changes is replaced in all later bindings. A function without a result type gets one.
    Equalities of dimensions that are neither proved nor refuted, in the body or in the
    functions that it calls, become the attribute `shape_assumptions`. The parameters of a
    `PrimFunc` are compared with the arguments and the outputs of `call_destination_passing`.

    Returns
    -------
    made
        The pass, of level 0. It raises TypeError or ValueError with the operator, the
        operand and the dimension if types do not fit.
    """
    ...


@declare
class InlineOptionsNode(PassOptionsNode):
    """
    Options of `Inline`.

    See Also
    --------
    Inline

    Attributes
    ----------
    primitive
        Whether to inline functions with the attribute `primitive` too.
    """

    type_key = "uir.transform.InlineOptions"
    primitive: ty.bool = False


@function(makes_pass=True)
def Inline() -> PassNode:
    """
    Return a pass that puts the bodies of private high-level functions where they are called.

    Dimensions of the callee become those of the arguments. Functions with the attribute
    `primitive` stay, unless the option `Inline.primitive` of the context is true, and so do
    calls of a function in its own body. `DeadCodeElimination` removes the functions that are
    unused afterwards.

    Returns
    -------
    made
        The pass, of level 1.
    """
    ...


@function(makes_pass=True)
def LowerOps() -> PassNode:
    """
    Return a pass that replaces operators that programs call by tensor-level functions.

    Each call of an operator becomes a `call_destination_passing` of a private function, which
    computes it in loops. Calls of one operator with equal attributes, types and scalars share
    a function, whose name is that of the operator. A function with the attribute `primitive`,
    which `FuseOps` makes, becomes one function with a stage for each operator that others read
    as a whole; elements of the other operators are computed where they are read. Views, such
    as `relay.reshape`, stay where such a function does not contain them: `LowerEntry` makes
    them the memory of their operand.

    The computation of an operator comes from its declaration: `scalar`, `compute`, or
    `decompose`, whose parts become the stages of one function. Other operators have a function
    in C++. Numbers of 16 bits are computed in `float32`, as the references of
    `uir.relay.reference` do.

    Returns
    -------
    made
        The pass, of level 0, for functions in A-normal form with types. It raises ValueError
        if operators have no lowering: one error, which names them and where they are called.
    """
    ...


@function(makes_pass=True)
def SimplifyExpr() -> PassNode:
    """
    Return a pass that simplifies high-level functions by rules.

    The rules (`x * 1` is `x`, `transpose(transpose(x))` is one transposition or none, a cast
    back from a wider type goes) keep every value to the last bit, NaN and -0.0 among them, and
    every shape and data type. Branches whose condition is constant are chosen. `DeadCode`
    removes the bindings that are unused afterwards.

    Returns
    -------
    made
        The pass, of level 1, for functions in A-normal form with types.
    """
    ...


@function(makes_pass=True)
def ToANormalForm() -> PassNode:
    """
    Return a pass that binds nested values to variables of their own.

    Afterwards the operands of each bound value are variables, constants, and tuples of these.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...
