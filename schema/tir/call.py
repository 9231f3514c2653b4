"""Calls of functions, and of intrinsics on conditions and memory."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import function, ty


@function
def if_then_else(
    condition: PrimExprNode,
    true_value: PrimExprNode,
    false_value: PrimExprNode,
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Make the choice between two values, only one of which is computed.

    Parameters
    ----------
    condition
        A scalar boolean; a constant one decides here.
    true_value
        The result where it holds.
    false_value
        The result elsewhere.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def likely(condition: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Note that a condition mostly holds.

    Parameters
    ----------
    condition
        A boolean.
    span
        Where that is written.

    Returns
    -------
    result
        The condition with the note; a constant stays as it is.
    """
    ...


@function
def fma(
    a: PrimExprNode, b: PrimExprNode, c: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Make `a * b + c`, rounded once.

    Parameters
    ----------
    a
        The first factor, a floating-point number.
    b
        The second factor.
    c
        What is added.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def ceildiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the quotient, rounded up.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, a positive integer.
    span
        Where that is written.

    Returns
    -------
    result
        The expression.
    """
    ...


@function
def reinterpret(
    dtype: ty.DataType, value: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Take the bits of a value for another data type.

    Parameters
    ----------
    dtype
        The data type, of as many bits as that of the value.
    value
        The value.
    span
        Where that is written.

    Returns
    -------
    result
        The expression; the value itself if it has that data type.
    """
    ...


@function
def address_of(load: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the address of an element of a buffer.

    Parameters
    ----------
    load
        A read of the element.
    span
        Where that is written.

    Returns
    -------
    result
        The address, of data type `handle`.
    """
    ...


@function
def isnullptr(address: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Make the check whether an address is null.

    Parameters
    ----------
    address
        The address.
    span
        Where that is written.

    Returns
    -------
    result
        A boolean.
    """
    ...


@function
def prefetch(load: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Load the memory around an element into the cache.

    Parameters
    ----------
    load
        A read of an element.
    span
        Where that is written.

    Returns
    -------
    result
        A call without a value.
    """
    ...


@function
def storage_sync(scope: ty.String, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Wait until the threads of a group have written a memory.

    Parameters
    ----------
    scope
        The memory, such as `shared`.
    span
        Where that is written.

    Returns
    -------
    result
        A call without a value.
    """
    ...


@function
def ret(value: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Leave the function with a value.

    Parameters
    ----------
    value
        The value.
    span
        Where that is written.

    Returns
    -------
    result
        A call without a value.
    """
    ...


@function
def call_packed(
    dtype: ty.DataType,
    name: ty.String,
    args: ty.Array[PrimExprNode],
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Call a function of the FFI registry.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The global name of the function.
    args
        The arguments.
    span
        Where that is written.

    Returns
    -------
    result
        The call.
    """
    ...


@function
def call_extern(
    dtype: ty.DataType,
    name: ty.String,
    args: ty.Array[PrimExprNode],
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Call a C function, which may do anything.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    args
        The arguments.
    span
        Where that is written.

    Returns
    -------
    result
        The call.
    """
    ...


@function
def call_pure_extern(
    dtype: ty.DataType,
    name: ty.String,
    args: ty.Array[PrimExprNode],
    span: ty.Optional[SpanNode] = None,
) -> PrimExprNode:
    """
    Call a C function that does nothing but compute its result.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    args
        The arguments.
    span
        Where that is written.

    Returns
    -------
    result
        The call.
    """
    ...
