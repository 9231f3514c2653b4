"""Operators, and the registry of their attributes."""

from schema.ir.expr import RelayExprNode
from tschema import Object, declare, field, function, ty


@declare
class AttrFieldInfoNode(Object):
    """
    Description of one argument of an operator.

    See Also
    --------
    AttrFieldInfo
    Op

    Attributes
    ----------
    name
        The argument's name.
    type_info
        What the argument may be, in words: `float32 or float64`, `Tensor`.
    description
        What the argument means.
    """

    type_key = "uir.ir.AttrFieldInfo"
    name: ty.String
    type_info: ty.String = field(default="")
    description: ty.String = field(default="")


@declare
class OpNode(RelayExprNode):
    """
    Primitive operator: something a program calls whose meaning the compiler knows by name.

    The registry holds one operator for each name (`get_op`), and two operators are equal only if
    they are the same object. What passes know about an operator stands in attributes beside
    it (`op_attr`), so that a new pass needs no new field.

    See Also
    --------
    Op

    Attributes
    ----------
    name
        Dotted name, dialect first: `tir.exp`.
    description
        What the operator computes.
    arguments
        Its arguments, in order; empty when they are not described.
    num_inputs
        How many arguments a call has; -1 for any number.
    """

    type_key = "uir.ir.Op"
    structural = "unique"
    post_init = True
    name: ty.String
    description: ty.String = field(default="", repr=False)
    arguments: ty.Array[AttrFieldInfoNode] = field(default_factory=list, repr=False)
    num_inputs: ty.int32_t = field(default=-1, repr=False)


@function
def get_op(name: ty.String) -> OpNode:
    """
    Return the registered operator of a name; a missing one is an error with names near it.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    op
        The one operator of that name.
    """
    ...


@function
def list_op_names() -> ty.Array[ty.String]:
    """
    Return the names of all registered operators.

    Returns
    -------
    names
        The names, sorted.
    """
    ...


@function
def register_op(op: OpNode, place: ty.String = "") -> None:
    """
    Add an operator to the registry; a second one of the same name is an error.

    Parameters
    ----------
    op
        The operator to add.
    place
        Where that is written, `file:line`; empty where it is not known.
    """
    ...


@function
def set_op_attr(op: OpNode, attr_name: ty.String, value: ty.Any, place: ty.String = "") -> None:
    """
    Give an operator an attribute; a second value for the same attribute is an error.

    Parameters
    ----------
    op
        A registered operator.
    attr_name
        The attribute's name, such as `TCallEffectKind`.
    value
        The attribute's value; not None.
    place
        Where that is written, `file:line`; empty where it is not known.
    """
    ...


@function
def op_attr(op: OpNode, attr_name: ty.String) -> ty.Any:
    """
    Return an attribute of an operator.

    Parameters
    ----------
    op
        The operator.
    attr_name
        The attribute's name.

    Returns
    -------
    value
        The attribute's value, None where the operator has no such attribute.
    """
    ...


@function
def has_op(name: ty.String) -> ty.bool:
    """
    Tell whether there is a registered operator of a name.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    found
        Whether there is one.
    """
    ...


@function
def op_attrs(op: OpNode) -> ty.Map[ty.String, ty.Any]:
    """
    Return all attributes of an operator.

    Parameters
    ----------
    op
        The operator.

    Returns
    -------
    attrs
        The values by the attributes' names.
    """
    ...


@function
def op_attr_map(attr_name: ty.String) -> ty.Map[OpNode, ty.Any]:
    """
    Return what all operators have for an attribute.

    Parameters
    ----------
    attr_name
        The attribute's name.

    Returns
    -------
    values
        The values by operator; empty where no operator has the attribute.
    """
    ...
