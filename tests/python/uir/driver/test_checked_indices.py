"""`checks="bounds"`: an access out of bounds is an IndexError, and touches no memory."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.runtime import Module
from uir.target import Target

from ...support.checked_builds import VARIABLE
from ...support.project import ROOT

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def take(
        x: tir.Buffer((n,), "float32"),
        i: tir.Buffer((m,), "int32"),
        y: tir.Buffer((m,), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for k in range(m):
            y[k] = x[i[k]]

    @tir.prim_func
    def put(i: tir.Buffer((m,), "int64"), y: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for k in range(m):
            y[i[k]] = 1.0

    @tir.prim_func
    def rows(i: tir.Buffer((m,), "int32"), y: tir.Buffer((m, 64), "float32")):
        m = tir.SizeVar("m", "int32")
        for k in tir.parallel(m):
            for j in tir.vectorized(64):
                y[i[k], j] = 2.0

    @tir.prim_func
    def gather(
        i: tir.Buffer((8,), "int32"),
        x: tir.Buffer((4,), "float32"),
        y: tir.Buffer((8,), "float32"),
    ):
        for k in tir.vectorized(8):
            y[k] = x[i[k]]

    @tir.prim_func
    def shifted(x: tir.Buffer((n,), "float32"), y: tir.Buffer((8,), "float32"), first: tir.int32):
        n = tir.SizeVar("n", "int32")
        for k in tir.vectorized(8):
            y[k] = x[k + first]

    @tir.prim_func
    def guarded(x: tir.Buffer((n,), "float32"), y: tir.Buffer((m,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for k in range(m):
            y[k] = tir.if_then_else(k < n, x[k], -1.0)

    @tir.prim_func
    def scratch(x: tir.Buffer((n,), "float32"), y: tir.Buffer((n,), "float32"), size: tir.int32):
        n = tir.SizeVar("n", "int32")
        held = tir.alloc_buffer((size,), "float32")
        for k in range(n):
            held[k] = x[k]
        for k in range(n):
            y[k] = held[n - 1 - k]

    @tir.prim_func
    def until(x: tir.Buffer((n,), "float32"), y: tir.Buffer((1,), "int32")):
        n = tir.SizeVar("n", "int32")
        y[0] = 0
        while x[y[0]] < 5.0:
            y[0] = y[0] + 1
"""


@pytest.fixture(scope="module")
def built() -> Module:
    return uir.build(uir.script.parse(PROGRAM), checks="bounds")


def counting(count: int) -> np.ndarray:
    return np.arange(count, dtype="float32")


def places(*values: int, dtype: str = "int32") -> np.ndarray:
    return np.array(values, dtype)


def test_an_index_from_memory(built: Module) -> None:
    y = np.zeros(3, "float32")
    built.take(counting(4), places(3, 0, 1), y)
    assert y.tolist() == [3, 0, 1]
    for wrong in (4, -1, 2**31 - 1, -(2**31)):
        with pytest.raises(IndexError) as caught:
            built.take(counting(4), places(0, wrong, 1), y)
        message = f"index {wrong} of buffer `x` is out of bounds: the extent is 4"
        assert message in str(caught.value)
        assert str(caught.value).startswith("take (<text>:13)")


def test_nothing_is_stored_outside(built: Module) -> None:
    whole = counting(8)
    inside = whole[2:6]
    for wrong in (4, -1, 2**40):
        with pytest.raises(IndexError, match=rf"index {wrong} of buffer `y`"):
            built.put(places(0, wrong, dtype="int64"), inside)
    assert whole.tolist() == [0, 1, 1, 3, 4, 5, 6, 7]


def test_parallel_and_vector_loops(built: Module) -> None:
    count = 4096
    i, y = np.arange(count, dtype="int32"), np.zeros((count, 64), "float32")
    built.rows(i, y)
    assert (y == 2).all()
    for wrong in (count, -1):
        i[3000] = wrong
        message = rf"^rows.* index {wrong} of dimension 0 of buffer `y` .* is {count}$"
        with pytest.raises(IndexError, match=message):
            built.rows(i, y)


def test_lanes_of_vectors(built: Module) -> None:
    y = np.zeros(8, "float32")
    built.gather(places(3, 2, 1, 0, 0, 1, 2, 3), counting(4), y)
    assert y.tolist() == [3, 2, 1, 0, 0, 1, 2, 3]
    with pytest.raises(IndexError, match="index 4 of buffer `x` is out of bounds"):
        built.gather(places(3, 2, 1, 0, 4, 1, 2, 3), counting(4), y)
    built.shifted(counting(10), y, 2)
    assert y.tolist() == counting(10)[2:].tolist()
    for first in (3, -1):
        with pytest.raises(IndexError, match=rf"{first} to {first + 7} of buffer `x`.* is 10$"):
            built.shifted(counting(10), y, first)


def test_conditions_guard_checks_too(built: Module) -> None:
    y = np.zeros(5, "float32")
    built.guarded(counting(3), y)
    assert y.tolist() == [0, 1, 2, -1, -1]


def test_buffers_of_the_function_and_conditions_of_loops(built: Module) -> None:
    y = np.zeros(4, "float32")
    built.scratch(counting(4), y, 4)
    assert y.tolist() == [3, 2, 1, 0]
    with pytest.raises(IndexError, match="index 3 of buffer `held` is out of bounds: .* is 3"):
        built.scratch(counting(4), y, 3)
    found = places(0)
    built.until(counting(9), found)
    assert found.tolist() == [5]
    with pytest.raises(IndexError, match="index 5 of buffer `x`"):
        built.until(counting(5), found)


def test_the_option_of_a_target() -> None:
    by_target = uir.build(uir.script.parse(PROGRAM), Target("c", "generic", "bounds"))
    with pytest.raises(IndexError):
        by_target.take(counting(1), places(1), np.zeros(1, "float32"))
    plain = uir.build(uir.script.parse(PROGRAM), Target("c", "generic", "bounds"), checks="")
    assert "check_index" not in plain.inspect_source()
    with pytest.raises(ValueError, match="`checks` must be one of ``, `bounds`, got `bonds`"):
        uir.build(uir.script.parse(PROGRAM), checks="bonds")


def test_a_network_with_workspace_and_packed_weights() -> None:
    n = tir.SizeVar("n")
    x = relay.Var("x", relay.Tensor((n, 64)))
    random = np.random.default_rng(0)
    weights = [random.standard_normal((64, 64)).astype("float32") for _ in range(2)]
    hidden = relay.softmax(relay.relu(relay.matmul(x, relay.Constant(weights[0]))))
    y = relay.matmul(hidden + 1.0, relay.Constant(weights[1]))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    module = ir.IRModule(
        {ir.GlobalVar("main"): relay.Function([x], relay.Block([], y), None, attrs)}
    )
    checked, plain = uir.build(module, checks="bounds"), uir.build(module)
    assert checked.inspect_source().count("check_index(") > 20
    for size in (0, 1, 5, 33):
        value = random.standard_normal((size, 64)).astype("float32")
        np.testing.assert_array_equal(
            *(np.from_dlpack(one.main(value)) for one in (checked, plain))
        )


def test_a_buffer_that_does_not_fit_into_its_workspace() -> None:
    program = """
@tir.prim_func
def main(y: tir.Buffer((4,), "float32"), place: tir.int32):
    arena = tir.alloc_buffer((32,), "uint8")
    data: tir.handle("float32") = tir.address_of(arena[place])
    held = tir.decl_buffer((4,), "float32", data=data)
    for k in range(4):
        held[k] = tir.float32(k)
    for k in range(4):
        y[k] = held[k]
"""
    built, y = (
        uir.build(uir.script.parse_function(program), checks="bounds"),
        np.zeros(4, "float32"),
    )
    built.main(y, 16)
    assert y.tolist() == [0, 1, 2, 3]
    with pytest.raises(IndexError, match="indices 20 to 35 of buffer `arena` .* is 32"):
        built.main(y, 20)


@pytest.mark.deep
def test_operators_and_random_programs_with_checks() -> None:
    folder = ROOT / "tests" / "python" / "uir"
    names = ["relay/test_built_operators.py", "relay/test_built_programs.py"]
    names += ["relay/test_random_programs.py", "driver/test_random_programs.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, VARIABLE: "bounds"}
    files = [str(folder / name) for name in names]
    run = subprocess.run([*command, *files], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:]
