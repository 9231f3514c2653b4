"""Lists of primitives: those of recipes run as they are, and others are refused or equal."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, schedule, te, tir
from uir.tir import PrimFunc

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import LAYOUTS, arrays, contraction, module_of, rounded_twice, scheduled
from .random_lists import random_list

ISAS = ("generic", "x86-64-v3", "x86-64-v4")


def main_of(module: ir.IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def product(rows: Any, terms: Any, columns: Any) -> PrimFunc:
    x = te.placeholder((rows, terms), "float32", "x")
    y = te.placeholder((terms, columns), "float32", "y")
    k = te.reduce_axis((0, terms), "k")
    return te.create_prim_func(
        [x, y, te.compute((rows, columns), lambda m, n: te.sum(x[m, k] * y[k, n], axis=[k]), "out")]
    )


def axes_of(layout: str) -> tuple[list[str], list[str]]:
    """Return the names of the axes of elements and of terms in `contraction`."""
    inputs, output = LAYOUTS[layout].split("->")
    return [f"i{place}" for place in range(len(output))], sorted({*inputs} - {*output, ","})


def elementwise(rows: Any, columns: Any) -> PrimFunc:
    x = te.placeholder((rows, columns), "float32", "x")
    row = te.placeholder((columns,), "float32", "row")
    return te.create_prim_func(
        [x, row, te.compute((rows, columns), lambda i, j: x[i, j] * 2.0 + row[j], "out")]
    )


def blocked_convolution() -> PrimFunc:
    """Return a convolution whose channels lie in blocks of 16."""
    x = te.placeholder((1, 2, 8, 13, 16), "float32", "x")
    w = te.placeholder((2, 3, 3, 32, 16), "float32", "w")
    c, r, s = te.reduce_axis((0, 32), "c"), te.reduce_axis((0, 3), "r"), te.reduce_axis((0, 3), "s")
    return te.create_prim_func([x, w, te.compute(
        (1, 2, 6, 11, 16),
        lambda n, o, i, j, p: te.sum(
            x[n, c.var // 16, i + r.var, j + s.var, c.var % 16] * w[o, r, s, c, p], axis=[c, r, s]
        ),
        "out",
    )])  # fmt: skip


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize(
    "func",
    [*(contraction(layout, dict.fromkeys("bhklmn", 19)) for layout in LAYOUTS),
     product(tir.SizeVar("m"), 70, 90), product(3, tir.SizeVar("k"), 40),
     elementwise(5, 33), elementwise(tir.SizeVar("m"), tir.SizeVar("n")), blocked_convolution()],
)  # fmt: skip
def test_the_list_of_a_recipe_makes_its_loops(func: PrimFunc, isa: str) -> None:
    lists = schedule.lists(func, isa)
    assert {*lists} == {"out"}
    made = scheduled(module_of(main=schedule.with_lists(func, lists, isa)), isa)
    (line,) = schedule.trace_of(made)["main"]
    assert line.startswith("ScheduleByLists: out: list(") and lists["out"][-1] in line
    recipe = scheduled(module_of(main=func), isa)
    if "if m > 3" not in str(recipe):  # The list is that for many rows.
        assert ir.structural_equal(main_of(made).body, main_of(recipe).body, map_free_vars=True)
    assert ir.structural_equal(schedule.replay(module_of(main=func), schedule.trace_of(made)), made)


def test_steps_are_printed_and_edited() -> None:
    func = product(64, 64, 64)
    steps = schedule.lists(func, "x86-64-v4")["out"]
    assert steps == [
        'tile("n", 1024, "column_block", tail="min")',
        'tile("k", 1024, "sum_block", tail="min")',
        'tile("m", 192, "row_block", tail="min")',
        'tile("n", 32, "panel", tail="pad", lanes=16)',
        'tile("m", 8, "group", tail="powers")',
        'tile("k", 1, "k")',
        'tile("m", 1, "row")',
        'tile("n", 16, "vector")',
        'tile("n", 1, "lane")',
        'unroll("row")',
        'unroll("vector")',
        'vectorize("lane")',
        'cache("right", "sum_block", "n // 32", "k", "n % 32")',
        'registers("group")',
    ]
    steps[2:5] = [step.replace("192", "12").replace(" 8", " 6") for step in steps[2:5]]
    made = scheduled(module_of(main=schedule.with_lists(func, {"out": steps})), "x86-64-v4")
    sums = [one.buffer for one in ir.post_order(made, tir.AllocBuffer) if one.buffer.name == "sums"]
    assert str(sums[0].shape[0]) == "12"


@pytest.mark.parametrize(
    "steps",
    [[], ['tile("m", 64)'], ['tile("n", 20, "mine")', 'tile("m", 7)'], ['tile("n", 1)'],
     ['tile("k", 24, tail="min")', 'tile("m", 6, "row")'], ['tile("m", 1)'],
     ['tile("n", 30)', 'parallel("n:30")']],
)  # fmt: skip
def test_a_recipe_finishes_what_a_list_leaves_open(steps: list[str]) -> None:
    func = product(100, 70, 90)
    made = scheduled(module_of(main=schedule.with_lists(func, {"out": steps}, "x86-64-v3")))
    (line,) = schedule.trace_of(made)["main"]
    assert "vectorize(" in line and "registers(" in line and all(step in line for step in steps)
    expect_product(made, {"m": 100, "k": 70, "n": 90})


def expect_product(module: ir.IRModule, values: dict[str, int]) -> None:
    (x, y), expected = arrays("plain", values, "float32", Random(0))
    out = np.full(expected.shape, np.nan, np.float32)
    uir.build(module)(x, y, out)
    np.testing.assert_array_equal(out, expected)


def test_without_its_copy_a_padded_operand_gets_a_copy_of_rows() -> None:
    func = product(30, 70, 90)
    steps = [step for step in schedule.lists(func)["out"] if "cache" not in step]
    made = scheduled(module_of(main=schedule.with_lists(func, {"out": steps})))
    assert 'cache("right", "k", "n % ' in schedule.trace_of(made)["main"][0]
    expect_product(made, {"m": 30, "k": 70, "n": 90})


OUTER = ['tile("n", 32, "panel", tail="pad", lanes=8)', 'tile("m", 4, "group")']
INNER = ['tile("k", 1)', 'tile("m", 1)', 'tile("n", 8, "vector")', 'tile("n", 1, "lane")',
         'vectorize("lane")']  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["tile(m, 8)"], "step 1 of the list of `out`, `tile(m, 8)`: expected a call such as `"),
        (['tiled("m", 8)'], "there is no primitive `tiled`; did you mean `tile`?"),
        (['tile("row", 8)'], "there is no axis `row`"),
        (['tile("m")'], "`tile`: expected an integer"),
        (['tile("m", 8, at="k")'], "`tile`: there is no argument `at`"),
        (['tile("m", 8, tail="mim")'], "there is no tail `mim`; did you mean `min`?"),
        (['tile("m", 8, "a b")'], "a name has letters, digits and `_.:#`, got `a b`"),
        (['tile("m", 0)'], "a step must be at least 1, got 0"),
        (['tile("m", 8)', 'tile("m", 3)'], "step 2 of the list of `out`"),
        (['tile("m", 8)', 'tile("m", 3)'], "must divide that of the loop `m:8` around it"),
        (['tile("k", 8)'], "blocks of terms, as those of `k`, need the tail `min`"),
        (['tile("k", 8, tail="min")', 'parallel("k:8")'], "cannot be parallel: it adds up terms"),
        (['tile("m", 8)', 'vectorize("m:8")'], "the lanes of a vector are the innermost loop"),
        (['fuse("f", "m", "k")'], "must be of its kind"),
        (['tile("n", 24, tail="pad", lanes=16)'], "must divide its step, got 16 and 24"),
        ([*OUTER, *INNER, 'registers("group")', 'tile("m", 1, "x")'], "`tile` comes before `regis"),
        (["flatten()"], "`flatten()` is the first step of a nest that has a form with fewer"),
        (OUTER + INNER[:1] + INNER[2:] + ['registers("group")'],
         "no loop reaches the single elements of `m`"),
        ([OUTER[0], 'tile("m", 4, "group", tail="min")', *INNER, 'registers("group")'],
         "a last step of the loop `group` would store elements that are not there"),
        (['tile("n", 32, "panel")', OUTER[1], *INNER, 'registers("group")'],
         "a last step of the loop `panel` may have no whole vectors"),
        (['tile("k", 1)', *OUTER, *INNER[1:], 'registers("group")'], "needs the tail `min`"),
        ([OUTER[0], *INNER, 'registers("panel")', *['cache("left", "k:1", "m")'] * 2],
         "`left` has two copies"),
        ([*OUTER, *INNER, 'cache("right", "group", "k")'], "needs an index for `n`"),
        ([*OUTER, *INNER, 'cache("right", "group", "k", "n // 32")'],
         "and then an element within it"),
        ([*OUTER, *INNER, 'cache("right", "group", "k", "n / 32")'], "an index of a copy is"),
        ([*OUTER, *INNER, 'cache("both", "group", "k")'], "there is no operand `both`"),
        ([*OUTER, 'parallel("panel")', *INNER, 'cache("right", "group", "k", "n")'], ""),
        ([*OUTER, 'parallel("group")', *INNER, 'cache("right", "group", "k", "n")'],
         "the loop `group` cannot be parallel: its iterations share the copy of `right`"),
    ],
)  # fmt: skip
def test_what_would_compute_something_else_is_refused(steps: list[str], message: str) -> None:
    func = product(30, 70, 90)
    if not message:
        assert schedule.with_lists(func, {"out": steps}, "x86-64-v3") is not None
        return
    with pytest.raises(ValueError) as error:
        schedule.with_lists(func, {"out": steps}, "x86-64-v3")
    assert message in str(error.value)


def test_terms_keep_their_order() -> None:
    func = contraction("two sums", {"m": 8, "k": 6, "l": 5, "n": 16})
    for steps in (['tile("l", 1)', 'tile("k", 1)'], ['fuse("f", "l", "k")']):
        with pytest.raises(ValueError, match="terms"):
            schedule.with_lists(func, {"out": steps})


def test_nests_that_have_no_list_are_named() -> None:
    x = te.placeholder((64, 100), "float32", "x")
    k = te.reduce_axis((0, 100), "k")
    total = te.create_prim_func(
        [x, te.compute((64,), lambda i: te.sum(x[i, k], axis=[k]), "total")]
    )
    assert schedule.lists(total) == {}
    with pytest.raises(ValueError, match="the recipe for the nest `total` is not a list"):
        schedule.with_lists(total, {"total": []})
    with pytest.raises(ValueError, match="no such nest; did you mean `total`?"):
        schedule.with_lists(total, {"totl": []})
    bare = PrimFunc(total.params, total.body, total.buffer_map, attrs=ir.DictAttrs({}))
    with pytest.raises(ValueError, match="its buffers may overlap"):
        schedule.lists(bare)


CASES = [
    ("plain", {"m": 7, "k": 5, "n": 11}), ("plain", {"m": 8, "k": 4, "n": 16}),
    ("plain", {"m": 13, "k": 0, "n": 9}), ("plain", {"m": 1, "k": 6, "n": 33}),
    ("two sums", {"m": 6, "k": 3, "l": 4, "n": 10}), ("batches", {"b": 2, "m": 5, "k": 3, "n": 9}),
    ("right transposed", {"m": 9, "k": 4, "n": 8}), ("matrix and vector", {"m": 11, "k": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "values"), CASES)
def test_random_lists_are_refused_or_equal(layout: str, values: dict[str, int]) -> None:
    random = Random(f"{layout} {values}")
    accepted = 0
    for _ in range(40 * DEPTH):
        extents = {
            letter: tir.SizeVar(letter) if random.random() < 0.3 else value
            for letter, value in values.items()
        }
        func = contraction(layout, extents)
        steps = random_list(random, *axes_of(layout))
        try:
            listed = schedule.with_lists(func, {"out": steps}, random.choice(ISAS))
            made = scheduled(module_of(main=listed), random.choice(ISAS))
        except ValueError:
            continue
        accepted += 1
        operands, expected = arrays(layout, values, "float32", random)
        out = np.full(expected.shape, np.nan, np.float32)
        run(rounded_twice(main_of(made)), *operands, out)
        np.testing.assert_array_equal(out, expected, f"{extents} {steps}")
    assert accepted >= 3 * DEPTH


def test_random_lists_of_elements_are_refused_or_equal() -> None:
    random = Random(5)
    accepted = 0
    for _ in range(60 * DEPTH):
        values = {"i": random.choice((0, 1, 5, 8, 12)), "j": random.choice((1, 7, 16, 19))}
        extents = [
            tir.SizeVar(name) if random.random() < 0.3 else size for name, size in values.items()
        ]
        steps = random_list(random, ["i", "j"], [])
        try:
            listed = schedule.with_lists(elementwise(*extents), {"out": steps}, random.choice(ISAS))
            made = scheduled(module_of(main=listed))
        except ValueError:
            continue
        accepted += 1
        x = np.random.default_rng(0).standard_normal([*values.values()], np.float32)
        row = np.arange(values["j"], dtype=np.float32)
        out = np.full_like(x, np.nan)
        run(main_of(made), x, row, out)
        np.testing.assert_array_equal(out, x * np.float32(2.0) + row, f"{extents} {steps}")
    assert accepted >= 3 * DEPTH


def test_random_lists_compile_to_what_they_compute() -> None:
    random = Random(11)
    functions, cases = {}, []
    while len(cases) < 16 * DEPTH:
        layout, values = random.choice(CASES)
        name = f"f{len(cases)}"
        func = contraction(layout, values, name=name)
        try:
            functions[name] = schedule.with_lists(
                func, {"out": random_list(random, *axes_of(layout))}
            )
        except ValueError:
            continue
        cases.append((layout, values))
    library = uir.build(module_of(**functions))
    for name, (layout, values) in zip(functions, cases, strict=True):
        operands, expected = arrays(layout, values, "float32", random)
        out = np.full(expected.shape, np.nan, np.float32)
        library[name](*operands, out)
        lists = functions[name].get_attr("schedule_lists")
        np.testing.assert_array_equal(out, expected, str(lists))
