"""`uir.build` compiles programs of every kind; several threads and processes call the modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import te, tir, transform
from uir.driver import cache_folder, default_pipeline, find_compiler
from uir.ir import GlobalVar, IRModule
from uir.runtime import Module, export_library, time_evaluator
from uir.target import Target

from ...support.c_texts import fake_compiler
from ..support import refuses

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def scale(A: tir.Buffer((n, 8), "float32"), factor: tir.float32):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            for j in tir.vectorized(8):
                A[i, j] = A[i, j] * factor

    @tir.prim_func
    def matmul(
        A: tir.Buffer((6, 5), "float64"),
        B: tir.Buffer((5, 4), "float64"),
        C: tir.Buffer((6, 4), "float64"),
    ):
        for i, j, k in tir.grid(6, 4, 5):
            with tir.block("C"):
                vi, vj, vk = tir.axis.remap("SSR", [i, j, k])
                with tir.init():
                    C[vi, vj] = 0.0
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @tir.prim_func
    def sort(A: tir.Buffer((16,), "int64")):
        best = tir.alloc_buffer((1,), "int32")
        for i in range(15):
            best[0] = i
            for j in range(16):
                if j > i and A[j] < A[best[0]]:
                    best[0] = j
            Module.swap(A.data, i, best[0])

    @tir.prim_func(private=True)
    def swap(a: tir.handle, i: tir.int32, j: tir.int32):
        A = tir.decl_buffer((16,), "int64", data=a)
        kept: tir.int64 = A[i]
        A[i] = A[j]
        A[j] = kept
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return uir.build(uir.script.parse(MODULE))


def double() -> list[te.Tensor]:
    n = te.size_var("n")
    a = te.placeholder((n,), name="A")
    return [a, te.compute((n,), lambda i: a[i] * 2.0 + 1.0, name="B")]


def test_functions_of_a_module(module: Module) -> None:
    rng = np.random.default_rng(0)
    a = rng.random((3, 8), "float32")
    expected = a * np.float32(0.5)
    module.scale(a, 0.5)
    np.testing.assert_array_equal(a, expected)
    left, right, product = rng.random((6, 5)), rng.random((5, 4)), np.empty((6, 4))
    module.matmul(left, right, product)
    np.testing.assert_allclose(product, left @ right, rtol=1e-14)
    numbers = rng.integers(-(2**62), 2**62, 16)
    expected = np.sort(numbers)
    module.sort(numbers)
    np.testing.assert_array_equal(numbers, expected)
    assert module.kind == "c" and not module.implements_function("swap")


def test_tensor_expressions() -> None:
    n, m, k = te.size_var("n"), te.size_var("m"), te.size_var("k")
    a, b = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B")
    r = te.reduce_axis((0, k), name="r")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    d = te.compute((n, m), lambda i, j: tir.max(c[i, j] - 2.0, 0.0), name="D")
    compiled = uir.build([a, b, d])
    rng = np.random.default_rng(1)
    for rows, inner, columns in [(3, 4, 5), (1, 1, 1), (7, 16, 2), (0, 3, 2), (2, 0, 2)]:
        left = rng.random((rows, inner), "float32")
        right = rng.random((inner, columns), "float32")
        found = np.full((rows, columns), np.nan, "float32")
        compiled(left, right, found)
        np.testing.assert_allclose(found, np.maximum(left @ right - 2, 0), rtol=1e-5, atol=1e-6)


def test_a_function_gets_a_name() -> None:
    func = uir.script.parse(MODULE).lookup("scale")
    assert isinstance(func, tir.PrimFunc)
    assert uir.build(func).implements_function("scale")
    private = te.create_prim_func(double(), "f").without_attr("global_symbol")
    assert [v.name_hint for v in uir.lower(private).functions] == ["main"]
    assert uir.build(private).implements_function("main")


def test_one_result_of_every_kind_of_input() -> None:
    func = te.create_prim_func(double())
    texts = {
        uir.build(given).inspect_source()
        for given in (double(), func, IRModule({GlobalVar("main"): func}))
    }
    assert len(texts) == 1


class Shared:
    """An array that another library owns, which tvm-ffi knows by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def test_tensors_of_other_libraries() -> None:
    compiled = uir.build(double())
    a, b = np.arange(4, dtype="float32"), np.zeros(4, "float32")
    for given in (Shared(a), tvm_ffi.from_dlpack(a)):
        b[:] = 0
        compiled(given, Shared(b))
        np.testing.assert_array_equal(b, a * 2 + 1)


def test_wrong_arguments_are_named(module: Module) -> None:
    compiled = uir.build(double())
    a, b = np.arange(4, dtype="float32"), np.zeros(4, "float32")
    wrong: list[tuple[type[Exception], str, tuple[Any, ...]]] = [
        (TypeError, "main: expected 2 arguments (`A`: float32 (n), `B`: float32 (n)), got 1", (a,)),
        (TypeError, "main: `B` must be a tensor, got an integer", (a, 3)),
        (TypeError, "main: `A` must have data type float32, got float64", (np.zeros(4), b)),
        (ValueError, "main: `A` must have 1 dimension, got 2", (a.reshape(2, 2), b)),
        (ValueError, "main: dimension 0 of `B` must be n = 4, got 3", (a, b[:3])),
    ]
    for error, message, arguments in wrong:
        with refuses(error, message):
            compiled(*arguments)
    with pytest.raises(TypeError, match="scale"):
        module.scale(np.zeros((1, 8), "float32"), "much")


def test_programs_that_cannot_be_built() -> None:
    with refuses(ValueError, "`input` must not be empty: pass the tensors of a function"):
        uir.build([])
    with pytest.raises(
        TypeError, match="`args` must be tensors and variables, got `uir.ir.IntImm`"
    ):
        uir.build([tir.const(1)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="build.*input"):
        uir.build("main")  # type: ignore[arg-type]
    private = te.create_prim_func(double()).without_attr("global_symbol")
    message = (
        "build: no function of the module has the attribute `global_symbol`, "
        "so that none could be called"
    )
    with refuses(ValueError, f"{message}: `f`"):
        uir.build(IRModule({GlobalVar("f"): private}))
    with refuses(ValueError, f"{message}; the module is empty"):
        uir.build(IRModule({}))
    with pytest.raises(ValueError, match="cuda"):
        uir.build(double(), "cuda")


def test_a_pipeline_is_a_list() -> None:
    pipeline = default_pipeline("c")
    names = [item.pass_info.name for item in pipeline]
    assert names == [item.pass_info.name for item in transform.default_pipeline(Target("c"))]
    assert len(set(names)) <= 40 and names[-1] == "VerifyWellFormed"
    ran: list[str] = []

    @transform.module_pass(opt_level=0, name="Note")
    def note(module: IRModule, context: transform.PassContext) -> IRModule:
        ran.append("Note")
        return module

    compiled = uir.build(double(), pipeline=[note, *pipeline])
    assert ran == ["Note"] and compiled.implements_function("main")
    lowered = uir.lower(uir.script.parse(MODULE), pipeline=[transform.LowerBlocks()])
    assert "tir.block" not in str(lowered) and "C[i, j]" in str(lowered)
    with pytest.raises(ValueError, match="FlattenBuffer"):
        uir.build(uir.script.parse(MODULE), pipeline=[transform.LowerBlocks()])


def test_instruction_sets(tmp_path: Path) -> None:
    a = np.arange(4, dtype="float32")
    for isa in ("native", "generic", "x86-64-v3"):
        b = np.zeros(4, "float32")
        compiled = uir.build(double(), Target("c", isa))
        compiled(a, b)
        np.testing.assert_array_equal(b, a * 2 + 1)


def test_the_second_build_comes_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, runs = tmp_path / "cache", tmp_path / "runs"
    compiler = fake_compiler(tmp_path, f'echo run >> {runs}; exec {find_compiler()[0]} "$@"')
    monkeypatch.setenv("UIR_CC", str(compiler))
    monkeypatch.setenv("UIR_CACHE_DIR", str(cache))
    first, second = uir.build(double()), uir.build(double())
    assert second.inspect_source() == first.inspect_source()
    assert runs.read_text() == "run\n" and len(list(cache.iterdir())) == 1
    uir.clear_cache()
    assert list(cache.iterdir()) == []
    b = np.zeros(2, "float32")
    first(np.ones(2, "float32"), b)
    assert b.tolist() == [3, 3]


def test_threads_build_and_call() -> None:
    """Each thread builds a program of its own and all call one function at once."""
    shared = uir.build(double())

    def work(number: int) -> float:
        a = te.placeholder((64,), name="A")
        own = uir.build([a, te.compute((64,), lambda i: a[i] + float(number), name="B")])
        x = np.full(64, number, "float32")
        y = np.zeros(64, "float32")
        for _ in range(300):
            shared(x, y)
            own(y, x)
            x -= number + 1
            x *= 0.5
        return float(x[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(map(float, range(8)))


PROCESS = """
import json, sys, numpy as np, uir
from uir import te
results = []
for number in json.loads(sys.argv[1]):
    a = te.placeholder((4,), name="A")
    compiled = uir.build([a, te.compute((4,), lambda i: a[i] + float(number), name="B")])
    b = np.zeros(4, "float32")
    compiled(np.zeros(4, "float32"), b)
    results.append(float(b[0]))
print(json.dumps(results))
"""


def test_processes_build_the_same_programs(tmp_path: Path) -> None:
    numbers = json.dumps([0.0, 1.0, 2.0, 3.0])
    environment = {**os.environ, "UIR_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROCESS, numbers]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        for _ in range(3)
    ]
    assert [process.communicate()[0].strip() for process in started] == [numbers] * 3
    assert len(list(tmp_path.iterdir())) == 4


LOAD = """
import sys, numpy as np, tvm_ffi
module = tvm_ffi.load_module(sys.argv[1])
a, b = np.arange(3, dtype="float32"), np.zeros(3, "float32")
module.main(a, b)
print(b.tolist())
try:
    module.main(a, np.zeros(2, "float32"))
except ValueError as error:
    print(error)
assert not [name for name in sys.modules if name.split(".")[0] in ("uir", "uir_nodes", "tschema")]
"""


def test_an_exported_library_runs_without_uir(tmp_path: Path) -> None:
    library = tmp_path / "double.so"
    export_library(uir.build(double()), library)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    printed = subprocess.check_output(
        [sys.executable, "-c", LOAD, library], text=True, env=environment, cwd=tmp_path
    )
    assert printed == "[1.0, 3.0, 5.0]\nmain: dimension 0 of `B` must be n = 3, got 2\n"


def test_a_program_is_measured() -> None:
    evaluator = time_evaluator(uir.build(double()), number=5, repeat=2)
    timing = evaluator(np.zeros(4, "float32"), np.zeros(4, "float32"))
    assert 0 < timing.mean < 1 and len(timing.results) == 2


def test_the_root_has_what_most_programs_need() -> None:
    assert uir.IRModule is IRModule
    assert {"IRModule", "build", "clear_cache", "lower"} <= set(dir(uir))
    folder = cache_folder()
    assert folder is not None and folder.name == "uir-cache"
