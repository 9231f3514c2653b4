"""Variables of tensor-level functions."""

from schema.ir.expr import PrimExprNode
from schema.ir.types import TypeNode
from tschema import declare, field, ty


@declare
class VarNode(PrimExprNode):
    """
    Variable, with identity and one binding.

    Two variables with the same name are different variables. Structural equality is
    alpha-equivalence: it pairs variables at their bindings.

    See Also
    --------
    Var

    Attributes
    ----------
    name
        The name that printers use; structural equality ignores it.
    dtype
        The data type of the value; `handle` for an address.
    type_annotation
        A more precise type than `dtype`, such as the pointee of a `handle`.
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
    Non-negative variable, such as the extent of a tensor.

    See Also
    --------
    SizeVar
    """

    type_key = "uir.tir.SizeVar"
    post_init = True
