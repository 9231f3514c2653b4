"""Scalar and vector expressions: casts, selection, let bindings, vectors and calls."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from schema.tir.var import VarNode
from tschema import declare, field, ty


@declare
class CastNode(PrimExprNode):
    """
    Conversion to another data type with the same lanes.

    Conversion of floating-point to integer rounds towards zero; conversion to a narrower
    integer truncates the upper bits.

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
    script = "tir.Cast({dtype}, {value})"
    post_init = True
    dtype: ty.DataType
    value: PrimExprNode


@declare
class SelectNode(PrimExprNode):
    """
    Selection of one of two values by a condition; both may be evaluated.

    Use the intrinsic `tir.if_then_else` to evaluate only the selected value.

    See Also
    --------
    Select

    Attributes
    ----------
    condition
        A boolean, either scalar or with the lanes of the values.
    true_value
        The result if the condition holds.
    false_value
        The result otherwise, of the data type of `true_value`.
    dtype
        The data type of the values.
    """

    type_key = "uir.tir.Select"
    script = "tir.Select({condition}, {true_value}, {false_value})"
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
        The variable, bound in `body` only.
    value
        Its value, of the data type of `var`.
    body
        The expression.
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
    Vector of equally spaced numbers: `base`, `base + stride`, `base + 2 * stride`, ...

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
    script = "tir.Ramp({base}, {stride}, {lanes})"
    post_init = True
    base: PrimExprNode
    stride: PrimExprNode
    lanes: ty.int32_t
    dtype: ty.DataType = field(init=False)


@declare
class BroadcastNode(PrimExprNode):
    """
    Vector with the same value in all lanes.

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
    script = "tir.Broadcast({value}, {lanes})"
    post_init = True
    value: PrimExprNode
    lanes: ty.int32_t
    dtype: ty.DataType = field(init=False)


@declare
class ShuffleNode(PrimExprNode):
    """
    Vector or scalar of selected lanes of other vectors.

    The lanes of all `vectors` are numbered consecutively, from 0.

    See Also
    --------
    Shuffle

    Attributes
    ----------
    vectors
        The vectors, at least one; they may differ only in their number of lanes.
    indices
        The lane number for each lane of the result: scalar integers, at least one.
    dtype
        The element type with as many lanes as `indices`.
    """

    type_key = "uir.tir.Shuffle"
    script = "tir.Shuffle({vectors}, {indices})"
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
        The callee: an operator such as `tir.exp`, or a global variable.
    args
        The arguments, in order, as many as the operator takes.
    """

    type_key = "uir.tir.Call"
    post_init = True
    dtype: ty.DataType
    op: RelayExprNode
    args: ty.Array[PrimExprNode]
