"""Eight threads call one module, rightly and wrongly: each gets its own results and errors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import script
from uir.runtime import Module

PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def network(x: relay.Tensor((n, 8), "float32"), w: relay.Tensor((8, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.softmax(relay.relu(x @ w) @ w)

    @tir.prim_func
    def scale(A: tir.Buffer((n, 4), "float32"), B: tir.Buffer((n, 4), "float32"), k: tir.int32):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"tir.noalias": True})
        assert k >= 0, ("ValueError", ["k is ", k])
        for i in range(n):
            for j in range(4):
                B[i, j] = A[i, j] * tir.float32(k)
"""
THREADS, TURNS = 8, 60


@pytest.fixture(scope="module")
def module() -> Module:
    return uir.build(script.parse(PROGRAM))


class Shared:
    """A tensor of another library, known by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def in_threads(act: Callable[[int], None]) -> None:
    """Run the same with a number in each thread, which begin at once."""
    begin = threading.Barrier(THREADS)
    failures: list[BaseException] = []

    def run(number: int) -> None:
        begin.wait()
        try:
            act(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_results_are_those_of_one_thread(module: Module) -> None:
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((8, 8), "float32")
    inputs = [rng.standard_normal((number + 1, 8), "float32") for number in range(THREADS)]
    expected = [np.from_dlpack(module.network(x, weights)).copy() for x in inputs]

    def act(number: int) -> None:
        x, result = inputs[number], np.empty((number + 1, 8), "float32")
        for turn in range(TURNS):
            given = (x, Shared(x), tvm_ffi.from_dlpack(x), np.asfortranarray(x))[turn % 4]
            if turn % 2:
                made = np.from_dlpack(module.network(given, weights))
            else:
                module.network_into(given, weights, result)
                made = result
            np.testing.assert_array_equal(made, expected[number])

    in_threads(act)


def test_errors_are_those_of_their_thread(module: Module) -> None:
    def act(number: int) -> None:
        rows = number + 2
        a, b = np.ones((rows, 4), "float32"), np.zeros((rows, 4), "float32")
        wrong: list[tuple[tuple[Any, ...], str]] = [
            ((a, b[1:], 1), f"scale: dimension 0 of `B` must be n = {rows}, got {rows - 1}"),
            ((a, b, -rows), f"k is {-rows}"),
            ((a, a, rows), "scale: `B`, which is written, must not share memory with `A`"),
            ((a, b[::-1], 1), "scale: `B` must be compact: stride 0 must be 4, got -4"),
            ((a, np.zeros((rows, number + 5), "float32"), 1), f"must be 4, got {number + 5}"),
            ((a, b), "got 2"),
            ((a.astype("int8"), b, 1), "scale: `A` must have data type float32, got int8"),
        ]
        for turn in range(TURNS):
            arguments, message = wrong[(turn + number) % len(wrong)]
            with pytest.raises((TypeError, ValueError)) as caught:
                module.scale(*arguments)
            assert str(caught.value).endswith(message)
            module.scale(Shared(a), b, rows)
            assert (b == rows).all()

    in_threads(act)


def test_arrays_that_may_not_be_written(module: Module) -> None:
    """NumPy shares them only where a copy is asked for; nothing is written to them."""
    a, b = np.ones((2, 4), "float32"), np.zeros((2, 4), "float32")
    b.flags.writeable = False
    with pytest.raises(BufferError, match="readonly"):
        module.scale(a, b, 1)
    with pytest.raises(BufferError, match="readonly"):
        module.scale(np.broadcast_to(a[0], (2, 4)), b.copy(), 1)
    assert not b.any()
    whole = np.zeros((2, 4), "float32")
    one = np.lib.stride_tricks.as_strided(whole, (2, 4), (0, 4))
    with pytest.raises(ValueError, match="`B` must be compact: stride 0 must be 4, got 0"):
        module.scale(a, one, 1)
    module.scale(one, whole[::1].copy(), 1)


def test_exporters_that_fail(module: Module) -> None:
    class Failing(Shared):
        def __dlpack__(self, **options: Any) -> Any:
            raise RuntimeError("the tensor was given away")

    class Empty(Shared):
        def __dlpack__(self, **options: Any) -> Any:
            return 3

    a = np.ones((2, 4), "float32")
    with pytest.raises(RuntimeError, match="^the tensor was given away$"):
        module.scale(Failing(a), a.copy(), 1)
    with pytest.raises(ValueError, match="dltensor"):
        module.scale(Empty(a), a.copy(), 1)
    module.scale(Shared(a), result := a.copy(), 2)
    assert (result == 2).all()
