"""`ScheduleContraction`: the same sums in the same order, for all shapes and layouts."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, tir
from uir.tir import ForKind, PrimFunc

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import EXTENTS, LAYOUTS, arrays, contraction, module_of, rounded_twice, scheduled


def main_of(module: ir.IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def extents_of(layout: str, random: Random, largest: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Return random extents, some of which are variables, and their values."""
    letters = sorted({*LAYOUTS[layout]} - {*"->,"})
    small = [extent for extent in EXTENTS if extent <= largest]
    values = {letter: random.choice(small) for letter in letters}
    values.update({letter: min(values[letter], 3) for letter in "bhl" if letter in values})
    extents = {
        letter: tir.SizeVar(letter) if random.random() < 0.3 else value
        for letter, value in values.items()
    }
    return extents, values


@pytest.mark.parametrize("layout", LAYOUTS)
def test_elements_are_the_same_bit_for_bit(layout: str) -> None:
    random = Random(layout)
    for _ in range(3 * DEPTH):
        extents, values = extents_of(layout, random, 17)
        func = contraction(layout, extents)
        operands, _ = arrays(layout, values, "float32", random)
        operands = [operand * np.float32(random.random()) for operand in operands]
        shape = [values[letter] for letter in LAYOUTS[layout].split("->")[1]]
        before, after = (np.full(shape, np.nan, np.float32) for _ in range(2))
        made = scheduled(module_of(main=func), random.choice(["generic", "x86-64-v3"]))
        assert list(ir.verify(made)) == []
        run(func, *operands, before)
        run(rounded_twice(main_of(made)), *operands, after)
        np.testing.assert_array_equal(after, before, str(extents))


def test_trace_says_what_was_chosen_and_is_deterministic() -> None:
    func = contraction("plain", {"m": 64, "k": 64, "n": 64})
    made = [scheduled(module_of(main=func), "x86-64-v4") for _ in range(2)]
    trace = [str(line) for line in main_of(made[0]).get_attr("schedule_trace")]
    assert trace == [
        "ScheduleContraction: out: many_rows(rows=8, vectors=2, lanes=16, sum_block=1024, "
        "row_block=192, column_block=1024, parallel=0)"
    ]
    assert str(made[0]) == str(made[1])


@pytest.mark.parametrize(("isa", "rows", "lanes"), [("x86-64-v4", 8, 16), ("x86-64-v3", 6, 8)])
def test_instruction_sets_choose_the_blocks(isa: str, rows: int, lanes: int) -> None:
    made = scheduled(module_of(main=contraction("plain", {"m": 64, "k": 64, "n": 64})), isa)
    sums = [one.buffer for one in ir.post_order(made, tir.AllocBuffer) if one.buffer.name == "sums"]
    assert [str(sum_.dtype) for sum_ in sums[:1]] == [f"float32x{lanes}"]
    assert f"({rows * 2},)" in str(made)


def test_few_rows_read_the_right_operand_in_place() -> None:
    made = scheduled(module_of(main=contraction("vector", {"k": 64, "n": 64})), "x86-64-v3")
    names = {str(one.buffer.name) for one in ir.post_order(made, tir.AllocBuffer)}
    assert names == {"sums", "panel", "right"}
    (line,) = main_of(made).get_attr("schedule_trace")
    assert line.startswith("ScheduleContraction: out: few_rows")


@pytest.mark.parametrize(
    ("rows", "columns", "vectors", "has_parts"),
    [(1, 256, 16, False), (2, 100, 7, False), (3, 256, 4, True), (1, 1024, 4, True)],
)
def test_results_that_fit_registers_need_no_parts_of_the_sum(
    rows: int, columns: int, vectors: int, has_parts: bool
) -> None:
    func = contraction("plain", {"m": rows, "k": 700, "n": columns})
    (line,) = main_of(scheduled(module_of(main=func), "x86-64-v4")).get_attr("schedule_trace")
    assert "few_rows(" in line and f"vectors={vectors}," in line
    assert ("sum_block=8," in line) == has_parts


@pytest.mark.parametrize(("columns", "vectors"), [(100, 3), (64, 2), (256, 2), (48, 3), (80, 3)])
def test_panels_are_as_even_as_can_be(columns: int, vectors: int) -> None:
    func = contraction("plain", {"m": 64, "k": 70, "n": columns})
    (line,) = main_of(scheduled(module_of(main=func), "x86-64-v4")).get_attr("schedule_trace")
    assert f"vectors={vectors}," in line


def test_columns_that_lie_apart_are_scalars() -> None:
    func = contraction("right transposed", {"m": 1, "k": 64, "n": 64})
    (line,) = main_of(scheduled(module_of(main=func), "x86-64-v3")).get_attr("schedule_trace")
    assert "few_rows_apart" in line and "vectors=8, lanes=1," in line


def test_symbolic_rows_are_counted_when_the_function_runs() -> None:
    made = scheduled(
        module_of(main=contraction("plain", {"m": tir.SizeVar("m"), "k": 64, "n": 64}))
    )
    assert "if m > 3:" in str(made)
    (line,) = main_of(made).get_attr("schedule_trace")
    assert "many_rows" in line and "; few_rows(" in line


def test_functions_that_may_overlap_stay() -> None:
    func = contraction("plain", {"m": 64, "k": 64, "n": 64})
    attrs = ir.DictAttrs({"global_symbol": "main"})
    overlapping = PrimFunc(func.params, func.body, func.buffer_map, attrs=attrs)
    body = main_of(scheduled(module_of(main=overlapping))).body
    assert ir.structural_equal(body, func.body)


def test_unknown_instruction_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="`isa` must be one of .*, got `z80`"):
        scheduled(module_of(main=contraction("plain", {"m": 4, "k": 4, "n": 4})), "z80")


def test_large_row_blocks_are_parallel() -> None:
    made = scheduled(module_of(main=contraction("plain", {"m": 512, "k": 512, "n": 64})))
    loops = ir.post_order(made, tir.For)
    parallel = [str(loop.loop_var.name) for loop in loops if loop.kind == ForKind.PARALLEL]
    assert sorted(parallel) == ["panel", "row_block"]
