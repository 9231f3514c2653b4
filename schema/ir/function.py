"""Base of functions, and external functions."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import RelayExprNode
from tschema import declare, field, function, method, ty


@declare
class BaseFuncNode(RelayExprNode):
    """
    Base of the functions of all dialects.

    See Also
    --------
    BaseFunc
    IRModule

    Attributes
    ----------
    attrs
        Attributes of the function. `global_symbol` makes it public and is the symbol that a
        compiled library exports. The constructor replaces None by empty attributes.
    """

    type_key = "uir.ir.BaseFunc"
    abstract = True
    post_init = True
    attrs: ty.Optional[DictAttrsNode] = field(default=None)

    @method
    def get_attr(self, key: ty.String) -> ty.Any:
        """
        Return an attribute of the function.

        Parameters
        ----------
        key
            The attribute's name.

        Returns
        -------
        value
            The attribute's value; None if the function does not have it.
        """
        ...


@declare
class ExternFuncNode(BaseFuncNode):
    """
    External function, linked by its symbol.

    See Also
    --------
    ExternFunc

    Attributes
    ----------
    global_symbol
        The symbol, which the linker or the function registry resolves; not empty.
    """

    type_key = "uir.ir.ExternFunc"
    post_init = True
    global_symbol: ty.String


@function
def with_attr(func: BaseFuncNode, key: ty.String, value: ty.Any) -> BaseFuncNode:
    """
    Return a function with one attribute added, replaced or removed.

    Parameters
    ----------
    func
        The function, which is not changed.
    key
        The attribute's name.
    value
        The attribute's value; None removes the attribute.

    Returns
    -------
    updated
        The new function, of the same type.
    """
    ...


@function
def with_attrs(func: BaseFuncNode, attrs: ty.Map[ty.String, ty.Any]) -> BaseFuncNode:
    """
    Return a function with several attributes added, replaced or removed.

    Parameters
    ----------
    func
        The function, which is not changed.
    attrs
        The values by name; None removes an attribute.

    Returns
    -------
    updated
        The new function, of the same type.
    """
    ...
