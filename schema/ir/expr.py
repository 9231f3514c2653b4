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
        Where the expression was written; structural equality ignores it.
    """

    type_key = "uir.ir.BaseExpr"
    abstract = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class PrimExprNode(BaseExprNode):
    """
    Base of the scalar expressions: those whose value fits a register of the machine.

    A primitive expression has no side effect of its own beyond what the intrinsics that it
    calls declare, and its data type is known when it is made.

    See Also
    --------
    PrimExpr

    Attributes
    ----------
    dtype
        The data type of the value; more than one lane makes it a short vector.
    """

    type_key = "uir.ir.PrimExpr"
    abstract = True
    dispatch = True
    dtype: ty.DataType


@declare
class RelayExprNode(BaseExprNode):
    """
    Base of the high-level expressions: tensors, tuples, functions, operators.

    See Also
    --------
    RelayExpr

    Attributes
    ----------
    checked_type
        The type that inference found, None before it ran; structural equality ignores it.
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
    Constant integer or boolean in the program.

    See Also
    --------
    IntImm

    Attributes
    ----------
    dtype
        A scalar integer type or `bool`.
    value
        The value, within the range of `dtype`: 0 or 1 for `bool`; an unsigned 64-bit constant
        reaches 2^63-1 only.
    """

    type_key = "uir.ir.IntImm"
    post_init = True
    dtype: ty.DataType
    value: ty.int64_t


@declare
class FloatImmNode(PrimExprNode):
    """
    Constant floating-point number in the program.

    See Also
    --------
    FloatImm

    Attributes
    ----------
    dtype
        A scalar floating-point type.
    value
        The value in double precision, within the finite range of `dtype` or infinite or not a
        number; code generators round it to `dtype`.
    """

    type_key = "uir.ir.FloatImm"
    post_init = True
    dtype: ty.DataType
    value: ty.float64


@declare
class StringImmNode(PrimExprNode):
    """
    Constant string in the program, such as a message or the name of an external function.

    See Also
    --------
    StringImm

    Attributes
    ----------
    dtype
        Always `handle`: at run time the value is the address of the characters.
    value
        The text.
    """

    type_key = "uir.ir.StringImm"
    post_init = True
    value: ty.String
    dtype: ty.DataType = field(init=False)


@declare
class GlobalVarNode(RelayExprNode):
    """
    Reference to a function of the module, by identity.

    Functions name each other through global variables, so that they may be recursive and one can
    be replaced without touching its callers.

    See Also
    --------
    GlobalVar
    IRModule

    Attributes
    ----------
    name_hint
        Name of the function inside its module; unique there, and not necessarily the symbol that
        a compiled library exports.
    """

    type_key = "uir.ir.GlobalVar"
    structural = "var"
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
