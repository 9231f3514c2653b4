"""Sums, products, quotients and extrema of the elements of tensors, which broadcast as in NumPy."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="Add@7",
    torch="aten.add.Tensor",
    scalar="x + y",
)
def add(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Add elements.

    Integers wrap around.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    onnx="Sub@7",
    torch="aten.sub.Tensor",
    scalar="x - y",
)
def subtract(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Subtract elements.

    Integers wrap around.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    onnx="Mul@7",
    torch="aten.mul.Tensor",
    scalar="x * y",
)
def multiply(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Multiply elements.

    Integers wrap around.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    onnx="Div@7",
    torch="aten.div.Tensor",
    scalar="x / y",
)
def divide(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Divide elements.

    Quotients of integers are truncated towards zero, as in C; the least integer divided by -1
    wraps around.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    ValueError
        When it runs, if an integer divisor is 0; see `uir.target.Target.division`.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    torch="aten.floor_divide.default",
    scalar="x // y",
)
def floor_divide(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Divide elements, and round down.

    As `//` of Python and NumPy: of floating-point numbers `(x - mod(x, y)) / y`, so that
    `1.0 // 0.1` is 9.0, though the nearest float to the quotient is 10.0. The least integer
    divided by -1 wraps around.

    Parameters
    ----------
    x
        The dividend, of any shape; numbers.
    y
        The divisor, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    ValueError
        When it runs, if an integer divisor is 0; see `uir.target.Target.division`.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    scalar="fmod(x, y) if truncated else x % y",
    onnx="Mod@10",
    torch="aten.remainder.Tensor",
)
def mod(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
    *,
    truncated: ty.bool = False,
) -> RelayExprNode:
    """
    Return the remainders of divisions.

    `x - y * floor(x / y)`, or `x - y * trunc(x / y)` if truncated. A remainder of 0.0 has the
    sign of the dividend.

    Parameters
    ----------
    x
        The dividend, of any shape; numbers.
    y
        The divisor, whose shape broadcasts with that of `x`.
    truncated
        Whether the remainder has the sign of the dividend, as in C, and not that of the
        divisor, as in Python.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    ValueError
        When it runs, if an integer divisor is 0; see `uir.target.Target.division`.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="Pow@7",
    torch="aten.pow.Tensor_Tensor",
    scalar="pow(x, y)",
)
def power(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Raise elements to powers.

    Powers of integers wrap around, and `power(x, 0)` is 1. A negative power is that of a
    fraction, truncated to an integer: 1 and -1 have it, and of all others it is 0.

    Parameters
    ----------
    x
        The base, of any shape; numbers.
    y
        The exponent, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    onnx="Max@8",
    torch="aten.maximum.default",
    scalar="max(x, y)",
)
def maximum(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return the greater of two elements.

    If one is NaN, so is the result.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    onnx="Min@8",
    torch="aten.minimum.default",
    scalar="min(x, y)",
)
def minimum(
    x: RelayExprNode = operand(dtype="T: number"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return the smaller of two elements.

    If one is NaN, so is the result.

    Parameters
    ----------
    x
        The left operand, of any shape; numbers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

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
    scalar="""
        min(max(x, lower) if is_given(lower) else x, upper) if is_given(upper)
        else max(x, lower) if is_given(lower) else x
    """,
    decompose="""
        limited = maximum(x, lower) if is_given(lower) else x;
        minimum(limited, upper) if is_given(upper) else limited
    """,
    onnx="Clip@12",
    torch="aten.clamp.Tensor",
)
def clip(
    x: RelayExprNode = operand(dtype="T: number"),
    lower: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    upper: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
) -> RelayExprNode:
    """
    Limit elements to an interval.

    `minimum(maximum(x, lower), upper)`.

    Parameters
    ----------
    x
        Tensor of any shape; numbers.
    lower
        The least value, whose shape broadcasts with that of `x`; None for no limit.
    upper
        The greatest value, whose shape broadcasts with that of `x`; it wins over `lower`. None
        for no limit.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not numbers, or their shapes do not
        broadcast.
    """
    ...
