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
    def get_attr(self, key: ty.String) -> ty.Any:
        """
        Return an attribute of the module.

        Parameters
        ----------
        key
            The attribute's name.

        Returns
        -------
        value
            The attribute's value, None where the module has no such attribute.
        """
        ...

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
        The other module; the same one where it has this very function.
    """
    ...


@function
def with_functions(
    module: IRModuleNode, functions: ty.Map[GlobalVarNode, BaseFuncNode]
) -> IRModuleNode:
    """
    Return a module with functions added or replaced, all at once.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    functions
        The functions by the variable that stands for them.

    Returns
    -------
    updated
        The other module; the same one where it has these very functions.
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


@function
def clone_module(module: IRModuleNode) -> IRModuleNode:
    """
    Return another module with the same functions, at the cost of one object.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    copy
        The other module.
    """
    ...


@function
def module_from_func(func: BaseFuncNode, name: ty.Optional[ty.String] = None) -> IRModuleNode:
    """
    Return a module that holds one function.

    Parameters
    ----------
    func
        The function.
    name
        The function's name in the module; None for the symbol that it exports, or `main`.

    Returns
    -------
    module
        The module.
    """
    ...


@function
def module_with_attr(module: IRModuleNode, key: ty.String, value: ty.Any) -> IRModuleNode:
    """
    Return a module with one attribute added, replaced or removed.

    Parameters
    ----------
    module
        The module to start from; it stays as it is.
    key
        The attribute's name.
    value
        The attribute's value; None removes the attribute.

    Returns
    -------
    updated
        The other module.
    """
    ...
