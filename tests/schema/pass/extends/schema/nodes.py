"""Nodes that extend another package's."""

from base.schema.ir.expr import ExprNode
from tschema import declare, field, ty


@declare
class AddNode(ExprNode):
    """Has three types below it, and one slot only."""

    type_key = "toy.Add"
    lhs: ExprNode = field(doc="The left operand.")
    flag: ty.bool = field(init=False, doc="Derived.")


@declare
class Add1Node(AddNode):
    """A child."""

    type_key = "toy.Add1"


@declare
class Add2Node(AddNode):
    """A child."""

    type_key = "toy.Add2"
