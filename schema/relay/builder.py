"""The builder of high-level functions."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import RelayExprNode
from schema.ir.span import SpanNode
from schema.ir.types import TypeNode
from schema.relay.block import BindingNode, BlockNode
from schema.relay.expr import VarNode
from schema.relay.function import FunctionNode
from tschema import Object, declare, field, function, method, ty


@declare
class BuilderNode(Object):
    """
    Builder of a function or a block, with bindings that have types as soon as they are made.

    See Also
    --------
    Builder
    Function

    Attributes
    ----------
    params
        The parameters of the function.
    bindings
        The bindings so far.
    """

    type_key = "uir.relay.Builder"
    structural = None
    mutable = True
    params: ty.Array[VarNode] = field(default_factory=list, init=False)
    bindings: ty.Array[BindingNode] = field(default_factory=list, init=False)

    @method
    def param(
        self,
        name: ty.String,
        type_annotation: TypeNode,
        span: ty.Optional[SpanNode] = None,
    ) -> VarNode:
        """
        Add a parameter to the function.

        Parameters
        ----------
        name
            The parameter's name.
        type_annotation
            Its type.
        span
            Source location.

        Returns
        -------
        param
            The parameter.
        """
        ...

    @method
    def emit(
        self, value: RelayExprNode, name: ty.String = "", span: ty.Optional[SpanNode] = None
    ) -> VarNode:
        """
        Add a binding of a new variable to a value.

        Operands of the value that are calls are bound first, so that the block is in A-normal
        form. Calls without a source location get `span`.

        Parameters
        ----------
        value
            The value.
        name
            The name of the variable; empty for one that tells its position.
        span
            Source location of the binding.

        Returns
        -------
        var
            The variable, of the type of the value.

        Raises
        ------
        ValueError
            If the type of the value is not known.
        """
        ...

    @method
    def make_block(self, result: RelayExprNode) -> BlockNode:
        """
        Return the block of the bindings so far.

        Parameters
        ----------
        result
            The value of the block; it is bound first if it is a call.

        Returns
        -------
        block
            The block.
        """
        ...

    @method
    def make_func(
        self,
        result: RelayExprNode,
        attrs: ty.Optional[DictAttrsNode] = None,
        span: ty.Optional[SpanNode] = None,
    ) -> FunctionNode:
        """
        Return the function that has been built.

        Parameters
        ----------
        result
            The value of the function; it is bound first if it is a call.
        attrs
            Attributes of the function.
        span
            Source location.

        Returns
        -------
        func
            The function.
        """
        ...


@function(api=True)
def builder() -> BuilderNode:
    """
    Make a builder of a function, whose bindings have types as soon as they are made.

    Returns
    -------
    made
        The builder.

    Examples
    --------
    >>> rb = builder()
    >>> x = rb.param("x", TensorType([2, 3], "float32"))
    >>> func = rb.make_func(rb.emit(Tuple([x, x]), "pair"))
    """
    ...
