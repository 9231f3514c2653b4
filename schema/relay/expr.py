"""Expressions of high-level functions, whose values are tensors and tuples of tensors."""

from schema.ir.attrs import AttrsNode
from schema.ir.expr import PrimExprNode, RelayExprNode
from schema.ir.types import TypeNode
from tschema import declare, field, ty


@declare
class VarNode(RelayExprNode):
    """
    Variable of a high-level function: a parameter, or the name of a binding's value.

    Two variables with the same name are different variables. Structural equality is
    alpha-equivalence: it pairs variables at their bindings.

    See Also
    --------
    Var
    Binding
    Function

    Attributes
    ----------
    name
        The name that printers use; structural equality ignores it.
    type_annotation
        The type of the value; None until type inference, which a parameter cannot wait for.
    """

    type_key = "uir.relay.Var"
    structural = "var"
    post_init = True
    name: ty.String = field(structural="ignore")
    type_annotation: ty.Optional[TypeNode] = field(default=None)


@declare
class ConstantNode(RelayExprNode):
    """
    Constant tensor.

    See Also
    --------
    Constant

    Attributes
    ----------
    data
        The elements: a contiguous tensor in the memory of the CPU.
    """

    type_key = "uir.relay.Constant"
    post_init = True
    data: ty.Tensor


@declare
class TupleNode(RelayExprNode):
    """
    Tuple of values.

    As an argument, the empty tuple marks an absent optional operand.

    See Also
    --------
    Tuple
    TupleGetItem

    Attributes
    ----------
    fields
        The values, in order.
    """

    type_key = "uir.relay.Tuple"
    post_init = True
    fields: ty.Array[RelayExprNode] = field(default_factory=list)


@declare
class TupleGetItemNode(RelayExprNode):
    """
    Field of a tuple.

    See Also
    --------
    TupleGetItem
    Tuple

    Attributes
    ----------
    tuple_value
        The tuple.
    index
        The index of the field, from 0.
    """

    type_key = "uir.relay.TupleGetItem"
    post_init = True
    tuple_value: RelayExprNode
    index: ty.int64_t


@declare
class CallNode(RelayExprNode):
    """
    Call of an operator or a function.

    See Also
    --------
    Call
    make_call

    Attributes
    ----------
    op
        The callee: an `Op`, a `GlobalVar`, or a variable that holds a function.
    args
        The operands, in order. `Tuple([])` marks an absent optional operand.
    attrs
        The attributes of an operator, of the type that it declares; None if it has none.
    assumptions
        The conditions on dimensions that type inference could not decide; None if there are none.
        They follow from the other fields, and structural equality ignores them.
    """

    type_key = "uir.relay.Call"
    post_init = True
    op: RelayExprNode
    args: ty.Array[RelayExprNode]
    attrs: ty.Optional[AttrsNode] = field(default=None)
    assumptions: ty.Optional[ty.Array[PrimExprNode]] = field(
        default=None, init=False, structural="ignore", repr=False
    )


@declare
class CallDestinationPassingAttrsNode(AttrsNode):
    """
    Attributes of `relay.call_destination_passing`.

    See Also
    --------
    CallDestinationPassingAttrs
    call_destination_passing

    Attributes
    ----------
    out_types
        The types of the outputs, in order, which may use the dimensions of the arguments.
    """

    type_key = "uir.relay.CallDestinationPassingAttrs"
    out_types: ty.Array[TypeNode]


@declare
class RequireAttrsNode(AttrsNode):
    """
    Attributes of `relay.require`.

    See Also
    --------
    RequireAttrs
    require

    Attributes
    ----------
    conditions
        Boolean expressions of the dimensions of the function's parameters.
    """

    type_key = "uir.relay.RequireAttrs"
    conditions: ty.Array[PrimExprNode]
