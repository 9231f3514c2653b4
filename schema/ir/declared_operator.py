"""Operators that packages without compiled code declare: their registration from the JSON IR."""

from schema.ir.op import OpNode
from tschema import function, ty


@function
def register_operator(declaration: ty.Map[ty.String, ty.Any], place: ty.String = "") -> OpNode:
    """
    Register an operator from its declaration in the JSON IR.

    Parameters
    ----------
    declaration
        `name`, `doc`, `operands` and `attributes` (maps with `name`, `dtype` or `type`, `doc`,
        `optional` and `variadic`), `attrs_key`, `number` (the global function that makes a
        constant of a number) and `traits`; keys that do not apply are omitted.
    place
        The file that declares it.

    Returns
    -------
    op
        The operator.

    Raises
    ------
    ValueError
        If an operator of that name is registered; the message shows both locations.
    """
    ...


@function
def convert_numbers(op: OpNode, operands: ty.Array[ty.Any]) -> ty.Array[ty.Any]:
    """
    Convert the plain numbers among the operands of a call to constants.

    Parameters
    ----------
    op
        The operator.
    operands
        One element for each declared operand.

    Returns
    -------
    operands
        The same, with a constant in place of each number.
    """
    ...
