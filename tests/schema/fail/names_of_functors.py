"""Nodes."""

from tschema import Object, declare


@declare
class ExprNode(Object):
    """A node."""

    type_key = "toy.Expr"
    abstract = True
    dispatch = True


@declare
class EQNode(ExprNode):
    """A node."""

    type_key = "toy.EQ"


@declare
class EqNode(ExprNode):
    """A node."""

    type_key = "toy.Eq"


@declare
class ExprVisitor(Object):
    """A node."""

    type_key = "toy.Visits"


@declare
class MutatesNode(Object):
    """A node."""

    type_key = "toy.ExprMutator"
