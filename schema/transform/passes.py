"""Passes: transformations of modules, as objects."""

from schema.ir.module import IRModuleNode
from schema.transform.context import PassInfoNode
from tschema import Object, declare, field, function, ty


@declare
class PassNode(Object):
    """
    Base of all passes: a transformation from a module to a module.

    See Also
    --------
    Pass

    Attributes
    ----------
    pass_info
        When pipelines run the pass, and what they call it.
    """

    type_key = "uir.transform.Pass"
    abstract = True
    structural = None
    pass_info: PassInfoNode


@declare
class ModulePassNode(PassNode):
    """
    Pass that takes the whole module, and may add and remove functions.

    See Also
    --------
    ModulePass

    Attributes
    ----------
    pass_func
        What the pass does: `(IRModule, PassContext) -> IRModule`.
    """

    type_key = "uir.transform.ModulePass"
    pass_func: ty.Function = field(repr=False)


@declare
class PrimFuncPassNode(PassNode):
    """
    Pass that takes each tensor-level function by itself.

    See Also
    --------
    PrimFuncPass

    Attributes
    ----------
    pass_func
        What the pass does: `(PrimFunc, IRModule, PassContext) -> PrimFunc`; the module is the one
        before the pass.
    """

    type_key = "uir.transform.PrimFuncPass"
    pass_func: ty.Function = field(repr=False)


@declare
class SequentialNode(PassNode):
    """
    Pass that runs other passes one after the other.

    A pass is skipped if the context disables it or, unless the context requires it, if its level is
    above the context's.

    See Also
    --------
    Sequential

    Attributes
    ----------
    pass_info
        When an outer pipeline runs the sequence, and what it calls it; made of the fields below.
    passes
        The passes, in order; a sequence among them has a level of its own.
    opt_level
        The sequence's level, which counts where it is part of another one; at least 0.
    name
        The sequence's name; not empty.
    required
        Names of registered passes that an outer sequence runs before this one.
    """

    type_key = "uir.transform.Sequential"
    post_init = True
    pass_info: PassInfoNode = field(init=False)
    passes: ty.Array[PassNode]
    opt_level: ty.int32_t = field(default=0, repr=False)
    name: ty.String = field(default="sequential", repr=False)
    required: ty.Array[ty.String] = field(default_factory=list, repr=False)


@function
def run_pass(to_run: PassNode, module: IRModuleNode) -> IRModuleNode:
    """
    Run a pass on a module with the current context, whatever that disables.

    Parameters
    ----------
    to_run
        The pass.
    module
        The module; it stays as it is.

    Returns
    -------
    transformed
        The module after the pass; the same object if nothing changed.
    """
    ...


@function
def describe_pass(described: PassNode) -> ty.String:
    """
    Describe a pass in a line, and each pass of a sequence in a line below, numbered.

    Parameters
    ----------
    described
        The pass.

    Returns
    -------
    listing
        The lines, with no newline at the end.
    """
    ...
