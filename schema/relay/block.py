"""Blocks, straight-line lists of bindings, with branches between them and loops over them."""

from schema.ir.expr import RelayExprNode
from schema.ir.span import SpanNode
from schema.relay.expr import VarNode
from tschema import Object, declare, field, ty


@declare
class BindingNode(Object):
    """
    Binding of a variable to a value, for the rest of the block.

    See Also
    --------
    Binding
    Block

    Attributes
    ----------
    var
        The variable, bound up to the end of the block.
    value
        Its value. In A-normal form the operands of the value are variables and constants.
    span
        Source location of the binding; structural equality ignores it.
    """

    type_key = "uir.relay.Binding"
    var: VarNode = field(structural="def")
    value: RelayExprNode
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class BlockNode(Object):
    """
    Straight-line list of bindings, and the value that they compute.

    See Also
    --------
    Block
    Binding

    Attributes
    ----------
    bindings
        The bindings, in order; each may use the variables of those before it.
    result
        The value of the block.
    """

    type_key = "uir.relay.Block"
    bindings: ty.Array[BindingNode]
    result: RelayExprNode


@declare
class IfNode(RelayExprNode):
    """
    Value of one of two blocks; only that one is computed.

    See Also
    --------
    If

    Attributes
    ----------
    condition
        A tensor of shape `()` and data type `bool`.
    true_branch
        Computed if the condition holds.
    false_branch
        Computed otherwise; its value has the same type.
    """

    type_key = "uir.relay.If"
    post_init = True
    condition: RelayExprNode
    true_branch: BlockNode
    false_branch: BlockNode


@declare
class WhileNode(RelayExprNode):
    """
    Values that a block computes again and again while a condition holds.

    See Also
    --------
    While

    Attributes
    ----------
    params
        Variables for the values before a step, each of the type of its initial value, a tensor.
    condition
        Whether there is a first step: a tensor of shape `()` and data type `bool`.
    initial
        The values before the first step, at least one. Those after the last step are the value of
        the loop, a tuple.
    body
        Computes a tuple: whether there is a next step, and the values after this one, which have
        the types of the variables.
    """

    type_key = "uir.relay.While"
    post_init = True
    params: ty.Array[VarNode] = field(structural="def")
    condition: RelayExprNode
    initial: ty.Array[RelayExprNode]
    body: BlockNode
