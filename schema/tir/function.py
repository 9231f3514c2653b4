"""Tensor-level functions."""

from schema.ir.attrs import DictAttrsNode
from schema.ir.function import BaseFuncNode
from schema.ir.types import FuncTypeNode, TypeNode
from schema.tir.buffer import BufferNode
from schema.tir.stmt import StmtNode
from schema.tir.var import VarNode
from tschema import declare, field, method, ty


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
        The parameters; they are bound in the whole function.
    buffer_map
        What the parameters of data type `handle` point to. The buffers are bound in `body`, and
        so are variables in their shapes, strides and offsets, which callers determine.
    ret_type
        The type of the result. None becomes `TupleType([])`, no result, when the function is made.
    body
        What the function does.
    attrs
        What is known about the function beside its body; None becomes an empty collection when
        the function is made.
    """

    type_key = "uir.tir.PrimFunc"
    post_init = True
    params: ty.Array[VarNode] = field(structural="def_pattern")
    buffer_map: ty.Map[VarNode, BufferNode] = field(default_factory=dict, structural="def_pattern")
    ret_type: ty.Optional[TypeNode] = field(default=None)
    body: StmtNode
    attrs: ty.Optional[DictAttrsNode] = field(default=None)

    @method
    def func_type(self) -> FuncTypeNode:
        """
        Return the function's type, as its parameters and its result state it.

        Returns
        -------
        type
            The type: of each parameter its annotation, or else the type of its data type.
        """
        ...
