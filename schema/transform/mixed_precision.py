"""The pass that lets high-level functions compute with floats of 16 bits."""

from schema.transform.passes import PassNode
from tschema import function, ty


@function(makes_pass=True)
def ToMixedPrecision(dtype: ty.DataType = "bfloat16", keep: ty.Array[ty.String] = ()) -> PassNode:
    """
    Return a pass that computes products and convolutions of float32 with floats of 16 bits.

    The operands of operators of the kind `contraction` are rounded to 16 bits; their sums are of
    float32, and are rounded once. Operators that move, select or combine elements (`transpose`,
    `concatenate`, `max_pool`, `add`, `relu`) take an operand of 16 bits as it is. Everything else
    stays in float32, and reads numbers of 16 bits as float32: reductions, softmax, norms,
    averages, exponentials, logarithms, powers, quotients and comparisons. For float16, an operator
    stays too if one of its constants is finite and beyond the range of float16.

    Parameters and results keep their data types, and values of other types than float32 stay.
    `FoldConstant` rounds weights when the function is compiled, so that they take half the memory,
    and `DeadCode` removes conversions that become unused.

    Parameters
    ----------
    dtype
        The data type of 16 bits, bfloat16 or float16.
    keep
        Names of other operators that stay in float32: `relay.conv`.

    Returns
    -------
    made
        The pass, of level 0, for functions in A-normal form with types.

    Raises
    ------
    ValueError
        If `dtype` is another data type, or `keep` has a name that no operator has.
    """
    ...
