"""Calls in files of older versions, which functions bring to the form of now."""

from schema.ir.op import OpNode
from tschema import function, ty


@function(api=True)
def register_upgrade(
    op: OpNode, name: ty.String, num_arguments: ty.int32_t, upgrade: ty.Function
) -> None:
    """
    Register a function that brings stored calls of an operator to its form of now.

    The function converts calls of this name and with this number of arguments in files of older
    versions. If a rule suffices, declare it instead: `@operator(upgrade=...)`.

    Parameters
    ----------
    op
        The operator.
    name
        Its name in the files.
    num_arguments
        The number of arguments of a stored call; another one than now, unless the name is.
    upgrade
        Takes the list of arguments and the node of attributes, which is None if there is none,
        and returns both as they are now.

    Raises
    ------
    ValueError
        If these calls are taken.
    """
    ...
