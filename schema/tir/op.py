"""Constants, conversions and calls of intrinsics.

Every binary operation promotes its operands with `match_types`.
"""

from schema.ir.expr import PrimExprNode
from schema.ir.op import OpNode
from schema.ir.span import SpanNode
from schema.tir.expr import CastNode, SelectNode
from tschema import declare, function, operand, operator, ty


@declare
class CallEffectKind(ty.IntEnum):
    """
    Side effects of calls of an operator.

    The attribute `TCallEffectKind` of the operator holds it.

    Attributes
    ----------
    EXPR_ANNOTATION
        None; the call annotates its argument, and passes look through it.
    PURE
        None; calls with the same arguments have the same value.
    READ_STATE
        Reads memory.
    UPDATE_STATE
        Writes memory, or has another effect that must be neither removed nor duplicated.
    """

    EXPR_ANNOTATION = 0
    PURE = 1
    READ_STATE = 2
    UPDATE_STATE = 3


@function
def make_const(
    value: ty.Any, dtype: ty.Optional[ty.DataType] = None, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make a constant.

    Parameters
    ----------
    value
        A boolean, an integer or a floating-point number.
    dtype
        The data type; a vector type gives a broadcast. None for `bool`, `int32` (`int64` if
        the value does not fit) or `float32`.
    span
        Source location.

    Returns
    -------
    result
        The constant.

    Raises
    ------
    TypeError
        If `value` is not a number, or is a floating-point number of an integer type.
    """
    ...


@function
def as_expr(value: ty.Any, like: ty.Optional[PrimExprNode] = None) -> PrimExprNode:
    """
    Convert an operand to an expression.

    A number takes the data type of the other operand, if that can represent its kind.

    Parameters
    ----------
    value
        An expression, which is returned unchanged, or a boolean, an integer or a
        floating-point number.
    like
        The other operand; None for the default data type of `make_const`.

    Returns
    -------
    result
        The expression.

    Raises
    ------
    TypeError
        If `value` is neither an expression nor a number.
    """
    ...


@operator(builds=CastNode, custom=True)
def cast(value: PrimExprNode = operand(dtype="any"), dtype: ty.DataType = ...) -> PrimExprNode:
    """
    Convert a value to a data type.

    Parameters
    ----------
    value
        The value.
    dtype
        The data type. If it is a vector type and `value` is a scalar, the scalar is
        broadcast.

    Returns
    -------
    result
        `value` itself if it has the data type, a constant for a constant, else a `Cast`.

    Raises
    ------
    TypeError
        If both are vectors with different numbers of lanes.
    """
    ...


@function
def match_types(a: PrimExprNode, b: PrimExprNode) -> ty.Tuple[PrimExprNode, PrimExprNode]:
    """
    Promote two operands to a common data type.

    A scalar is broadcast to the lanes of a vector. The narrower data type is converted to the
    wider one: booleans to integers, integers to floating-point, and of two integers of the
    same width, the unsigned one to the signed one.

    Parameters
    ----------
    a
        The left operand, a number or a boolean.
    b
        The right operand, a number or a boolean.

    Returns
    -------
    operands
        The two operands, of the same data type.

    Raises
    ------
    TypeError
        If the data types have no common one.
    """
    ...


@function
def call_intrin(
    dtype: ty.DataType,
    name: ty.String,
    args: ty.Array[PrimExprNode],
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Make a call of a registered operator.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The operator's name, such as `tir.exp`.
    args
        The arguments, in order.
    span
        Source location.

    Returns
    -------
    result
        The call.
    """
    ...


@function(api=True)
def effect_kind(op: OpNode) -> CallEffectKind:
    """
    Return the side effects of calls of an operator.

    Parameters
    ----------
    op
        The operator.

    Returns
    -------
    kind
        The operator's `TCallEffectKind`, by default `UPDATE_STATE`.
    """
    ...


@operator(builds=SelectNode, custom=True)
def select(
    condition: PrimExprNode = operand(dtype="bool"),
    true_value: PrimExprNode = operand(dtype="T: any"),
    false_value: PrimExprNode = operand(dtype="T"),
) -> PrimExprNode:
    """
    Return the value that a condition selects; both may be computed.

    Parameters
    ----------
    condition
        A boolean.
    true_value
        The result if `condition` holds.
    false_value
        The result otherwise.

    Returns
    -------
    result
        A `Select`; one of the values if `condition` is constant.

    Raises
    ------
    TypeError
        If `condition` is not a boolean, or the values have no common data type.
    """
    ...
