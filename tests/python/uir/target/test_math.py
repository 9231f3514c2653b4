"""Functions of mathematics: their errors, lanes that equal scalars, the table of the docs.

Each library is compiled twice: for the processor at hand, and as for one without an instruction for
a product and a sum.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import ir, script
from uir.target import math_errors, math_function

from ...support.depth import DEPTH
from ...support.interpreter import run
from ...support.math_kernels import BINARY, COUNT, Errors, compiled_math

ROOT = Path(__file__).parents[4]
ERRORS = {str(name): float(ulp) for name, ulp in math_errors().items()}
NAMES = sorted(ERRORS)
UNARY = [name for name in NAMES if name not in BINARY]
MODES = {
    "fused": ["-march=native", "-fno-math-errno", "-fno-trapping-math"],
    "split": [
        "-march=native",
        *("-U__FMA__", "-U__FP_FAST_FMA", "-U__AVX512F__", "-U__aarch64__"),
    ],
}
LANES = (1, 3, 16)
# Ends of ranges, numbers around which functions change their form, and their neighbours.
MARKS = [
    *(0.0, 2.0**-149, 2.0**-126, 2.0**-25, 0.25, 0.5, 0.625, 0.6931472, 0.70710677, 1.0, 1.4142135),
    *(2.0, 3.0, 3.95, 4.0, 9.0, 10.0, 38.53184, 45.154, 87.33654, 88.72284, 89.4159, 103.97208),
    *(104.0, 126.0, 128.0, 149.0, 150.0, 151.0, 65536.0, 2.0**23, 2.0**24, 2.0**63, 1e30),
    *(float(np.finfo(np.float32).max), np.inf, np.nan, np.pi / 2, np.pi, 1e10),
]

Array = np.ndarray[Any, Any]


def special() -> Array:
    """Return special values, with the numbers next to them on both sides."""
    marks = np.array(MARKS, np.float32)
    with np.errstate(over="ignore"):
        near = [np.nextafter(marks, np.float32(end)) for end in (-np.inf, np.inf)]
    both = np.concatenate([marks, *near])
    return np.concatenate([both, -both])


def operands(seed: int) -> tuple[Array, Array]:
    """Return arrays of special values, and of numbers of which each bit is random."""
    source = np.random.default_rng(seed)
    x, y = (source.integers(0, 1 << 32, COUNT, dtype=np.uint32).view(np.float32) for _ in range(2))
    # A function of two numbers has finite values where neither is extreme.
    x[::4], y[::4] = (
        source.uniform(0, 32, COUNT // 4),
        source.uniform(-24, 24, COUNT // 4),
    )
    first, second = np.meshgrid(special(), special())
    x[: first.size], y[: first.size] = first.ravel(), second.ravel()
    return x, y


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("math")


@pytest.fixture(scope="module")
def errors(folder: Path) -> Errors:
    return Errors(folder)


@pytest.fixture(scope="module")
def libraries(folder: Path) -> dict[str, tvm_ffi.Module]:
    return {mode: compiled_math([*ERRORS], LANES, folder / mode, MODES[mode]) for mode in MODES}


@pytest.fixture(params=list(MODES))
def library(libraries: dict[str, tvm_ffi.Module], request: pytest.FixtureRequest) -> tvm_ffi.Module:
    return libraries[request.param]


@pytest.fixture
def fused(libraries: dict[str, tvm_ffi.Module]) -> tvm_ffi.Module:
    return libraries["fused"]


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_bounded(library: tvm_ffi.Module, errors: Errors, name: str) -> None:
    for seed in range(2 * DEPTH):
        x, y = operands(seed)
        found = np.empty(COUNT, np.float32)
        library[f"{name}_16"](x, y, found)
        error, i = errors(name, x, y, found)
        assert error <= ERRORS[name], f"{name}({x[i]!r}, {y[i]!r}) = {found[i]!r}"


@pytest.mark.parametrize("name", NAMES)
def test_lanes_equal_scalars(library: tvm_ffi.Module, name: str) -> None:
    x, y = operands(0)
    found = {lanes: np.empty(COUNT, np.float32) for lanes in LANES}
    for lanes, array in found.items():
        library[f"{name}_{lanes}"](x, y, array)
    for lanes in LANES[1:]:
        # Another number of lanes leaves the last elements.
        count = COUNT // lanes * lanes
        one, other = found[1][:count], found[lanes][:count]
        same = (one.view(np.int32) == other.view(np.int32)) | (np.isnan(one) & np.isnan(other))
        assert same.all(), (lanes, x[np.argmin(same)], y[np.argmin(same)])


@pytest.mark.deep
@pytest.mark.parametrize("name", UNARY)
def test_errors_of_all_floats(library: tvm_ffi.Module, errors: Errors, name: str) -> None:
    greatest, at, found = 0.0, np.float32(0), np.empty(COUNT, np.float32)
    for first in range(0, 1 << 32, COUNT):
        x = np.arange(first, first + COUNT, dtype=np.uint64).astype(np.uint32).view(np.float32)
        library[f"{name}_16"](x, x, found)
        error, i = errors(name, x, x, found)
        if error > greatest:
            greatest, at = error, x[i]
    print(f"{name}: {greatest:.4f} ulp at {at!r}")
    assert greatest <= ERRORS[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_interpreter_computes_the_same_bits(fused: tvm_ffi.Module, name: str) -> None:
    x, y = operands(1)
    found = np.empty(COUNT, np.float32)
    fused[f"{name}_1"](x, y, found)
    func = math_function(name)
    for i in [*range(0, 60, 2), *range(COUNT - 60, COUNT)]:
        args = [float(x[i]), float(y[i])][: len(func.params)]
        value = np.float32(run(func, *args))
        assert np.array_equal(value, found[i], equal_nan=True), args
        assert np.isnan(value) or np.signbit(value) == np.signbit(found[i]), args


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("name", NAMES)
def test_functions_print_and_parse(name: str, lanes: int) -> None:
    func = math_function(name, lanes)
    assert ir.structural_equal(script.parse_function(str(func)), func)


def test_unknown_functions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"`name` must be one of `.*`exp`.*, got `fmod`"):
        math_function("fmod")
    with pytest.raises(ValueError, match=r"`lanes` must be from 1 to 32767, got 0"):
        math_function("exp", 0)


def test_the_docs_state_the_errors() -> None:
    text = (ROOT / "docs" / "compiler" / "target-c.md").read_text()
    rows = re.findall(r"^\| `([a-z0-9`, ]+)` \| ([0-9.]+) \|", text, re.MULTILINE)
    stated = {name: float(ulp) for names, ulp in rows for name in names.split("`, `")}
    assert stated == ERRORS
