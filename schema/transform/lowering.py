"""Lowerings of operators that their declarations do not define."""

from tschema import function, ty


@function
def register_lowering(op_name: ty.String, lowering: ty.Function) -> None:
    """
    Register what computes the calls of an operator, for `LowerOps`.

    Parameters
    ----------
    op_name
        The operator's name. One that has `scalar`, `compute` or `decompose` does not use them.
    lowering
        Makes the results: `(call, operands) -> Tensor | Array[Tensor]`. It takes the call,
        whose attributes and type it may read, and for each operand its tensor, None if it is
        absent, or those of a variadic operand. It returns tensors of `te`, of the types of the
        results.

    Raises
    ------
    ValueError
        If the operator has a registered lowering.
    """
    ...
