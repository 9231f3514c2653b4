"""Arguments of global functions of tvm-ffi."""

from schema.ir.expr import PrimExprNode
from schema.tir.buffer import BufferNode
from tschema import function


@function(api=True)
def tensor_argument(buffer: BufferNode) -> PrimExprNode:
    """
    Return a buffer as an argument of `call_packed`, which passes a tensor.

    Parameters
    ----------
    buffer
        The buffer, which lies in memory of the CPU.

    Returns
    -------
    argument
        The call of an intrinsic; the tensor is valid until the function that is called returns.

    Examples
    --------
    >>> from uir import tir
    >>> tir.tensor_argument(tir.decl_buffer([tir.SizeVar("n"), 4], "int8", "A")).args[3]
    IntImm(dtype='int32', value=2)
    """
    ...
