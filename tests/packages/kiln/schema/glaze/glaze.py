"""Operators with nodes of attributes, and one whose shape only C++ knows."""

from tschema import dialect, function, operand, operator, ty
from uir.schema.ir.attrs import AttrsNode
from uir.schema.ir.expr import RelayExprNode
from uir.schema.ir.op import OpNode


@function
def make_call(
    op: OpNode, operands: ty.Array[ty.Any], attributes: ty.Optional[AttrsNode]
) -> RelayExprNode:
    """
    Make a call.

    Parameters
    ----------
    op
        The operator.
    operands
        Its operands.
    attributes
        Its attributes.

    Returns
    -------
    call
        The call.
    """
    ...


@dialect
class GlazeDialect:
    """Operators on whole pots."""

    operand = RelayExprNode
    make = "kiln.glaze.make_call"
    attributes = AttrsNode
    prefix = "glaze"
    shapes = True


@operator(kind="row", relation="same", onnx="Softmax@13", torch="aten.softmax.int")
def soften(
    x: RelayExprNode = operand(dtype="T: float"), axis: ty.int64_t = -1, *, twice: ty.bool = False
) -> RelayExprNode:
    """
    Soften along one axis.

    Parameters
    ----------
    x
        A pot.
    axis
        The axis.
    twice
        Whether to do so again.
    """
    ...


@operator(kind="contraction", compute="y[*b, m, n] += a[*b, m, k] * b_[*b, k, n]")
def fuse(
    a: RelayExprNode = operand(dtype="T: number"), b_: RelayExprNode = operand(dtype="T")
) -> RelayExprNode:
    """Fuse stacks of pots."""
    ...


@operator(kind="view", relation="custom", name="shape.fold")
def fold(
    x: RelayExprNode = operand(), axes: ty.Array[ty.int64_t] = ..., keep: ty.Array[ty.int64_t] = ()
) -> RelayExprNode:
    """
    Fold axes together.

    Parameters
    ----------
    x
        A pot.
    axes
        What is folded.
    keep
        What is not.
    """
    ...


@operator(kind="view", relation="same")
def where(x: RelayExprNode = operand()) -> RelayExprNode:
    """Return where a pot stands; Rust reserves the name of the function."""
    ...


@function
def template(x: RelayExprNode) -> RelayExprNode:
    """
    Return the mould of a pot; C++ reserves the name of the function.

    Parameters
    ----------
    x
        A pot.
    """
    ...
