"""Operators, and the registry of operators and their attributes."""

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
        The accepted types, in words: `float32 or float64`, `Tensor`.
    description
        The meaning of the argument.
    """

    type_key = "uir.ir.AttrFieldInfo"
    name: ty.String
    type_info: ty.String = field(default="")
    description: ty.String = field(default="")


@declare
class OpNode(RelayExprNode):
    """
    Primitive operator: a callee that the compiler knows by name.

    The registry holds one operator for each name (`get_op`), and operators are equal only if
    they are the same object. Passes keep their facts about an operator in attributes
    (`op_attr`), so that a new pass does not need a new field.

    See Also
    --------
    Op

    Attributes
    ----------
    name
        Dotted name, dialect first: `tir.exp`.
    description
        The result of the operator.
    arguments
        Its arguments, in order; empty if undocumented.
    num_inputs
        The number of arguments of a call; -1 for any number.
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
    Return the registered operator with a name.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    op
        The operator.

    Raises
    ------
    ValueError
        If there is no such operator; the message suggests similar names.
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
    Register an operator.

    Parameters
    ----------
    op
        The operator to add.
    place
        The location of the registration, `file:line`; empty if unknown.

    Raises
    ------
    ValueError
        If an operator of that name is registered; the message shows both locations.
    """
    ...


@function
def set_op_attr(op: OpNode, attr_name: ty.String, value: ty.Any, place: ty.String = "") -> None:
    """
    Set an attribute of an operator.

    Parameters
    ----------
    op
        A registered operator.
    attr_name
        The attribute's name, such as `TCallEffectKind`.
    value
        The attribute's value; not None.
    place
        The location of the registration, `file:line`; empty if unknown.

    Raises
    ------
    ValueError
        If `op` is not registered, `value` is None, or the attribute is set; the message shows
        both locations.
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
        The attribute's value; None if the operator does not have it.
    """
    ...


@function
def has_op(name: ty.String) -> ty.bool:
    """
    Return whether an operator with a name is registered.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    found
        Whether it exists.
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
        The values, by name.
    """
    ...


@function
def op_attr_map(attr_name: ty.String) -> ty.Map[OpNode, ty.Any]:
    """
    Return the values of an attribute for all operators.

    Parameters
    ----------
    attr_name
        The attribute's name.

    Returns
    -------
    values
        The values, by operator, of those that have the attribute.
    """
    ...
