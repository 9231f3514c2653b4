"""Constants, conversions and calls of intrinsics.

`match_types` is what every operation does to its two operands first.
"""

from schema.ir.expr import PrimExprNode
from schema.ir.op import OpNode
from schema.ir.span import SpanNode
from tschema import declare, function, ty


@declare
class CallEffectKind(ty.IntEnum):
    """
    What a call of an operator may do, beyond having a value.

    It is the attribute `TCallEffectKind` of an operator.

    Attributes
    ----------
    EXPR_ANNOTATION
        Nothing; the call is a note on its argument, which passes see through.
    PURE
        Nothing: calls with the same arguments have the same value.
    READ_STATE
        It reads memory.
    UPDATE_STATE
        It writes memory, or does something else that must be neither dropped nor doubled.
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
        The data type; several lanes make a broadcast. None stands for `bool`, for `int32`
        (`int64` where the value needs it) and for `float32`.
    span
        Where that is written.

    Returns
    -------
    result
        The constant.
    """
    ...


@function
def as_expr(value: ty.Any, like: PrimExprNode) -> PrimExprNode:
    """
    Turn an operand into an expression.

    A number takes the data type of the operand beside it, if that can hold numbers of its kind.

    Parameters
    ----------
    value
        An expression, which is returned as it is, or a boolean, an integer or a floating-point
        number.
    like
        The operand beside it.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def cast(
    value: PrimExprNode, dtype: ty.DataType, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Convert a value; one of that data type stays as it is, a constant is converted here.

    Parameters
    ----------
    value
        The value to convert.
    dtype
        The data type to convert to. If it is a vector and `value` a scalar, that is broadcast.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def match_types(a: PrimExprNode, b: PrimExprNode) -> ty.Tuple[PrimExprNode, PrimExprNode]:
    """
    Convert two operands to one data type.

    A scalar is broadcast to the lanes of a vector. The narrower data type is converted to the
    wider one: booleans to integers, integers to floating-point numbers, and of two integers of
    the same width the unsigned one to the signed one.

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
        Where that is written.

    Returns
    -------
    result
        The call.
    """
    ...


@function
def effect_kind(op: OpNode) -> CallEffectKind:
    """
    Return what calls of an operator may do; of one that does not say, the worst.

    Parameters
    ----------
    op
        The operator.

    Returns
    -------
    kind
        The operator's `TCallEffectKind`.
    """
    ...


@function
def select(
    condition: PrimExprNode,
    true_value: PrimExprNode,
    false_value: PrimExprNode,
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Make the choice between two values, both of which may be computed.

    Parameters
    ----------
    condition
        A boolean; a constant one decides here.
    true_value
        The result where it holds.
    false_value
        The result elsewhere.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...
