"""What an editor must resolve in a checkout with no import hook; pyright and mypy check it."""

from __future__ import annotations

from typing_extensions import assert_type

from tschema.runtime import load_library
from uir.ir import IntImm
from uir.tir import Add, Var
from uir_nodes.ir.expr import IntImm as GeneratedIntImm

x = Var("x", "int32")
total = Add(x, IntImm("int32", 1))

assert_type(total, Add)
assert_type(total.a.dtype.bits, int)
assert_type(GeneratedIntImm("int32", 1).value, int)
assert callable(load_library)
