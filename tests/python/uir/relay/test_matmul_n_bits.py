"""Compiled products with packed numbers against the reference: rows, words, blocks and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir.relay import reference
from uir.script import ScriptError, parse, parse_function

Array = np.ndarray[Any, Any]

FUNCTION = """
    @relay.function
    def {name}({parameters}):
        m = tir.SizeVar("m", "int64")
        return relay.matmul_n_bits(x, words, scales{zeros}, bits={bits}, columns={columns})
"""
# The data types of x, the words and the scales; bits; the shape of the words; zeros; columns.
CASES: dict[str, tuple[str, str, str, int, tuple[int, int, int], str, int]] = {
    "four_bits": ("float32", "uint32", "float32", 4, (2, 3, 4), "", 32),
    "zero_points": ("float32", "uint32", "float32", 4, (3, 2, 4), "uint8", 41),
    "zero_points_of_floats": ("float32", "int32", "float16", 4, (1, 4, 2), "float32", 5),
    "two_bits": ("float32", "uint32", "float32", 2, (2, 2, 2), "uint8", 17),
    "eight_bits": ("float32", "uint32", "float32", 8, (1, 3, 8), "", 16),
    "float16": ("float16", "uint32", "float16", 4, (2, 2, 4), "uint8", 32),
    "float64": ("float64", "uint32", "float64", 8, (2, 2, 4), "", 20),
    "bytes": ("float32", "uint8", "float32", 4, (2, 2, 16), "", 30),
    "signed_bytes": ("float32", "int8", "float32", 8, (2, 2, 16), "", 30),
    "wide_words": ("float32", "int64", "float32", 4, (2, 2, 2), "uint8", 30),
    "no_columns": ("float32", "uint32", "float32", 4, (1, 1, 4), "", 0),
}
TERMS = 61
"""Blocks of each case end before, at or after the last term."""


def function(case: str, rows: str) -> str:
    x, words, scale, bits, shape, zeros, columns = CASES[case]
    blocks = f"({shape[0]}, {shape[1]}, 16)"
    parameters = [
        f'x: relay.Tensor({rows}, "{x}")',
        f'words: relay.Tensor({(*shape, 16)}, "{words}")',
        f'scales: relay.Tensor({blocks}, "{scale}")',
        *([f'zeros: relay.Tensor({blocks}, "{zeros}")'] if zeros else []),
    ]
    return FUNCTION.format(
        name=case if "m" in rows else f"{case}_fixed",
        parameters=", ".join(parameters),
        zeros=", zeros" if zeros else "",
        bits=bits,
        columns=columns,
    )


@pytest.fixture(scope="module")
def library() -> Any:
    texts = [function(case, f"(m, {TERMS})") for case in CASES]
    texts.append(function("zero_points", f"({TERMS},)"))
    return uir.build(parse("@ir_module\nclass Module:" + "".join(texts)))


def operands(case: str, rows: tuple[int, ...]) -> list[Array]:
    x, words, scale, bits, shape, zeros, _ = CASES[case]
    random = np.random.default_rng(len(case))
    info = np.iinfo(words)
    blocks = (*shape[:2], 16)
    found = [
        random.standard_normal((*rows, TERMS)).astype(x),
        random.integers(info.min, info.max, (*shape, 16), words, endpoint=True),
        (random.random(blocks) + 0.5).astype(scale),
    ]
    return [*found, random.integers(0, 2**bits, blocks).astype(zeros)] if zeros else found


def check(case: str, found: Any, given: list[Array]) -> None:
    bits, columns = CASES[case][3], CASES[case][6]
    wide = [given[0].astype("float64"), given[1], *(one.astype("float64") for one in given[2:])]
    expected = reference.matmul_n_bits(*wide, bits=bits, columns=columns)
    found = np.from_dlpack(found)
    assert found.dtype == given[0].dtype
    # The sum of the absolute terms bounds the error of any order of sums.
    bound = np.abs(wide[0]).sum(-1, keepdims=True) * 1.5 * 2**bits
    unit = np.finfo(found.dtype if found.dtype != "float16" else "float32").eps
    rounding = np.abs(expected) * np.finfo(found.dtype).eps
    assert (np.abs(found - expected) <= bound * 8 * unit + rounding).all()


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("case", CASES)
def test_rows_times_packed_numbers(library: Any, case: str, rows: int) -> None:
    given = operands(case, (rows,))
    check(case, library[case](*given), given)


def test_a_vector_times_packed_numbers(library: Any) -> None:
    given = operands("zero_points", ())
    check("zero_points", library["zero_points_fixed"](*given), given)


def test_an_infinity_is_not_lost(library: Any) -> None:
    """Beside it, all other rows are as they were."""
    given = operands("four_bits", (5,))
    given[0][2, 7] = np.inf
    found = np.from_dlpack(library["four_bits"](*given))
    assert not np.isfinite(found[2]).any()
    assert np.isfinite(found[[0, 1, 3, 4]]).all()


@pytest.mark.parametrize(("bits", "columns"), [(3, 16), (4, 33), (4, -1)])
def test_attributes_out_of_range_are_refused(bits: int, columns: int) -> None:
    text = f"""
@relay.function
def main(
    x: relay.Tensor((2, 9), "float32"),
    words: relay.Tensor((2, 3, 4, 16), "uint32"),
    scales: relay.Tensor((2, 3, 16), "float32"),
):
    return relay.matmul_n_bits(x, words, scales, bits={bits}, columns={columns})
"""
    with pytest.raises(ScriptError, match=r"relay\.matmul_n_bits: (.|\n)*must hold"):
        parse_function(text)
