"""Tensor-level functions."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.function import BaseFuncNode
from schema.ir.types import FuncTypeNode, TypeNode
from schema.tir.buffer import BufferNode
from schema.tir.stmt import StmtNode
from schema.tir.var import VarNode
from tschema import declare, field, function, method, ty


@declare
class PrimFuncNode(BaseFuncNode):
    """
    Function on scalars and buffers, with loops and explicit memory.

    See Also
    --------
    PrimFunc

    Attributes
    ----------
    params
        The parameters, bound in the whole function.
    buffer_map
        The buffers that parameters of data type `handle` point to, bound in `body`. It also
        binds the variables in their shapes, strides and offsets, whose values come from the
        caller.
    ret_type
        The type of the result. The constructor replaces None by `TupleType([])`, no result.
    body
        The body.
    attrs
        Attributes of the function. The constructor replaces None by empty attributes.
    """

    type_key = "uir.tir.PrimFunc"
    post_init = True
    # The attributes may use variables that the parameters bind.
    default_sequal_reduce = False
    default_shash_reduce = False
    params: ty.Array[VarNode] = field(structural="def_pattern")
    buffer_map: ty.Map[VarNode, BufferNode] = field(default_factory=dict, structural="def_pattern")
    ret_type: ty.Optional[TypeNode] = field(default=None)
    body: StmtNode
    attrs: ty.Optional[DictAttrsNode] = field(default=None)

    @method
    def func_type(self) -> FuncTypeNode:
        """
        Return the function's type, from its parameters and its result.

        Returns
        -------
        type
            The type; a parameter without a type annotation has the `PrimType` of its data
            type.
        """
        ...


@function(api=True)
def func_type_of(func: PrimFuncNode) -> FuncTypeNode:
    """
    Return the type of a function for calls from high-level functions.

    Parameters
    ----------
    func
        The function.

    Returns
    -------
    type
        The type: a parameter with a buffer is a tensor of the buffer's shape, where equal
        variables are equal dimensions; any other one has its own type.
    """
    ...
