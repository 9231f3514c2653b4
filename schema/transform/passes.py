"""Passes: transformations of modules, as objects."""

from schema.transform.context import PassInfoNode
from tschema import Object, declare, field, ty


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

    See Also
    --------
    Sequential

    Attributes
    ----------
    passes
        The passes, in order; a sequence among them has a level of its own.
    """

    type_key = "uir.transform.Sequential"
    passes: ty.Array[PassNode]
