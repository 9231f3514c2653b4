"""Expressions shared by every dialect: their bases, constants and references to functions."""

from schema.ir.span import SpanNode
from schema.ir.types import TypeNode
from tschema import Object, declare, field, ty


@declare
class BaseExprNode(Object):
    """
    Base of all expressions.

    See Also
    --------
    BaseExpr

    Attributes
    ----------
    span
        Source location of the expression; structural equality ignores it.
    """

    type_key = "uir.ir.BaseExpr"
    abstract = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class PrimExprNode(BaseExprNode):
    """
    Base of scalar and vector expressions, whose values fit a machine register.

    A primitive expression has no side effects except those that its intrinsics declare. Its
    data type is known when it is constructed.

    See Also
    --------
    PrimExpr

    Attributes
    ----------
    dtype
        The data type of the value; a vector has more than one lane.
    """

    type_key = "uir.ir.PrimExpr"
    abstract = True
    dispatch = True
    dtype: ty.DataType


@declare
class RelayExprNode(BaseExprNode):
    """
    Base of high-level expressions: tensors, tuples, functions and operators.

    See Also
    --------
    RelayExpr

    Attributes
    ----------
    checked_type
        The inferred type; None before type inference. Structural equality ignores it.
    """

    type_key = "uir.ir.RelayExpr"
    abstract = True
    dispatch = True
    checked_type: ty.Optional[TypeNode] = field(
        default=None, init=False, structural="ignore", repr=False
    )


@declare
class IntImmNode(PrimExprNode):
    """
    Integer or boolean constant.

    See Also
    --------
    IntImm

    Attributes
    ----------
    dtype
        A scalar integer type or `bool`.
    value
        The value, in the range of `dtype`: 0 or 1 for `bool`, at most 2^63-1 for `uint64`.
    """

    type_key = "uir.ir.IntImm"
    post_init = True
    dtype: ty.DataType
    value: ty.int64_t


@declare
class FloatImmNode(PrimExprNode):
    """
    Floating-point constant.

    See Also
    --------
    FloatImm

    Attributes
    ----------
    dtype
        A scalar floating-point type.
    value
        The value in double precision: in the finite range of `dtype`, infinite, or NaN. Code
        generators round it to `dtype`.
    """

    type_key = "uir.ir.FloatImm"
    post_init = True
    dtype: ty.DataType
    value: ty.float64


@declare
class StringImmNode(PrimExprNode):
    """
    String constant, such as a message or the name of an external function.

    See Also
    --------
    StringImm

    Attributes
    ----------
    dtype
        Always `handle`: the run-time value is the address of the characters.
    value
        The text.
    """

    type_key = "uir.ir.StringImm"
    script = "ir.StringImm({value})"
    post_init = True
    value: ty.String
    dtype: ty.DataType = field(init=False)


@declare
class GlobalVarNode(RelayExprNode):
    """
    Reference to a function of the module, by identity.

    Functions call each other through global variables, so that recursion works, and replacing
    a function does not change its callers.

    See Also
    --------
    GlobalVar
    IRModule

    Attributes
    ----------
    name_hint
        Name of the function, unique in its module. It may differ from the symbol that a
        compiled library exports.
    """

    type_key = "uir.ir.GlobalVar"
    script = "ir.GlobalVar({name_hint})"
    structural = "var"
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
