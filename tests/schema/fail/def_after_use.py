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
    value
        A field.
    tag
        A field.
    note
        A field.
    var
        A field.
    body
        A field.
    """

    type_key = "toy.Let"
    value: ty.Array[ty.Object]
    tag: str
    note: ty.Any = field(structural="ignore")
    var: VarNode = field(structural="def")
    body: ty.Object
