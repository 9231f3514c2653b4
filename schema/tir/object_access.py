"""Objects of tvm-ffi in tensor-level functions: their fields, their types, elements of arrays."""

from schema.ir.expr import PrimExprNode
from schema.ir.types import PointerTypeNode
from tschema import Object, declare, function, operand, operator, ty


@declare
class ObjectTypeNode(Object):
    """
    The object that a reference refers to: one of tvm-ffi, such as a node.

    An object of a subtype is of the type too. `reference_to` makes annotations of variables.

    See Also
    --------
    ObjectType

    Attributes
    ----------
    key
        The type key of the object, such as `uir.tir.For`.
    nullable
        Whether the reference may be null, which is None.
    """

    type_key = "uir.tir.ObjectType"
    key: ty.String
    nullable: ty.bool = False


@function(api=True)
def reference_to(key: ty.String, nullable: ty.bool = False) -> PointerTypeNode:
    """
    Return the type of references to objects of tvm-ffi, an annotation of variables.

    Parameters
    ----------
    key
        The type key of the objects, such as `uir.tir.For`.
    nullable
        Whether a reference may be null, which is None.

    Returns
    -------
    type
        A pointer type whose storage scope has the key. In script it is
        `tir.handle("uir.tir.For")`, or with `nullable=True`.

    Examples
    --------
    >>> from uir import tir
    >>> loop = tir.Var("loop", "handle", tir.reference_to("uir.tir.For"))
    >>> tir.object_type_of(loop).key
    'uir.tir.For'
    """
    ...


@operator(effect="read_state", result="dtype", custom=True)
def get_field(
    object: PrimExprNode = operand(dtype="handle"),
    field: ty.String = ...,
    dtype: ty.Optional[ty.DataType] = None,
) -> PrimExprNode:
    """
    Read a field of an object by its name.

    `LowerObjectFields` replaces it by `object_field`, which reads it by its offset. A null
    object is an error when the function runs. In script it is `node.field`.

    Parameters
    ----------
    object
        A reference whose type is known: a variable that `reference_to` annotates, or a field
        with references.
    field
        The field's name; a number, a boolean, an enum or a reference.
    dtype
        The data type of the field, `handle` for a reference; None for that of the registered
        type.

    Returns
    -------
    result
        The call, of the field's data type.

    Raises
    ------
    TypeError
        If `dtype` is None, and the type of `object` is not known or not registered, or the
        field is not one of those above.
    ValueError
        If `dtype` is None and the type has no such field.

    Examples
    --------
    >>> from uir import tir
    >>> loop = tir.Var("loop", "handle", tir.reference_to("uir.tir.For"))
    >>> tir.get_field(loop, "kind").dtype, tir.get_field(loop, "extent").dtype
    (dtype('int32'), dtype('handle'))
    """
    ...


@operator(effect="read_state", result="dtype", custom=True)
def object_field(
    object: PrimExprNode = operand(dtype="handle"),
    type_key: ty.String = ...,
    field: ty.String = ...,
    offset: ty.Optional[ty.int64_t] = None,
    dtype: ty.Optional[ty.DataType] = None,
) -> PrimExprNode:
    """
    Read a field of an object by its offset.

    The object is not checked: it must be of the type, and not null. Compiled code compares the
    offset with that of the registered type when an entry is called first.

    Parameters
    ----------
    object
        A reference to the object.
    type_key
        The type that declares or inherits the field.
    field
        The field's name.
    offset
        Where the field lies, in bytes from the start of the object; None for the registered
        layout's.
    dtype
        The data type of the field, `handle` for a reference; None for the registered type's.

    Returns
    -------
    result
        The call, of the field's data type.

    Raises
    ------
    TypeError
        If the type is not registered, the field is not plain memory, or its offset or data type
        is another one.
    ValueError
        If the type has no such field.

    Examples
    --------
    >>> from uir import tir
    >>> loop = tir.Var("loop", "handle", tir.reference_to("uir.tir.For"))
    >>> kind = tir.object_field(loop, "uir.tir.For", "kind")
    >>> kind.dtype, kind.args[3].value
    (dtype('int32'), 56)
    """
    ...


@operator(effect="read_state", result="handle")
def as_object(
    object: PrimExprNode = operand(dtype="handle"), type_key: ty.String = ..., name: ty.String = ""
) -> PrimExprNode:
    """
    Return a reference that is checked when the function runs.

    It is a TypeError if the reference is null or its object is not of the type.

    Parameters
    ----------
    object
        The reference.
    type_key
        The type of the object, or a base of it.
    name
        What errors call the reference.
    """
    ...


@operator(effect="read_state", result="bool")
def is_object(
    object: PrimExprNode = operand(dtype="handle"), type_key: ty.String = ...
) -> PrimExprNode:
    """
    Return whether a reference is to an object of a type.

    It is false for null.

    Parameters
    ----------
    object
        The reference.
    type_key
        The type of the object, or a base of it.
    """
    ...


@operator(effect="read_state", result="int64")
def array_size(array: PrimExprNode = operand(dtype="handle")) -> PrimExprNode:
    """
    Return the number of elements of an array of tvm-ffi.

    Parameters
    ----------
    array
        A reference to an `ffi.Array`, which is not null.
    """
    ...


@operator(effect="read_state", result="dtype")
def array_item(
    array: PrimExprNode = operand(dtype="handle"),
    index: PrimExprNode = operand(dtype="int"),
    dtype: ty.DataType = ...,
) -> PrimExprNode:
    """
    Return an element of an array of tvm-ffi.

    It is an IndexError if there is no such element, and a TypeError if it is not of the kind of
    `dtype`, when the function runs.

    Parameters
    ----------
    array
        A reference to an `ffi.Array`, which is not null.
    index
        The index of the element, from 0.
    dtype
        An integer or floating-point type, `bool`, or `handle` for a reference to an object,
        which is null for None.
    """
    ...


@function(api=True)
def object_type_of(expr: PrimExprNode) -> ty.Optional[ObjectTypeNode]:
    """
    Return the type of the object that an expression refers to.

    Parameters
    ----------
    expr
        The expression.

    Returns
    -------
    type
        The annotation of a variable, the type of a field or that of a checked reference; None
        if it is not known.

    Examples
    --------
    >>> from uir import tir
    >>> loop = tir.Var("loop", "handle", tir.reference_to("uir.tir.For"))
    >>> tir.object_type_of(tir.get_field(loop, "thread_binding"))
    uir.tir.ObjectType(key="uir.tir.IterVar", nullable=True)
    """
    ...
