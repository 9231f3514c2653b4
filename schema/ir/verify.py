"""Finding out what is wrong with a module."""

from schema.ir.diagnostics import DiagnosticNode
from schema.ir.module import IRModuleNode
from tschema import function, ty


@function
def verify(module: IRModuleNode) -> ty.Array[DiagnosticNode]:
    """
    Find all that is wrong with a module.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    problems
        What is wrong and where, in the order of the functions' names; empty for a module that
        is well-formed.
    """
    ...
