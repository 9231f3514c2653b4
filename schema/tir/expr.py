"""Scalar expressions: conversion, choice, binding, vectors and calls."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from schema.tir.var import VarNode
from tschema import declare, field, ty


@declare
class CastNode(PrimExprNode):
    """
    Conversion of a value to another data type with as many lanes.

    A floating-point number becomes an integer by rounding towards zero, a wider integer a
    narrower one by dropping its upper bits.

    See Also
    --------
    Cast

    Attributes
    ----------
    dtype
        The data type of the result.
    value
        The value to convert.
    """

    type_key = "uir.tir.Cast"
    post_init = True
    dtype: ty.DataType
    value: PrimExprNode


@declare
class SelectNode(PrimExprNode):
    """
    One of two values, chosen by a condition; both may be computed.

    Where one of them must not be computed, use the intrinsic `tir.if_then_else`.

    See Also
    --------
    Select

    Attributes
    ----------
    condition
        A boolean: a scalar, or one with as many lanes as the values have.
    true_value
        The result where the condition holds.
    false_value
        The result elsewhere, of the data type of `true_value`.
    dtype
        The data type of the values.
    """

    type_key = "uir.tir.Select"
    post_init = True
    condition: PrimExprNode
    true_value: PrimExprNode
    false_value: PrimExprNode
    dtype: ty.DataType = field(init=False)


@declare
class LetNode(PrimExprNode):
    """
    Binding of a variable to a value inside an expression.

    See Also
    --------
    Let
    Bind

    Attributes
    ----------
    var
        The variable; it is bound in `body`, and nowhere else.
    value
        Its value, of the data type of `var`.
    body
        The expression that the variable is used in.
    dtype
        The data type of `body`.
    """

    type_key = "uir.tir.Let"
    post_init = True
    var: VarNode = field(structural="def")
    value: PrimExprNode
    body: PrimExprNode
    dtype: ty.DataType = field(init=False)


@declare
class RampNode(PrimExprNode):
    """
    Vector of numbers with equal steps: `base`, `base + stride`, `base + 2 * stride` and so on.

    See Also
    --------
    Ramp

    Attributes
    ----------
    base
        The first lane, a scalar.
    stride
        The step between lanes, of the data type of `base`.
    lanes
        The number of lanes, at least 2.
    dtype
        The data type of `base` with `lanes` lanes.
    """

    type_key = "uir.tir.Ramp"
    post_init = True
    base: PrimExprNode
    stride: PrimExprNode
    lanes: ty.int32_t
    dtype: ty.DataType = field(init=False)


@declare
class BroadcastNode(PrimExprNode):
    """
    Vector whose lanes all have the same value.

    See Also
    --------
    Broadcast

    Attributes
    ----------
    value
        The value of each lane, a scalar.
    lanes
        The number of lanes, at least 2.
    dtype
        The data type of `value` with `lanes` lanes.
    """

    type_key = "uir.tir.Broadcast"
    post_init = True
    value: PrimExprNode
    lanes: ty.int32_t
    dtype: ty.DataType = field(init=False)


@declare
class ShuffleNode(PrimExprNode):
    """
    Vector, or scalar, made of chosen lanes of other vectors.

    The lanes of all `vectors`, one vector after the other, are counted from 0.

    See Also
    --------
    Shuffle

    Attributes
    ----------
    vectors
        The vectors to take lanes from, at least one; they differ in their lanes at most.
    indices
        For each lane of the result, which lane to take: scalar integers, at least one.
    dtype
        The data type of an element with as many lanes as there are `indices`.
    """

    type_key = "uir.tir.Shuffle"
    post_init = True
    vectors: ty.Array[PrimExprNode]
    indices: ty.Array[PrimExprNode]
    dtype: ty.DataType = field(init=False)


@declare
class CallNode(PrimExprNode):
    """
    Call of an intrinsic or of a function of the module.

    See Also
    --------
    Call
    Op

    Attributes
    ----------
    dtype
        The data type of the result; `void` for a call without one.
    op
        What is called: an operator, such as the one named `tir.exp`, or a global variable.
    args
        The arguments, in order; as many as the operator says.
    """

    type_key = "uir.tir.Call"
    post_init = True
    dtype: ty.DataType
    op: RelayExprNode
    args: ty.Array[PrimExprNode]
