"""Tensor expressions: operations on tensors, without loops and memory."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode, DataProducerNode
from schema.tir.reduce import IterVarNode
from schema.tir.stmt import StmtNode
from tschema import Object, declare, field, ty


@declare
class OperationNode(Object):
    """
    Base of the operations that compute tensors.

    See Also
    --------
    Operation
    Tensor

    Attributes
    ----------
    name
        The name of its tensors; structural equality ignores it.
    tag
        The kind of operation, for pattern matching; may be empty.
    attrs
        Further attributes, by name.
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
        The index among the outputs of `op`, from 0.
    shape
        Extent of each dimension, from `op`.
    dtype
        The data type of an element, from `op`.
    name
        The name, from `op`; with several outputs it ends in the index.
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
    Input tensor.

    Two placeholders of the same shape are different tensors.

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
    Elementwise computation by expressions over the indices.

    See Also
    --------
    ComputeOp

    Attributes
    ----------
    axis
        The dimensions, outermost first, with ranges that start at 0 and type
        `IterVarType.DATA_PAR`. They bind their variables in `body`.
    body
        An element of each output. Either no element is a `Reduce`, or all are, with the same
        combiner and axes and different `value_index`.
    """

    type_key = "uir.te.ComputeOp"
    post_init = True
    axis: ty.Array[IterVarNode]
    body: ty.Array[PrimExprNode]


@declare
class ExternOpNode(OperationNode):
    """
    Computation of whole tensors by a statement.

    See Also
    --------
    ExternOp

    Attributes
    ----------
    input_placeholders
        The buffers of `inputs` in the statement.
    output_placeholders
        The buffers of the outputs, which determine their shapes.
    inputs
        The tensors that the statement reads.
    body
        The statement.
    """

    type_key = "uir.te.ExternOp"
    post_init = True
    input_placeholders: ty.Array[BufferNode] = field(structural="def_pattern")
    output_placeholders: ty.Array[BufferNode] = field(structural="def_pattern")
    inputs: ty.Array[TensorNode]
    body: StmtNode
