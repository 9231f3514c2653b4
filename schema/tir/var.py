"""Variables of tensor-level functions."""

from schema.ir.expr import PrimExprNode
from schema.ir.types import TypeNode
from tschema import declare, field, ty


@declare
class VarNode(PrimExprNode):
    """
    Variable: a name for one value, bound once, by identity.

    Two variables of the same name are different variables. Structural equality pairs variables
    where they are bound.

    See Also
    --------
    Var

    Attributes
    ----------
    name
        What printers call it; structural equality ignores it.
    dtype
        The data type of the value; `handle` for an address.
    type_annotation
        A type that says more than `dtype` does: what a `handle` points to.
    """

    type_key = "uir.tir.Var"
    structural = "var"
    final = False
    post_init = True
    name: ty.String = field(structural="ignore")
    dtype: ty.DataType = field(default="int32")
    type_annotation: ty.Optional[TypeNode] = field(default=None)


@declare
class SizeVarNode(VarNode):
    """
    Variable that is never negative, such as the extent of a tensor.

    See Also
    --------
    SizeVar
    """

    type_key = "uir.tir.SizeVar"
    post_init = True
