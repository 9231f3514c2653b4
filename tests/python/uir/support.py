"""What the tests of uir's nodes share: a few operands, and the words of an error, all of them."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

import pytest

from uir.ir import FloatImm, IntImm, PrimExpr
from uir.tir import Broadcast, Buffer, IterVar, IterVarType, Var, decl_buffer

__all__ = [
    "F32",
    "FLAG",
    "I32",
    "I64",
    "TRUE",
    "X",
    "Y",
    "buffer",
    "reduce_axis",
    "refuses",
    "vector",
]

I32 = IntImm("int32", 1)
I64 = IntImm("int64", 1)
F32 = FloatImm("float32", 1.5)
TRUE = IntImm("bool", 1)
X = Var("x", "int32")
Y = Var("y", "int32")
FLAG = Var("flag", "bool")

Refusal = AbstractContextManager["pytest.ExceptionInfo[BaseException]"]


def refuses(error: type[BaseException], message: str) -> Refusal:
    """Expect an error with exactly this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def vector(lanes: int, value: PrimExpr = I32) -> PrimExpr:
    """Return a vector."""
    return Broadcast(value, lanes)


def buffer(*shape: PrimExpr, dtype: str = "float32") -> Buffer:
    """Return a buffer called `A`."""
    return decl_buffer(shape, dtype, "A")


def reduce_axis(iter_type: IterVarType = IterVarType.COMM_REDUCE, **options: Any) -> IterVar:
    """Return an axis over the variable `x`."""
    return IterVar(X, None, iter_type, **options)
