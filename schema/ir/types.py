"""Types of expressions and functions, all but those that mention expressions."""

from schema.ir.span import SpanNode
from tschema import Object, declare, field, ty


@declare
class TypeNode(Object):
    """
    Base of all types.

    A type says what the value of an expression is; two types are the same when they are
    structurally equal.

    See Also
    --------
    Type

    Attributes
    ----------
    span
        Where the type was written; structural equality ignores it.
    """

    type_key = "uir.ir.Type"
    abstract = True
    dispatch = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class PrimTypeNode(TypeNode):
    """
    Type of a scalar or a short vector that fits a register, such as `int32` or `float32x4`.

    See Also
    --------
    PrimType

    Attributes
    ----------
    dtype
        The data type of the value.
    """

    type_key = "uir.ir.PrimType"
    dtype: ty.DataType


@declare
class PointerTypeNode(TypeNode):
    """
    Type of an address in one memory scope.

    See Also
    --------
    PointerType

    Attributes
    ----------
    element_type
        The type of what the address points to.
    storage_scope
        Name of the memory, such as `global`, `shared` or `local`; empty stands for `global`.
    """

    type_key = "uir.ir.PointerType"
    element_type: TypeNode
    storage_scope: ty.String = field(default="")


@declare
class TupleTypeNode(TypeNode):
    """
    Type of a tuple; without fields it is the type of no value, `void`.

    See Also
    --------
    TupleType

    Attributes
    ----------
    fields
        The types of the tuple's fields, in order.
    """

    type_key = "uir.ir.TupleType"
    fields: ty.Array[TypeNode] = field(default_factory=list)


@declare
class FuncTypeNode(TypeNode):
    """
    Type of a function.

    See Also
    --------
    FuncType

    Attributes
    ----------
    arg_types
        The types of the parameters, in order.
    ret_type
        The type of the result.
    """

    type_key = "uir.ir.FuncType"
    arg_types: ty.Array[TypeNode]
    ret_type: TypeNode
