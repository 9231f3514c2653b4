"""Logic of booleans, selection, and operations on the bits of integers."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="And@7",
    torch="aten.logical_and.default",
    scalar="x and y",
)
def logical_and(
    x: RelayExprNode = operand(dtype="T: bool"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether both elements are true.

    Parameters
    ----------
    x
        The left operand, of any shape; booleans.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not booleans, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="Or@7",
    torch="aten.logical_or.default",
    scalar="x or y",
)
def logical_or(
    x: RelayExprNode = operand(dtype="T: bool"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether one or both elements are true.

    Parameters
    ----------
    x
        The left operand, of any shape; booleans.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not booleans, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    decompose="x != y",
    onnx="Xor@7",
    torch="aten.logical_xor.default",
    scalar="x != y",
)
def logical_xor(
    x: RelayExprNode = operand(dtype="T: bool"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return whether exactly one of two elements is true.

    Parameters
    ----------
    x
        The left operand, of any shape; booleans.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of `bool`, of the shape to which the operands broadcast.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not booleans, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    scalar="not x",
    onnx="Not@1",
    torch="aten.logical_not.default",
)
def logical_not(x: RelayExprNode = operand(dtype="T: bool")) -> RelayExprNode:
    """
    Return whether elements are false.

    Parameters
    ----------
    x
        Tensor of any shape; booleans.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of booleans.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    result="T",
    scalar="select(condition, x, y)",
    onnx="Where@9",
    torch="aten.where.self",
)
def where(
    condition: RelayExprNode = operand(dtype="bool"),
    x: RelayExprNode = operand(dtype="T: any"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Select elements of one or of another tensor.

    Parameters
    ----------
    condition
        Booleans of any shape: where one is true, the element of `x` is selected.
    x
        Tensor whose shape broadcasts with that of `condition`.
    y
        Tensor whose shape broadcasts with the others.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of the data type of `x`.

    Raises
    ------
    TypeError
        If `condition` is not boolean, the data types of `x` and `y` differ, or the shapes
        do not broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="BitwiseAnd@18",
    torch="aten.bitwise_and.Tensor",
    scalar="bitwise_and(x, y)",
)
def bitwise_and(
    x: RelayExprNode = operand(dtype="T: int"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return the bits that both elements have.

    Parameters
    ----------
    x
        The left operand, of any shape; integers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not integers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="BitwiseOr@18",
    torch="aten.bitwise_or.Tensor",
    scalar="bitwise_or(x, y)",
)
def bitwise_or(
    x: RelayExprNode = operand(dtype="T: int"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return the bits that one or both elements have.

    Parameters
    ----------
    x
        The left operand, of any shape; integers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not integers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="BitwiseXor@18",
    torch="aten.bitwise_xor.Tensor",
    scalar="bitwise_xor(x, y)",
)
def bitwise_xor(
    x: RelayExprNode = operand(dtype="T: int"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Return the bits that exactly one of two elements has.

    Parameters
    ----------
    x
        The left operand, of any shape; integers.
    y
        The right operand, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not integers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="elementwise",
    relation="same",
    scalar="bitwise_not(x)",
    onnx="BitwiseNot@18",
    torch="aten.bitwise_not.default",
)
def bitwise_not(x: RelayExprNode = operand(dtype="T: int")) -> RelayExprNode:
    """
    Return the bits that elements lack.

    Parameters
    ----------
    x
        Tensor of any shape; integers.

    Returns
    -------
    y
        Tensor of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of integers.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    onnx="BitShift@11",
    torch="aten.bitwise_left_shift.Tensor",
    scalar="left_shift(x, y)",
)
def left_shift(
    x: RelayExprNode = operand(dtype="T: int"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Shift bits to the left.

    Zeros come in from the right. A count must be from 0 to the width in bits minus 1.

    Parameters
    ----------
    x
        The integers to shift, of any shape.
    y
        The counts of bits, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not integers, or their shapes do not
        broadcast.
    """
    ...


@operator(
    kind="broadcast",
    relation="broadcast",
    torch="aten.bitwise_right_shift.Tensor",
    scalar="right_shift(x, y)",
)
def right_shift(
    x: RelayExprNode = operand(dtype="T: int"),
    y: RelayExprNode = operand(dtype="T"),
) -> RelayExprNode:
    """
    Shift bits to the right.

    Zeros come in from the left, for signed integers copies of the sign. A count must be from 0
    to the width in bits minus 1.

    Parameters
    ----------
    x
        The integers to shift, of any shape.
    y
        The counts of bits, whose shape broadcasts with that of `x`.

    Returns
    -------
    y
        Tensor of the shape to which the operands broadcast, of their data type.

    Raises
    ------
    TypeError
        If the data types of the operands differ or are not integers, or their shapes do not
        broadcast.
    """
    ...
