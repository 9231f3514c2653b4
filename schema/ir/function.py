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
        The symbol, which the linker or the function registry resolves; not empty. `extern_func`
        makes functions whose attributes have their source.
    """

    type_key = "uir.ir.ExternFunc"
    script = "ir.ExternFunc({global_symbol}, {attrs})"
    post_init = True
    global_symbol: ty.String


@function(api=True)
def extern_func(
    global_symbol: ty.String, source: ty.String, language: ty.String = "c"
) -> ExternFuncNode:
    """
    Return an external function whose source travels with the program.

    `uir.build` compiles the source and links it into the library. Functions of one source are
    compiled once. A call passes the addresses of the elements of buffers, and numbers;
    `call_destination_passing` passes those of the arguments, of the outputs, and then all
    dimensions that are not constants, as `int64_t`.

    Parameters
    ----------
    global_symbol
        The symbol, which the source defines; an identifier of C.
    source
        The text.
    language
        The language of the text: `c`; `asm` for the assembler of the machine; or `llvm` for
        LLVM's intermediate language, which clang and the extra `uir[compiler]` read.

    Returns
    -------
    func
        The function; its attributes `source` and `language` are those of the call.

    Raises
    ------
    ValueError
        If the symbol is not an identifier, or there is no such language.

    Examples
    --------
    >>> from uir import ir
    >>> func = ir.extern_func("twice", "float twice(float x) { return 2 * x; }")
    >>> func.global_symbol, func.get_attr("language")
    ('twice', 'c')
    """
    ...


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
