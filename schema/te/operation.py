"""Tensor expressions: what computes tensors, before it has loops and memory."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode, DataProducerNode
from schema.tir.reduce import IterVarNode
from schema.tir.stmt import StmtNode
from tschema import Object, declare, field, ty


@declare
class OperationNode(Object):
    """
    Base of what computes tensors.

    See Also
    --------
    Operation
    Tensor

    Attributes
    ----------
    name
        What printers and functions call its tensors; structural equality ignores it.
    tag
        What kind of operation it is, for those that look for patterns; mostly empty.
    attrs
        What else is known about it, by name.
    """

    type_key = "uir.te.Operation"
    abstract = True
    structural = "dag"
    name: ty.String = field(structural="ignore")
    tag: ty.String = field(default="", kw_only=True)
    attrs: ty.Map[ty.String, ty.Any] = field(default_factory=dict, kw_only=True)


@declare
class TensorNode(DataProducerNode):
    """
    Multi-dimensional array that an operation computes.

    See Also
    --------
    Tensor

    Attributes
    ----------
    op
        The operation.
    value_index
        Which of its results the tensor is, from 0.
    shape
        Extent of each dimension, as `op` says.
    dtype
        The data type of an element, as `op` says.
    name
        What printers call it, as `op` says; with several results it ends in the number.
    """

    type_key = "uir.te.Tensor"
    post_init = True
    op: OperationNode
    value_index: ty.int32_t = field(default=0)
    shape: ty.Array[PrimExprNode] = field(init=False)
    dtype: ty.DataType = field(init=False)
    name: ty.String = field(default="", init=False, structural="ignore")


@declare
class PlaceholderOpNode(OperationNode):
    """
    Array that is given from outside.

    Two placeholders of the same shape are different arrays.

    See Also
    --------
    PlaceholderOp

    Attributes
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integers.
    dtype
        The data type of an element.
    """

    type_key = "uir.te.PlaceholderOp"
    post_init = True
    shape: ty.Array[PrimExprNode]
    dtype: ty.DataType


@declare
class ComputeOpNode(OperationNode):
    """
    Computation of each element by expressions over its indices.

    See Also
    --------
    ComputeOp

    Attributes
    ----------
    axis
        The dimensions, outermost first, with the ranges of their indices from 0 on; of type
        `IterVarType.DATA_PAR`. Their variables are bound in `body`.
    body
        An element of each result. Either none is a `Reduce`, or all are, of one combiner over the
        same axes, and differ in `value_index`.
    """

    type_key = "uir.te.ComputeOp"
    post_init = True
    axis: ty.Array[IterVarNode]
    body: ty.Array[PrimExprNode]


@declare
class ExternOpNode(OperationNode):
    """
    Computation of whole arrays by a statement.

    See Also
    --------
    ExternOp

    Attributes
    ----------
    input_placeholders
        The buffers that stand for `inputs` in the statement.
    output_placeholders
        The buffers that stand for the results; they say what the shapes are.
    inputs
        The arrays that the statement reads.
    body
        The statement.
    """

    type_key = "uir.te.ExternOp"
    post_init = True
    input_placeholders: ty.Array[BufferNode] = field(structural="def_pattern")
    output_placeholders: ty.Array[BufferNode] = field(structural="def_pattern")
    inputs: ty.Array[TensorNode]
    body: StmtNode
