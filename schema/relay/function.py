"""High-level functions, and calls between the levels."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import PrimExprNode, RelayExprNode
from schema.ir.function import BaseFuncNode
from schema.ir.span import SpanNode
from schema.ir.types import FuncTypeNode, TypeNode
from schema.relay.block import BlockNode
from schema.relay.expr import VarNode
from tschema import declare, field, function, method, ty


@declare
class FunctionNode(BaseFuncNode):
    """
    Function on tensors, without side effects.

    See Also
    --------
    Function
    uir.tir.PrimFunc

    Attributes
    ----------
    params
        The parameters, which are distinct and have type annotations. The `SizeVar`s in the
        annotations are bound in the whole function.
    body
        The body.
    ret_type
        The type of the result. The constructor replaces None by the type of the body's result,
        if that is known.
    attrs
        Attributes of the function. The constructor replaces None by empty attributes.
    """

    type_key = "uir.relay.Function"
    post_init = True
    # The attributes may use the dimensions that the parameters bind.
    default_sequal_reduce = False
    default_shash_reduce = False
    params: ty.Array[VarNode] = field(structural="def_pattern")
    body: BlockNode
    ret_type: ty.Optional[TypeNode] = field(default=None)
    attrs: ty.Optional[DictAttrsNode] = field(default=None)

    @method
    def func_type(self) -> FuncTypeNode:
        """
        Return the function's type, from its parameters and its result.

        Returns
        -------
        type
            The type.

        Raises
        ------
        ValueError
            If the type of the result is not known.
        """
        ...


@function
def call_destination_passing(
    callee: RelayExprNode,
    args: ty.Array[RelayExprNode],
    out_types: ty.Array[TypeNode],
    span: ty.Optional[SpanNode] = None,
) -> RelayExprNode:
    """
    Call a tensor-level or an external function, which writes its outputs through parameters.

    The function is called with the arguments and then the outputs. The outputs are fresh
    tensors, so that they never alias the arguments.

    Parameters
    ----------
    callee
        A `GlobalVar` of a `PrimFunc`, or an `ExternFunc`.
    args
        The arguments.
    out_types
        The type of each output, at least one.
    span
        Source location of the expression.

    Returns
    -------
    outputs
        The call: the output itself if there is one, else a tuple of them.

    Raises
    ------
    TypeError
        If `callee` is of another type, or an output is not a tensor.
    ValueError
        If there is no output.
    """
    ...


@function
def require(
    conditions: ty.Array[PrimExprNode], span: ty.Optional[SpanNode] = None
) -> RelayExprNode:
    """
    Check conditions on dimensions where the block that binds the result runs.

    `InferType` binds such a check at the begin of a branch whose types assume equal dimensions.
    Thus a call fails only if it takes that branch.

    Parameters
    ----------
    conditions
        Boolean expressions of the dimensions of the function's parameters, at least one.
    span
        Source location of the expression.

    Returns
    -------
    nothing
        The call, whose value is the empty tuple.

    Raises
    ------
    TypeError
        If a condition is not boolean.
    ValueError
        If there is no condition.
    """
    ...
