"""Making buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from uir_nodes.tir import Buffer

from . import _ffi_api
from .op import Operand, as_expr

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = ["decl_buffer"]


def decl_buffer(
    shape: Sequence[Operand],
    dtype: DataType | str = "float32",
    name: str = "buffer",
    storage_scope: str = "global",
) -> Buffer:
    """Make a compact row-major buffer, and the variable of its address.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first.
    dtype
        The data type of an element.
    name
        What printers call the buffer; the variable is called the same.
    storage_scope
        The memory that it lies in, such as `global`, `shared` or `local`.

    Returns
    -------
    Buffer
        The buffer.

    Raises
    ------
    TypeError
        If an extent is no scalar integer.
    """
    return _ffi_api.decl_buffer([as_expr(extent) for extent in shape], dtype, name, storage_scope)
