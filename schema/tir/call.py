"""Calls of functions, and of intrinsics for conditions and memory."""

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
    Return the value that a condition selects; only that one is computed.

    Parameters
    ----------
    condition
        A scalar boolean.
    true_value
        The result if `condition` holds.
    false_value
        The result otherwise.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the promoted data type; one of the values if `condition` is
        constant.

    Raises
    ------
    TypeError
        If `condition` is not a scalar boolean, or the data types cannot be promoted.
    """
    ...


@function
def likely(condition: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Mark a condition as likely to hold.

    Parameters
    ----------
    condition
        A boolean.
    span
        Source location of the expression.

    Returns
    -------
    result
        The marked condition, of the data type of `condition`; a constant is returned
        unchanged.

    Raises
    ------
    TypeError
        If `condition` is not a boolean.
    """
    ...


@function
def fma(
    a: PrimExprNode, b: PrimExprNode, c: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Return the fused multiply-add `a * b + c`, rounded once.

    Parameters
    ----------
    a
        The first factor, floating-point.
    b
        The second factor, of the data type of `a`.
    c
        The addend, of the data type of `a`.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of the data type of `a`.

    Raises
    ------
    TypeError
        If `a` is not floating-point, or the data types differ.
    """
    ...


@function
def ceildiv(a: PrimExprNode, b: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the quotient of integers, rounded up.

    Parameters
    ----------
    a
        The left operand, an integer.
    b
        The right operand, a positive integer.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression `floordiv(a + b - 1, b)`.

    Raises
    ------
    TypeError
        If an operand is not an integer.
    ValueError
        If `b` is the constant 0.
    """
    ...


@function
def reinterpret(
    dtype: ty.DataType, value: PrimExprNode, span: ty.Optional[SpanNode] = None
) -> PrimExprNode:
    """
    Reinterpret the bits of a value as another data type.

    Parameters
    ----------
    dtype
        The data type, with as many bits as that of `value`.
    value
        The value.
    span
        Source location of the expression.

    Returns
    -------
    result
        The expression, of data type `dtype`; `value` itself if it has that type.

    Raises
    ------
    TypeError
        If the numbers of bits differ.
    """
    ...


@function
def address_of(load: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return the address of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.
    span
        Source location of the expression.

    Returns
    -------
    result
        The address, of data type `handle`.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    ...


@function
def isnullptr(address: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return whether an address is null.

    Parameters
    ----------
    address
        The address, of data type `handle`.
    span
        Source location of the expression.

    Returns
    -------
    result
        A scalar boolean expression.

    Raises
    ------
    TypeError
        If `address` is not a `handle`.
    """
    ...


@function
def prefetch(load: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Prefetch the cache line of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `void`.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    ...


@function
def storage_sync(scope: ty.String, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Synchronize the threads of a group on a storage scope.

    Parameters
    ----------
    scope
        The storage scope, such as `shared`.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `void`.
    """
    ...


@function
def ret(value: PrimExprNode, span: ty.Optional[SpanNode] = None) -> PrimExprNode:
    """
    Return a value from the enclosing function.

    Parameters
    ----------
    value
        The value.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `void`.
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
    Call a global FFI function by name.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The global name of the function.
    args
        The arguments.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `dtype`.
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
    Call a C function by symbol; it may have any side effect.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    args
        The arguments.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `dtype`.
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
    Call a C function without side effects by symbol.

    Parameters
    ----------
    dtype
        The data type of the result.
    name
        The symbol of the function.
    args
        The arguments.
    span
        Source location of the expression.

    Returns
    -------
    result
        The call, of data type `dtype`.
    """
    ...
