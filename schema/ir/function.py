"""Functions, as a module holds them."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import RelayExprNode
from tschema import declare, field, function, method, ty


@declare
class BaseFuncNode(RelayExprNode):
    """
    Base of all functions, whichever dialect their bodies are written in.

    See Also
    --------
    BaseFunc
    IRModule

    Attributes
    ----------
    attrs
        What is known about the function beside its body. `global_symbol` is the name under
        which a compiled library exports it and makes it public. None becomes an empty
        collection when the function is made.
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
            The attribute's value, None where the function has no such attribute.
        """
        ...


@declare
class ExternFuncNode(BaseFuncNode):
    """
    Function that is defined elsewhere and linked in by its symbol.

    See Also
    --------
    ExternFunc

    Attributes
    ----------
    global_symbol
        The symbol that the linker or the function registry resolves; not empty.
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
        The function to start from; it stays as it is.
    key
        The attribute's name.
    value
        The attribute's value; None removes the attribute.

    Returns
    -------
    updated
        The other function, of the same type.
    """
    ...


@function
def with_attrs(func: BaseFuncNode, attrs: ty.Map[ty.String, ty.Any]) -> BaseFuncNode:
    """
    Return a function with attributes added, replaced or removed, all at once.

    Parameters
    ----------
    func
        The function to start from; it stays as it is.
    attrs
        The attributes' values by their names; None removes one.

    Returns
    -------
    updated
        The other function, of the same type.
    """
    ...
