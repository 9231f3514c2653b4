"""Modules: what every transformation takes and returns."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import GlobalVarNode
from schema.ir.function import BaseFuncNode
from tschema import Object, declare, field, function, method, ty


@declare
class IRModuleNode(Object):
    """
    Functions of all dialects side by side, which call each other through global variables.

    Two modules are structurally equal when their functions, paired by name, are.

    See Also
    --------
    IRModule

    Attributes
    ----------
    functions
        The functions by the variable that stands for them. No two variables have the same
        `name_hint`, and no two functions export the same `global_symbol`.
    attrs
        What is known about the whole module. None becomes an empty collection when the
        module is made.
    global_var_map_
        The variables of `functions` by their names.
    """

    type_key = "uir.ir.IRModule"
    post_init = True
    default_sequal_reduce = False
    default_shash_reduce = False
    functions: ty.Map[GlobalVarNode, BaseFuncNode] = field(default_factory=dict)
    attrs: ty.Optional[DictAttrsNode] = field(default=None)
    global_var_map_: ty.Map[ty.String, GlobalVarNode] = field(
        default_factory=dict, init=False, structural="ignore", repr=False
    )

    @method
    def contains(self, name: ty.String) -> ty.bool:
        """
        Tell whether the module has a function of a name.

        Parameters
        ----------
        name
            `name_hint` of the function's variable.

        Returns
        -------
        found
            Whether there is one.
        """
        ...

    @method
    def get_global_var(self, name: ty.String) -> GlobalVarNode:
        """
        Return the variable of a name; a missing one is an error with the names there are.

        Parameters
        ----------
        name
            `name_hint` of the variable.

        Returns
        -------
        var
            The variable.
        """
        ...

    @method
    def lookup(self, name: ty.String) -> BaseFuncNode:
        """
        Return the function of a name; a missing one is an error with the names there are.

        Parameters
        ----------
        name
            `name_hint` of the function's variable.

        Returns
        -------
        func
            The function.
        """
        ...


@function
def with_function(module: IRModuleNode, var: GlobalVarNode, func: BaseFuncNode) -> IRModuleNode:
    """
    Return a module with one function added or replaced.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    var
        The variable that stands for the function.
    func
        The function.

    Returns
    -------
    updated
        The other module.
    """
    ...


@function
def without_function(module: IRModuleNode, var: GlobalVarNode) -> IRModuleNode:
    """
    Return a module with one function removed; one that is not there is an error.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    var
        The variable that stands for the function.

    Returns
    -------
    updated
        The other module.
    """
    ...
