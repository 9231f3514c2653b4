"""One sequence of passes in C++, Python and Rust."""

from __future__ import annotations

from pathlib import Path

import pytest
import tvm_ffi

from uir.ir import IntImm, IRModule, NodeError, PrimExpr
from uir.tir import Evaluate, PrimFunc, StmtMutator
from uir.transform import PassContext, Sequential, make_pass, prim_func_pass

from ..support import refuses
from .passes import Log, Recorder, function, module_of

ROOT = Path(__file__).resolve().parents[4]
LIBRARY = ROOT / "build" / "cargo" / "debug" / "libuir_interop.so"


@pytest.fixture(scope="module", autouse=True)
def rust() -> None:
    """Load the library in Rust, which registers its passes."""
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make rust`"
    tvm_ffi.load_module(str(LIBRARY))


class Increment(StmtMutator):
    """Adds one to each constant."""

    def visit_int_imm(self, node: IntImm, /) -> PrimExpr:
        return IntImm(node.dtype, node.value + 1)


@prim_func_pass(name="Increment")
def increment(func: PrimFunc, _module: IRModule, _context: PassContext) -> PrimFunc:
    return PrimFunc(func.params, Increment().visit(func.body), func.buffer_map)


def value_of(module: IRModule) -> int:
    func = module.lookup("main")
    assert isinstance(func, PrimFunc)
    assert isinstance(func.body, Evaluate)
    assert isinstance(func.body.value, IntImm)
    return func.body.value.value


def test_a_sequence_mixes_languages() -> None:
    double, rename = make_pass("interop.Double"), make_pass("ConvertSSA")
    pipeline = Sequential([rename, increment, double, increment, rename])
    assert value_of(pipeline(module_of(main=function(3)))) == 9


def test_instruments_see_passes_of_all_languages() -> None:
    log: Log = []
    with PassContext(instruments=[Recorder("x", log)]):
        Sequential([make_pass("interop.Double"), increment])(module_of(main=function()))
    before = [line for line in log if line.startswith("x.before")]
    assert before == ["x.before sequential", "x.before interop.Double", "x.before Increment"]


def test_a_panic_is_an_error_that_names_the_pass(capfd: pytest.CaptureFixture[str]) -> None:
    module = module_of(main=function())
    panics = make_pass("interop.Panic", "boom")
    with refuses(RuntimeError, "in pass `interop.Panic`, function `main`: panicked: boom"):
        Sequential([increment, panics])(module)
    assert "boom" in capfd.readouterr().err
    assert value_of(increment(module)) == 1


def test_an_error_in_rust_keeps_the_node() -> None:
    module = module_of(main=function())
    with pytest.raises(
        ValueError, match="^in pass `interop.Refuse`, function `main`: `body` is odd"
    ) as raised:
        make_pass("interop.Refuse")(module)
    assert not isinstance(raised.value, NodeError)
