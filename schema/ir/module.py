"""Modules, the unit that passes transform."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import GlobalVarNode
from schema.ir.function import BaseFuncNode
from tschema import Object, declare, field, function, method, ty


@declare
class IRModuleNode(Object):
    """
    Module of functions of all dialects, which call each other through global variables.

    Two modules are structurally equal if their functions, paired by name, are.

    See Also
    --------
    IRModule

    Attributes
    ----------
    functions
        The functions, by their global variables. Each `name_hint` and each `global_symbol` is
        unique.
    attrs
        Attributes of the module. The constructor replaces None by empty attributes.
    global_var_map_
        The global variables of `functions`, by name.
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
            The attribute's value; None if the module does not have it.
        """
        ...

    @method
    def contains(self, name: ty.String) -> ty.bool:
        """
        Return whether the module has a function with a name.

        Parameters
        ----------
        name
            `name_hint` of the function's variable.

        Returns
        -------
        found
            Whether it exists.
        """
        ...

    @method
    def get_global_var(self, name: ty.String) -> GlobalVarNode:
        """
        Return the global variable with a name.

        Parameters
        ----------
        name
            `name_hint` of the variable.

        Returns
        -------
        var
            The variable.

        Raises
        ------
        ValueError
            If there is no such function; the message lists the names.
        """
        ...

    @method
    def lookup(self, name: ty.String) -> BaseFuncNode:
        """
        Return the function with a name.

        Parameters
        ----------
        name
            `name_hint` of the function's variable.

        Returns
        -------
        func
            The function.

        Raises
        ------
        ValueError
            If there is no such function; the message lists the names.
        """
        ...


@function
def with_function(module: IRModuleNode, var: GlobalVarNode, func: BaseFuncNode) -> IRModuleNode:
    """
    Return a module with one function added or replaced.

    Parameters
    ----------
    module
        The module, which is not changed.
    var
        The function's global variable.
    func
        The function.

    Returns
    -------
    updated
        The new module; `module` itself if it already holds this function.
    """
    ...


@function
def with_functions(
    module: IRModuleNode, functions: ty.Map[GlobalVarNode, BaseFuncNode]
) -> IRModuleNode:
    """
    Return a module with several functions added or replaced.

    Parameters
    ----------
    module
        The module, which is not changed.
    functions
        The functions, by their global variables.

    Returns
    -------
    updated
        The new module; `module` itself if it already holds these functions.
    """
    ...


@function
def without_function(module: IRModuleNode, var: GlobalVarNode) -> IRModuleNode:
    """
    Return a module with one function removed.

    Parameters
    ----------
    module
        The module, which is not changed.
    var
        The function's global variable.

    Returns
    -------
    updated
        The new module.

    Raises
    ------
    ValueError
        If the module does not have the function.
    """
    ...


@function
def clone_module(module: IRModuleNode) -> IRModuleNode:
    """
    Return a shallow copy of a module.

    Parameters
    ----------
    module
        The module.

    Returns
    -------
    copy
        The new module.
    """
    ...


@function
def module_from_func(func: BaseFuncNode, name: ty.Optional[ty.String] = None) -> IRModuleNode:
    """
    Make a module of one function.

    Parameters
    ----------
    func
        The function.
    name
        The function's name in the module; None for its `global_symbol`, or else `main`.

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
        The module, which is not changed.
    key
        The attribute's name.
    value
        The attribute's value; None removes the attribute.

    Returns
    -------
    updated
        The new module.
    """
    ...
