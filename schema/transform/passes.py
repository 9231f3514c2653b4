"""Passes: transformations from module to module."""

from schema.ir.module import IRModuleNode
from schema.transform.context import PassInfoNode
from tschema import Object, declare, field, function, ty


@declare
class PassNode(Object):
    """
    Base of all passes.

    See Also
    --------
    Pass

    Attributes
    ----------
    pass_info
        The pass's name, level and requirements.
    """

    type_key = "uir.transform.Pass"
    abstract = True
    structural = None
    pass_info: PassInfoNode


@declare
class ModulePassNode(PassNode):
    """
    Pass over a whole module; it may add and remove functions.

    See Also
    --------
    ModulePass

    Attributes
    ----------
    pass_func
        The transformation: `(IRModule, PassContext) -> IRModule`.
    """

    type_key = "uir.transform.ModulePass"
    pass_func: ty.Function = field(repr=False)


@declare
class PrimFuncPassNode(PassNode):
    """
    Pass over each tensor-level function separately.

    See Also
    --------
    PrimFuncPass

    Attributes
    ----------
    pass_func
        The transformation: `(PrimFunc, IRModule, PassContext) -> PrimFunc`; the module is that
        before the pass.
    """

    type_key = "uir.transform.PrimFuncPass"
    pass_func: ty.Function = field(repr=False)


@declare
class FunctionPassNode(PassNode):
    """
    Pass over each high-level function separately.

    See Also
    --------
    FunctionPass

    Attributes
    ----------
    pass_func
        The transformation: `(Function, IRModule, PassContext) -> Function`; the module is that
        before the pass.
    """

    type_key = "uir.transform.FunctionPass"
    pass_func: ty.Function = field(repr=False)


@declare
class SequentialNode(PassNode):
    """
    Pass that runs other passes in order.

    It skips a pass that the context disables, and a pass above the context's level unless the
    context requires it.

    See Also
    --------
    Sequential

    Attributes
    ----------
    pass_info
        The name, level and requirements of the sequence, made from the fields below.
    passes
        The passes, in order; sequences nest.
    opt_level
        The sequence's level inside an outer sequence; at least 0.
    name
        The sequence's name; not empty.
    required
        Names of registered passes that an outer sequence runs first.
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
    Run a pass on a module in the current context, even if the context disables it.

    Parameters
    ----------
    to_run
        The pass.
    module
        The module, which is not changed.

    Returns
    -------
    transformed
        The transformed module; `module` itself if nothing changed.
    """
    ...


@function
def describe_pass(described: PassNode) -> ty.String:
    """
    Describe a pass in one line, and each pass of a sequence in a numbered line below it.

    Parameters
    ----------
    described
        The pass.

    Returns
    -------
    listing
        The lines, without a final newline.
    """
    ...
