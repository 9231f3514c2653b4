"""Objects of loaded types in compiled code: C++ and Rust read them, and make more of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tschema.project.cxx_toolchain import cxx_args, link_args

from ...support.precompiled import cxx_flags
from ...support.process import run_python
from .conftest import make_schema, run_program

SMALL = '''
from tschema import Object, declare, field, ty

@declare
class SpanNode(Object):
    """
    A place.

    Attributes
    ----------
    line
        Counts from 1.
    """
    type_key = "small.Span"
    line: ty.int64_t

@declare
class ExprNode(Object):
    """
    An expression.

    Attributes
    ----------
    span
        Where it was written.
    """
    type_key = "small.Expr"
    abstract = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore")

@declare
class ConstNode(ExprNode):
    """
    A constant.

    Attributes
    ----------
    value
        Its value.
    name
        Its name.
    """
    type_key = "small.Const"
    value: ty.int64_t
    name: ty.String = ""

@declare
class SumNode(ExprNode):
    """
    A sum.

    Attributes
    ----------
    terms
        What is added up.
    """
    type_key = "small.Sum"
    terms: ty.Array[ExprNode]
'''

PASS = """
#include <small/nodes.h>
#include <tvm/ffi/reflection/registry.h>

namespace ffi = ::tvm::ffi;

int64_t Total(const small::Expr& expr) {
  if (const auto* constant = expr.as<small::ConstNode>()) return constant->value;
  int64_t total = 0;
  for (const small::Expr& term : expr.as<small::SumNode>()->terms) total += Total(term);
  return total;
}

small::Const Fold(const small::Expr& expr) {
  return small::Const(Total(expr), "folded to a constant", expr->span);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef().def("small_pass.total", Total).def("small_pass.fold", Fold);
}
"""

RUN_PASS = """
import ctypes, sys
import tvm_ffi
from tschema.runtime import load_types
ctypes.CDLL(sys.argv[2]) if sys.argv[3] == "first" else None
small = load_types(sys.argv[1])
ctypes.CDLL(sys.argv[2])
total, fold = (tvm_ffi.get_global_func(f"small_pass.{name}") for name in ("total", "fold"))
nested = small.Sum([small.Const(1), small.Sum([small.Const(2, "two"), small.Const(3)])],
                   span=small.Span(7))
assert total(nested) == 6
folded = fold(nested)
assert type(folded) is small.Const and folded.span.same_as(nested.span)
assert tvm_ffi.structural_equal(folded, small.Const(6, "folded to a constant"))
assert tvm_ffi.structural_hash(folded) == tvm_ffi.structural_hash(
    small.Const(6, "folded to a constant", span=small.Span(1)))
assert total(small.Sum([folded, nested])) == 12
try:
    total(small.Span(1))
except TypeError as error:
    print(str(error).splitlines()[-1])
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Declare a package, and compile a pass over it that registers none of its types."""
    folder = tmp_path_factory.mktemp("small")
    make_schema(folder, SMALL)
    (folder / "pass.cc").write_text(PASS)
    command = ["g++", "-std=c++17", "-shared", "-fPIC", *cxx_flags(), *cxx_args()]
    command += ["-Igenerated/cpp/include", "pass.cc", "-o", "libpass.so", *link_args()]
    process = subprocess.run(command, cwd=folder, text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    return folder


@pytest.mark.parametrize("order", ["first", "second"])
def test_a_compiled_pass_works_on_loaded_objects(small: Path, order: str) -> None:
    message = run_python(RUN_PASS, small / "schema.json", small / "libpass.so", order)
    assert "small.Expr" in message


def test_rust_and_cpp_rebuild_loaded_objects(
    zoo_schema: Path, zoo_loaded: Path, zoo_rust: Path
) -> None:
    library = zoo_schema.parents[1] / "build" / "libzoo.so"
    printed = run_program("zoo_mixed.py", zoo_loaded, zoo_rust, library)
    assert printed.split() == ["rust", "13", "both", "14", "both", "14"]
