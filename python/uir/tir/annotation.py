"""Names of script that Python evaluates: those of annotations, and of functions that script calls.

`tir.int32` is a data type and `tir.handle("float32", "shared")` a pointer type. Script reads the
source of annotations, so that their values only matter to Python; a function that script calls
makes values of `tir.float32(x)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tvm_ffi import dtype

from uir_nodes.ir import PointerType, PrimExpr, PrimType
from uir_nodes.tir import Var, cast, reference_to

from .op import const

if TYPE_CHECKING:
    from typing import Any

__all__: list[str] = []

_DTYPE = re.compile(
    r"(u?int(8|16|32|64)|bfloat16|float(16|32|64)|float(8|6|4)_\w+|bool|void)(x\d+)?"
)
_SHORT = {"bf16": "bfloat16", "boolean": "bool", "e4m3_float8": "float8_e4m3fn"}
_SHORT |= {"e5m2_float8": "float8_e5m2"}
_SHORT |= {f"f{bits}": f"float{bits}" for bits in (16, 32, 64)}
_SHORT |= {f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}
_SHORT |= {f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)}


class _DType(dtype):
    """A data type that is called: `tir.int32()` is a variable, `tir.int32(x)` a value of it."""

    def __call__(self, value: PrimExpr | float | str | None = None, **_options: object) -> PrimExpr:
        if value is None:
            return Var("v", self)
        if isinstance(value, PrimExpr):
            return cast(value, self)
        return const(float(value) if isinstance(value, str) else value, self)


class _Handle:
    """`tir.handle("float32", "shared")`, `tir.Ptr[tir.float32]`, or `tir.handle` alone.

    `tir.handle("uir.tir.For", nullable=True)` is a reference to an object.
    """

    def __call__(
        self,
        dtype: object = "void",
        scope: str = "global",
        storage_scope: str | None = None,
        *,
        nullable: bool = False,
    ) -> PointerType:
        if "." in str(dtype):
            return reference_to(str(dtype), nullable)
        return PointerType(PrimType(str(dtype)), storage_scope or scope)

    def __getitem__(self, item: object) -> PointerType:
        return self(*item) if isinstance(item, tuple) else self(item)


_HANDLE = _Handle()


def __getattr__(name: str) -> Any:
    """Return the value of an attribute of `uir.tir` in an annotation of script.

    Raises
    ------
    AttributeError
        If it names neither a data type nor a form of annotations.
    """
    if name in ("handle", "Ptr", "ptr"):
        return _HANDLE
    if name == "var":
        return _DType
    if name == "dynamic":
        return _dynamic
    if name == "meta_var":
        return _meta_var
    known = _SHORT.get(name, name)
    if _DTYPE.fullmatch(known):
        return _DType(known)
    raise AttributeError(f"module 'uir.tir' has no attribute {name!r}")


def _meta_var(value: object) -> Any:
    """Return a value that a function of Python gives to script, as it is."""
    return value


def _dynamic(name: str, dtype: str = "int64") -> Var:
    """Return a dimension that several functions of a file have in common."""
    return Var(name, dtype)
