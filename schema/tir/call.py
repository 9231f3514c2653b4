"""Calls of functions, and of intrinsics on memory."""

from schema.ir.expr import PrimExprNode
from schema.tir.arith import FloorDivNode
from tschema import operand, operator, ty


@operator(kind="elementwise", result="T", custom=True)
def if_then_else(
    condition: PrimExprNode = operand(dtype="bool"),
    true_value: PrimExprNode = operand(dtype="T: any"),
    false_value: PrimExprNode = operand(dtype="T"),
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

    Returns
    -------
    result
        The call; one of the values if `condition` is constant.

    Raises
    ------
    TypeError
        If `condition` is not a scalar boolean, or the values have no common data type.
    """
    ...


@operator(effect="annotation", custom=True)
def likely(condition: PrimExprNode = operand(dtype="bool")) -> PrimExprNode:
    """
    Mark a condition as likely to hold.

    Returns
    -------
    result
        The marked condition; a constant is returned unchanged.
    """
    ...


@operator(builds=FloorDivNode, custom=True)
def ceildiv(
    a: PrimExprNode = operand(dtype="T: int"), b: PrimExprNode = operand(dtype="T")
) -> PrimExprNode:
    """
    Return the quotient of integers, rounded up.

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


@operator(kind="elementwise")
def fma(
    a: PrimExprNode = operand(dtype="T: float"),
    b: PrimExprNode = operand(dtype="T"),
    c: PrimExprNode = operand(dtype="T"),
) -> PrimExprNode:
    """Return the fused multiply-add `a * b + c`, rounded once."""
    ...


@operator(kind="elementwise")
def multiply_add(
    a: PrimExprNode = operand(dtype="T: float"),
    b: PrimExprNode = operand(dtype="T"),
    c: PrimExprNode = operand(dtype="T"),
) -> PrimExprNode:
    """
    Return `a * b + c`, rounded once where the machine has an instruction for it, else twice.

    All elements of a compiled function are rounded in the same way. `fma` rounds once on every
    machine, and calls a function where there is no instruction.
    """
    ...


@operator(result="handle", custom=True)
def address_of(load: PrimExprNode = operand(dtype="any")) -> PrimExprNode:
    """
    Return the address of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    ...


@operator(result="bool")
def isnullptr(address: PrimExprNode = operand(dtype="handle")) -> PrimExprNode:
    """Return whether an address is null."""
    ...


@operator(effect="update_state", result="void", custom=True)
def prefetch(load: PrimExprNode = operand(dtype="any")) -> PrimExprNode:
    """
    Prefetch the cache line of a buffer element.

    Parameters
    ----------
    load
        A `BufferLoad` of the element.

    Raises
    ------
    TypeError
        If `load` is not a `BufferLoad`.
    """
    ...


@operator(result="handle")
def constant_data(index: ty.int64_t) -> PrimExprNode:
    """
    Return the address of a constant tensor of the module.

    The tensors are the attribute `constants` of the module, an array. Their elements are
    compact and read-only, and start at a multiple of 64 bytes.

    Parameters
    ----------
    index
        The index of the tensor in `constants`, from 0.
    """
    ...


@operator(result="handle")
def access_ptr(
    data: PrimExprNode = operand(dtype="handle"),
    offset: PrimExprNode = operand(dtype="int"),
    extent: PrimExprNode = operand(dtype="int"),
    mask: PrimExprNode = operand(dtype="int"),
) -> PrimExprNode:
    """
    Return the address of elements of a buffer.

    Parameters
    ----------
    data
        The buffer's data.
    offset
        The first element.
    extent
        The number of elements.
    mask
        1 to read, 2 to write, 3 for both.
    """
    ...


@operator(effect="read_state", result="dtype")
def vload(
    address: PrimExprNode = operand(dtype="handle"),
    offset: PrimExprNode = operand(dtype="int"),
    dtype: ty.DataType = ...,
) -> PrimExprNode:
    """
    Load a vector of consecutive elements.

    Parameters
    ----------
    address
        Where the elements lie.
    offset
        The first element.
    dtype
        The vector type.
    """
    ...


@operator(effect="update_state", result="T")
def atomic_add(
    address: PrimExprNode = operand(dtype="handle"),
    value: PrimExprNode = operand(dtype="T: number"),
) -> PrimExprNode:
    """
    Add to what lies at an address, and return the value before.

    Parameters
    ----------
    address
        The address of a number.
    value
        The number to add.
    """
    ...


@operator(effect="update_state", result="void")
def memory_barrier() -> PrimExprNode:
    """Order the reads and writes before it before those after it."""
    ...


@operator(effect="update_state", result="void", custom=True)
def parallel_for(call: PrimExprNode = operand(dtype="any")) -> PrimExprNode:
    """
    Call a function for a range of iterations, in parts that may run at the same time.

    The first two arguments of the call are the first iteration and their number. Each part is
    a call with a range of its own and the other arguments as they are. If iterations fail, the
    error is that of the first one of these.

    Parameters
    ----------
    call
        The call of a function of the module, for all iterations.

    Raises
    ------
    TypeError
        If `call` is not a `Call` of a `GlobalVar` without a result, or its first two arguments
        are not scalar integers of one type.
    """
    ...


@operator(effect="update_state", result="void")
def storage_sync(scope: ty.String) -> PrimExprNode:
    """
    Synchronize the threads of a group on a storage scope.

    Parameters
    ----------
    scope
        The storage scope, such as `shared`.
    """
    ...


@operator(effect="update_state", result="void")
def ret(value: PrimExprNode = operand(dtype="any")) -> PrimExprNode:
    """Return a value from the enclosing function."""
    ...


@operator(result="dtype", custom=True, api=False)
def reinterpret(
    value: PrimExprNode = operand(dtype="any"), dtype: ty.DataType = ...
) -> PrimExprNode:
    """
    Reinterpret the bits of a value as another data type.

    Parameters
    ----------
    value
        The value.
    dtype
        The data type, with as many bits as that of `value`.

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


@operator(effect="pure", result="T", api=False)
def nonzero(
    divisor: PrimExprNode = operand(dtype="T: int"),
    message: PrimExprNode = operand(dtype="handle"),
) -> PrimExprNode:
    """
    Return an integer that is not 0; if it is, the call of the compiled function fails.

    The pass `CheckDivisors` puts it around divisors.

    Parameters
    ----------
    divisor
        The integer.
    message
        The message of the ValueError, a `StringImm`; empty if the integer is known not to be 0,
        so that nothing is checked.
    """
    ...


@operator(effect="update_state", result="handle", api=False)
def allocate_output(
    slot: PrimExprNode = operand(dtype="handle"),
    zero: PrimExprNode = operand(dtype="any"),
    shape: ty.Array[PrimExprNode] = operand(dtype="int"),
) -> PrimExprNode:
    """
    Allocate an output of a public function, and return the address of its elements.

    Parameters
    ----------
    slot
        The parameter of the output, which is a pointer and one of the last `num_outputs`.
    zero
        A number of the data type of its elements.
    shape
        Extent of each dimension, outermost first.
    """
    ...


@operator(effect="update_state", result="dtype", api=False)
def call_packed(
    name: PrimExprNode = operand(dtype="handle"),
    args: ty.Array[PrimExprNode] = operand(dtype="any"),
    dtype: ty.DataType = ...,
) -> PrimExprNode:
    """
    Call a global FFI function by name.

    Parameters
    ----------
    name
        The global name of the function, a `StringImm`.
    args
        The arguments.
    dtype
        The data type of the result.
    """
    ...


@operator(effect="update_state", result="dtype", api=False)
def call_extern(
    name: PrimExprNode = operand(dtype="handle"),
    args: ty.Array[PrimExprNode] = operand(dtype="any"),
    dtype: ty.DataType = ...,
) -> PrimExprNode:
    """
    Call a C function by symbol; it may have any side effect.

    Parameters
    ----------
    name
        The symbol of the function, a `StringImm`.
    args
        The arguments.
    dtype
        The data type of the result.
    """
    ...


@operator(effect="pure", result="dtype", api=False)
def call_pure_extern(
    name: PrimExprNode = operand(dtype="handle"),
    args: ty.Array[PrimExprNode] = operand(dtype="any"),
    dtype: ty.DataType = ...,
) -> PrimExprNode:
    """
    Call a C function without side effects by symbol.

    Parameters
    ----------
    name
        The symbol of the function, a `StringImm`.
    args
        The arguments.
    dtype
        The data type of the result.
    """
    ...
