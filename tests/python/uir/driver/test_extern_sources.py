"""External functions whose sources are part of the program: in C, assembly and LLVM text."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

import uir
from uir import ir, relay, script, tir
from uir.driver import find_compiler
from uir.ir import ExternFunc, IRModule, with_attr
from uir.runtime import Module, export_library, load_module
from uir.target import Target

from ...support.process import run_python

SCALE_ADD = """
#include <stdint.h>
static float fused(float a, float b) { return 2 * a + b; }
void scale_add(const float *x, const float *y, float *z, int64_t n, int64_t m,
               int64_t k) {
  for (int64_t i = 0; i < n * 3; ++i) z[i] = fused(x[i], y[i]);
}
float half(float x) { return x / 2; }
"""
TWICE = """
.text
.globl twice
twice:
  lea (%rdi, %rdi), %rax
  ret
.section .note.GNU-stack,"",@progbits
"""
TRIPLE = """
define float @triple(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
}
"""
PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def numbers(A: tir.Buffer((n,), "float32"), k: tir.int64):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            A[i] = tir.call_extern("float32", "half", A[i] * 2.0) + A[i]
            A[i] = tir.call_extern("float32", "triple", A[i]) / 2.0
        tir.ret(tir.call_extern("int64", "twice", k))
"""


def program() -> IRModule:
    """A function of `tir`, and one of `relay`, that call functions in three languages."""
    module = script.parse(PROGRAM)
    for func in (
        ir.extern_func("half", SCALE_ADD),
        ir.extern_func("twice", TWICE, "asm"),
        ir.extern_func("triple", TRIPLE, "llvm"),
    ):
        module = ir.with_function(module, ir.GlobalVar(func.global_symbol), func)
    n = tir.SizeVar("n", "int32")
    kind = ir.TensorType([n, tir.const(3)], "float32")
    x, y = relay.Var("x", kind), relay.Var("y", kind)
    call = relay.call_destination_passing(ir.extern_func("scale_add", SCALE_ADD), [x, y], kind)
    main = with_attr(
        relay.Function([x, y], relay.Block([], relay.exp(call))), "global_symbol", "main"
    )
    return ir.with_function(module, ir.GlobalVar("main"), main)


@pytest.fixture(scope="module")
def built() -> Module:
    return uir.build(program(), Target("c", "x86-64"))


def check(module: Module) -> None:
    a = np.array([2, 4], "float32")
    assert module.numbers(a, 21) == 42
    np.testing.assert_array_equal(a, [6, 12])
    x, y = np.ones((4, 3), "float32"), np.full((4, 3), -2, "float32")
    np.testing.assert_allclose(np.from_dlpack(module.main(x, y)), np.ones((4, 3)), rtol=1e-6)


def test_functions_in_three_languages_are_called(built: Module) -> None:
    check(built)
    check(uir.build(program()))


LOAD = """
import sys
import numpy as np
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
a = np.array([2, 4], "float32")
print(library.numbers(a, 4), a)
assert "uir" not in sys.modules
"""


def test_the_file_carries_them(built: Module, tmp_path: Path) -> None:
    export_library(built, tmp_path / "lib.so")
    assert run_python(LOAD, tmp_path / "lib.so") == "8 [ 6. 12.]\n"
    export_library(built, tmp_path / "lib.tar")
    with tarfile.open(tmp_path / "lib.tar") as archive:
        # Functions of one source stand in one file.
        assert archive.getnames() == [
            "module.c",
            "module.o",
            "extern_half.c",
            "extern_triple.ll",
            "extern_twice.s",
        ]
        content = archive.extractfile("extern_half.c")
        assert content is not None and content.read().decode() == SCALE_ADD
    with pytest.raises(ValueError, match="the C text alone lacks the external functions"):
        export_library(built, tmp_path / "lib.c")


def test_the_program_keeps_its_sources() -> None:
    """They stand in script, and passes keep them."""
    module = script.parse(str(program()))
    assert ir.structural_equal(module, program())
    lowered = uir.lower(program())
    externs = [func for func in lowered.functions.values() if isinstance(func, ExternFunc)]
    assert sorted(func.global_symbol for func in externs) == [
        "half",
        "scale_add",
        "triple",
        "twice",
    ]
    assert all(func.get_attr("source") is not None for func in externs)


CALL = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((4,), "float32"), n: tir.int64):
        {call}
"""


def failure(source: str, call: str, symbol: str = "f") -> str:
    module = script.parse(CALL.format(call=call))
    func = ir.extern_func(symbol, source)
    with pytest.raises(RuntimeError) as caught:
        uir.build(ir.with_function(module, ir.GlobalVar("outside"), func))
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("void f(float *x) {}", "too many arguments"),
        ("void f(float *x, long n, int m) {}", "too few arguments"),
        ("void f(long n, float *x) {}", "makes"),
        ("void f(float *x, int n) {}", "conversion"),
        ("void g(float *x, long n) {}", "implicit"),
        ("int f(float *x, long n) { return 0; }", "`f` must return `void`"),
        ("void f(float *x, long n) {\n  return 1 +;\n}", "f.c:2:"),
    ],
)
def test_calls_that_do_not_fit_are_errors(source: str, message: str) -> None:
    text = failure(source, 'tir.call_extern("void", "f", A.data, n)')
    assert message in text
    assert "f.c:2:" in text or "the call of `f` in the program:" in text


def test_a_source_without_its_function() -> None:
    call = 'tir.call_extern("void", "f", A.data, n)'
    assembly = ir.extern_func("f", '.text\n.section .note.GNU-stack,"",@progbits\n', "asm")
    module = script.parse(CALL.format(call=call))
    with pytest.raises(RuntimeError, match="undefined symbol: f"):
        uir.build(ir.with_function(module, ir.GlobalVar("f"), assembly))


def test_functions_may_have_names_of_files(tmp_path: Path) -> None:
    """Files of the program itself are `module.c`, `text.o` and the like."""
    names = ("module", "text", "import0", "library_bin")
    calls = " + ".join(f'tir.call_extern("int64", "{name}", n)' for name in names)
    module = script.parse(CALL.format(call=f"tir.ret({calls})"))
    for number, name in enumerate(names):
        source = f"long {name}(long x) {{ return x + {number}; }}"
        module = ir.with_function(module, ir.GlobalVar(name), ir.extern_func(name, source))
    built = uir.build(module)
    a = np.zeros(4, "float32")
    assert built.main(a, 10) == 46
    for ending in ("so", "o", "tar"):
        export_library(built, tmp_path / f"lib.{ending}")
    assert load_module(tmp_path / "lib.so").main(a, 1) == 10
    with tarfile.open(tmp_path / "lib.tar") as archive:
        assert len(set(archive.getnames())) == len(archive.getnames()) == 6


def test_wrong_functions() -> None:
    with pytest.raises(ValueError, match="one of `c`, `asm`, `llvm`, got `fortran`"):
        ir.extern_func("f", "", "fortran")
    for symbol in ("", "1f", "a.b"):
        with pytest.raises(ValueError, match=f"must be an identifier of C, got `{symbol}`"):
            ir.extern_func(symbol, "")
    module = script.parse(CALL.format(call='tir.call_extern("void", "f", A.data, n)'))
    for number, source in enumerate(("void f(float *x, long n) {}", "void f(float *x, long m) {}")):
        func = ir.extern_func("f", source)
        module = ir.with_function(module, ir.GlobalVar(f"f{number}"), func)
    with pytest.raises(ValueError, match="the external function `f` has several sources"):
        uir.build(module)


def test_llvm_text_needs_a_compiler_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)
    gcc = find_compiler()
    monkeypatch.setenv("UIR_CC", " ".join(gcc))
    module = script.parse(CALL.format(call='tir.call_extern("float32", "triple", A[0])'))
    func = ir.extern_func("triple", TRIPLE, "llvm")
    with pytest.raises(RuntimeError, match="cannot compile LLVM text\nhelp: .* uir.compiler."):
        uir.build(ir.with_function(module, ir.GlobalVar("triple"), func))
