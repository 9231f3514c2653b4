"""Nodes."""

from tschema import Object, declare, field, ty


@declare
class VarNode(Object):
    """A node."""

    type_key = "toy.Var"


@declare
class LetNode(Object):
    """A node.

    Attributes
    ----------
    value, tag, note, var, body
        A field.
    """

    type_key = "toy.Let"
    value: ty.Array[ty.Object]
    tag: str
    note: ty.Any = field(structural="ignore")
    var: VarNode = field(structural="def")
    body: ty.Object
