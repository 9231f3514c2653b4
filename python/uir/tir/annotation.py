"""Data types as annotations of script name them, in files where Python evaluates annotations.

`tir.int32` is a data type and `tir.handle("float32", "shared")` a pointer type; script reads the
source of both, so that the values only matter to Python.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tvm_ffi import dtype

from uir_nodes.ir import PointerType, PrimType

if TYPE_CHECKING:
    from typing import Any

__all__: list[str] = []

_DTYPE = re.compile(r"(u?int(8|16|32|64)|bfloat16|float(16|32|64)|bool)(x\d+)?")


def __getattr__(name: str) -> Any:
    """Return the data type that an attribute of `uir.tir` names.

    Raises
    ------
    AttributeError
        If it names none.
    """
    if name in ("handle", "Ptr", "ptr"):
        return _handle
    if _DTYPE.fullmatch(name):
        return dtype(name)
    raise AttributeError(f"module 'uir.tir' has no attribute {name!r}")


def _handle(element: str = "void", scope: str = "global") -> PointerType:
    return PointerType(PrimType(element), scope)
