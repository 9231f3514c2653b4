"""The verifier of modules."""

from schema.ir.diagnostics import DiagnosticNode
from schema.ir.module import IRModuleNode
from tschema import function, ty


@function
def verify(module: IRModuleNode) -> ty.Array[DiagnosticNode]:
    """
    Check that a module is well-formed.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    problems
        The violations, sorted by function name; empty if the module is well-formed.
    """
    ...
