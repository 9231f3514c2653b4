"""A variable, what binds it, and keys of maps: beside `every_type.py`."""

from tschema import Object, declare, field, ty


@declare
class VarNode(Object):
    """
    A variable.

    Attributes
    ----------
    name
        Its name.
    """

    type_key = "toy.Var"
    structural = "var"
    name: ty.String = field(structural="ignore")


@declare
class LambdaNode(Object):
    """
    A function of one variable.

    Attributes
    ----------
    var
        Its parameter.
    body
        Its result.
    """

    type_key = "toy.Lambda"
    var: VarNode = field(structural="def")
    body: ty.Any
