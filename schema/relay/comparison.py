"""Comparisons of the elements of tensors, which broadcast as in NumPy."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x == y",
    onnx="Equal@7",
    torch="aten.eq.Tensor",
)
def equal(
    x: RelayExprNode = operand(dtype="T: any"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements are equal.

    NaN differs from everything, itself included.

    Parameters
    ----------
    x
        The left operand, of any shape.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ, or their shapes do not broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x != y",
    torch="aten.ne.Tensor",
)
def not_equal(
    x: RelayExprNode = operand(dtype="T: any"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements differ.

    NaN differs from everything, itself included.

    Parameters
    ----------
    x
        The left operand, of any shape.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ, or their shapes do not broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x < y",
    onnx="Less@7",
    torch="aten.lt.Tensor",
)
def less(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements of `x` are less than those of `y`.

    A comparison with NaN is false.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x <= y",
    onnx="LessOrEqual@12",
    torch="aten.le.Tensor",
)
def less_equal(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements of `x` are at most those of `y`.

    A comparison with NaN is false.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x > y",
    onnx="Greater@7",
    torch="aten.gt.Tensor",
)
def greater(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements of `x` are greater than those of `y`.

    A comparison with NaN is false.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="bool",
    scalar="x >= y",
    onnx="GreaterOrEqual@12",
    torch="aten.ge.Tensor",
)
def greater_equal(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether elements of `x` are at least those of `y`.

    A comparison with NaN is false.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    """
    ...
