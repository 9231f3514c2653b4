"""Entries: where tensors lie, whether they overlap, and tensors that no library would make."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import script, transform
from uir.target import Target, emit_c

from ...support.compiled_c import load_c
from ...support.process import run_new_python
from ...support.raw_tensor import RawTensor
from ..support import refuses

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def reverse(x: tir.Buffer((n,), "float32"), y: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"tir.noalias": True})
        for i in range(n):
            y[i] = tir.exp(x[n - 1 - i]) * tir.float32(0.0) + x[n - 1 - i]

    @tir.prim_func
    def strided(x: tir.Buffer((3,), "float32", strides=(2,)), y: tir.Buffer((3,), "float32")):
        tir.func_attr({"tir.noalias": True})
        for i in range(3):
            y[i] = x[i]

    @tir.prim_func
    def shift(x: tir.Buffer((n,), "float32"), y: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            y[i] = x[i]

    @tir.prim_func
    def swap(x: tir.Buffer((n,), "float32"), p: tir.Buffer((n,), "float32"),
             q: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 2})
        for i in range(n):
            p[i] = x[n - 1 - i]
            q[i] = -x[i]

    @tir.prim_func
    def second(x: tir.Buffer((2, n), "float32"), y: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        tir.func_attr({"num_outputs": 1})
        for i in range(n):
            value: tir.float32 = x[1, i]
            y[i] = value
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tvm_ffi.Module:
    """Compile all functions at once."""
    module = transform.FlattenBuffer()(script.parse(MODULE))
    return load_c(emit_c(module, Target()), tmp_path_factory.mktemp("memory"))


def numbers(count: int) -> np.ndarray[Any, Any]:
    return np.arange(count, dtype="float32")


def apart(function: str, written: str, other: str) -> Any:
    text = f"{function}: `{written}`, which is written, must not share memory with `{other}`"
    return refuses(ValueError, text)


def test_what_is_written_lies_apart(library: tvm_ffi.Module) -> None:
    table = numbers(9)
    for x, y in [(table[:4], table[:4]), (table[:4], table[3:7]), (table[3:7], table[:4])]:
        with apart("reverse", "y", "x"):
            library.reverse(x, y)
    assert table.tolist() == numbers(9).tolist()
    library.reverse(table[:4], table[4:8])
    assert table.tolist() == [0, 1, 2, 3, 3, 2, 1, 0, 8]
    library.reverse(table[:0], table[:0])


def test_outputs_lie_apart_from_each_other(library: tvm_ffi.Module) -> None:
    x, y = numbers(3), numbers(6)
    with apart("swap_into", "q", "p"):
        library.swap_into(x, y[:3], y[2:5])
    with apart("swap_into", "p", "x"):
        library.swap_into(x, x, y[:3])
    library.swap_into(x, y[:3], y[3:])
    assert y.tolist() == [2, 1, 0, 0, -1, -2]
    for made in library.swap(x):
        assert not np.shares_memory(np.from_dlpack(made), x)


def test_the_copy_of_an_input_lies_apart(library: tvm_ffi.Module) -> None:
    table = numbers(8)
    library.reverse(table[::-1], table)
    assert table.tolist() == numbers(8).tolist()
    library.reverse(table[::2], table[2:6])
    assert table.tolist() == [0, 1, 6, 4, 2, 0, 6, 7]


def test_declared_strides_count(library: tvm_ffi.Module) -> None:
    table = numbers(10)
    with apart("strided", "y", "x"):
        library.strided(table[0:6:2], table[4:7])
    library.strided(table[0:6:2], table[5:8])
    assert table[5:8].tolist() == [0, 2, 4]


def test_buffers_that_may_overlap(library: tvm_ffi.Module) -> None:
    table = numbers(4)
    library.shift(table[:3], table[1:])
    assert table.tolist() == [0, 0, 0, 0]


def test_values_that_are_bound_do_not_write(library: tvm_ffi.Module) -> None:
    """A buffer that is read into a variable, or by an intrinsic, need not be compact."""
    table = numbers(8).reshape(4, 2)
    assert np.from_dlpack(library.second(table.T)).tolist() == [1, 3, 5, 7]
    library.reverse(table[:, 1], y := numbers(4))
    assert y.tolist() == [7, 5, 3, 1]


A, B = np.ones(4, "float32"), np.zeros(4, "float32")
ADDRESS = A.ctypes.data
MAX = 2**31 - 1


def four(**fields: Any) -> RawTensor:
    return RawTensor(ADDRESS, [4], **fields)


WRONG_VALUES = [
    (RawTensor(ADDRESS, [-1]), "dimension 0 of `x` must not be negative, got -1"),
    (RawTensor(ADDRESS, [2**40]), f"dimension 0 of `x` must be at most {MAX}, got {2**40}"),
    (RawTensor(None, [4]), "`x` has no data"),
    (RawTensor(ADDRESS, []), "`x` must have 1 dimension, got 0"),
    (four(device_type=2), "`x` must be on the CPU, got a device of type 2"),
    (four(byte_offset=2), "`x` must be aligned to 4 bytes, got an address with remainder 2"),
]
WRONG_TYPES = [
    (four(dtype=(2, 32, 4)), "`x` must have data type float32, got float32x4"),
    (four(dtype=(2, 31, 1)), "`x` must have data type float32, got float31"),
    (four(dtype=(4, 16, 1)), "`x` must have data type float32, got bfloat16"),
    (four(dtype=(5, 64, 1)), "`x` must have data type float32, got complex64"),
    ([1.0, 2.0], "`x` must be a tensor, got a list"),
    ({"a": 1}, "`x` must be a tensor, got a dictionary"),
    (max, "`x` must be a tensor, got a function"),
    (object(), "`x` must be a tensor, got an object of another type"),
]


@pytest.mark.parametrize(("given", "message"), WRONG_VALUES)
def test_a_tensor_of_a_wrong_value_is_told(
    library: tvm_ffi.Module, given: Any, message: str
) -> None:
    with refuses(ValueError, f"reverse: {message}"):
        library.reverse(given, B)


@pytest.mark.parametrize(("given", "message"), WRONG_TYPES)
def test_an_argument_of_a_wrong_type_is_told(
    library: tvm_ffi.Module, given: Any, message: str
) -> None:
    with refuses(TypeError, f"reverse: {message}"):
        library.reverse(given, B)


def test_a_module_is_no_tensor(library: tvm_ffi.Module) -> None:
    with refuses(TypeError, "reverse: `x` must be a tensor, got a module"):
        library.reverse(library, B)


def test_empty_tensors_may_lack_data(library: tvm_ffi.Module) -> None:
    library.reverse(RawTensor(None, [0]), RawTensor(None, [0]))
    library.second(RawTensor(None, [2, 0]))


def test_a_byte_offset_counts(library: tvm_ffi.Module) -> None:
    x = numbers(4)
    library.reverse(RawTensor(x.ctypes.data, [2], byte_offset=8), y := numbers(2))
    assert y.tolist() == [3, 2]


@pytest.mark.parametrize("array", [A.astype(">f4"), np.array(["a"]), np.array([None])])
def test_arrays_that_numpy_does_not_share(library: tvm_ffi.Module, array: Any) -> None:
    with pytest.raises(BufferError, match="DLPack only supports"):
        library.reverse(array, B)


def test_a_keyword_is_refused(library: tvm_ffi.Module) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'y'"):
        library.reverse(A, y=B)


def test_many_tensors_are_compared_in_a_loop(tmp_path: Path) -> None:
    names = [f"t{index}" for index in range(80)]
    params = ", ".join(f'{name}: tir.Buffer((2,), "float32")' for name in names)
    copies = "\n".join(
        f"        {out}[0] = {x}[0]" for x, out in zip(names[:40], names[40:], strict=True)
    )
    text = f"""
@uir.script.ir_module
class Module:
    @tir.prim_func
    def copy({params}):
        tir.func_attr({{"tir.noalias": True}})
{copies}
"""
    source = emit_c(transform.FlattenBuffer()(script.parse(text)), Target())
    assert source.count("check_apart(") < 4
    copy = load_c(source, tmp_path).copy
    table = np.arange(240, dtype="float32").reshape(80, 3)
    arguments = list(table[:, :2])
    copy(*arguments)
    assert table[40:, 0].tolist() == table[:40, 0].tolist()
    for written, other in [(79, 0), (40, 39), (60, 59), (79, 78)]:
        wrong = [*arguments]
        wrong[written] = table.reshape(-1)[3 * other + 1 : 3 * other + 3]
        with apart("copy", f"t{written}", f"t{other}"):
            copy(*wrong)


RANDOM_SIZES = """
import os
import numpy as np
import uir

module = uir.build(uir.script.parse('''
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 64), "float32"), w: relay.Tensor((64, 64), "float32")):
        n = tir.SizeVar("n", "int64")
        a = relay.matmul(x, w)
        return relay.matmul(relay.softmax(a + x), w)
'''))
rng = np.random.default_rng(0)
w = rng.random((64, 64), "float32")

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def call(count):
    for size in rng.integers(1, 1000, count):
        module["main"](np.ones((size, 64), "float32"), w)

call(200)
before = resident()
call(600)
print(resident() - before < 4 << 20)
"""


def test_memory_does_not_grow_with_the_number_of_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    # AddressSanitizer keeps what was freed, to find uses of it.
    options = os.environ.get("ASAN_OPTIONS", "")
    monkeypatch.setenv("ASAN_OPTIONS", f"{options}:quarantine_size_mb=1")
    assert run_new_python(RANDOM_SIZES) == "True\n"
