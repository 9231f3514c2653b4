"""`split`, `reorder`, `annotate` and `cache` keep the result, or say why they cannot."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, schedule, te, tir
from uir.ir import GlobalVar, IRModule, with_attr
from uir.tir import For, ForKind, PrimFunc

from ....differential.programs.functions import arguments, random_func, same_results
from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import contraction

KINDS = (ForKind.PARALLEL, ForKind.VECTORIZED, ForKind.UNROLLED)
LAYOUTS = ("plain", "right transposed", "two sums", "batches", "vector")


def loops_of(func: PrimFunc) -> list[For]:
    return [node for node in ir.post_order(func.body, For) if isinstance(node, For)]


def parsed(body: str, params: str = 'x: tir.Buffer((16,), "float32")') -> PrimFunc:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    func = uir.script.parse_function(
        f"@tir.prim_func\ndef main({params}):\n"
        f"    tir.func_attr({{'tir.noalias': True}})\n{lines}\n"
    )
    assert isinstance(func, PrimFunc)
    return func


def nest(random: Random, dtype: str) -> PrimFunc:
    """Return a function with nests of loops, in some of which iterations depend on each other."""
    m, n = random.choice([1, 4, 5, 8]), random.choice([3, 6, 8])
    if random.random() < 0.5:
        extents = {letter: random.choice([2, 3, 5, 8]) for letter in "mknlbh"}
        return contraction(random.choice(LAYOUTS), extents, dtype)
    statement = random.choice([
        "y[i, j] = x[i, j] + y[i, j]",
        "y[i, j] = x[i, 0] * x[0, j]",
        f"y[i, j] = y[i, {n - 1} - j] + x[i, j]",
        "y[0, j] = tir.max(y[0, j], x[i, j])",
        "y[i, j] = tir.if_then_else(i < j, x[i, j], y[0, j % 2])",
        f"y[(i + 1) % {m}, j] = y[i, j] + x[i, j]",
    ])  # fmt: skip
    shape = f'tir.Buffer(({m}, {n}), "{dtype}")'
    return parsed(
        f"for i in range({m}):\n    for j in range({n}):\n        {statement}",
        f"x: {shape}, y: {shape}",
    )


def apply(random: Random, func: PrimFunc) -> PrimFunc:
    """Apply a random primitive to random loops."""
    loops = loops_of(func)
    loop = random.choice(loops)
    match random.randrange(5):
        case 0:
            return schedule.split(func, loop.loop_var, [None, random.choice([1, 2, 3, 4])])
        case 1 | 2:
            some = random.sample(loops, min(len(loops), random.choice([2, 2, 3])))
            return schedule.reorder(func, [one.loop_var for one in some])
        case 3:
            return schedule.annotate(func, loop.loop_var, random.choice(KINDS))
        case _:
            # The copy of a buffer that is not written yet reads what it holds, as C does.
            given = [*func.buffer_map.values()]
            loads = ir.post_order(loop, tir.BufferLoad)
            buffers = [node.buffer for node in loads if node.buffer in given]
            if not buffers:
                return func
            return schedule.cache(func, random.choice(buffers), loop.loop_var)


def scheduled(random: Random, func: PrimFunc, steps: int, seen: dict[str, int]) -> PrimFunc:
    """Apply primitives one after the other, as far as they are accepted."""
    for _ in range(steps):
        try:
            func = apply(random, func)
            seen["accepted"] += 1
        except ValueError as error:
            message = str(error)
            assert "schedule." in message and "^" in message, message
            seen["refused"] += 1
    return func


def filled(func: PrimFunc, seed: int) -> list[Any]:
    random = np.random.default_rng(seed)
    buffers = [func.buffer_map[param] for param in func.params]
    return [
        random.integers(-3, 4, [int(str(n)) for n in one.shape]).astype(str(one.dtype))
        for one in buffers
    ]


def test_random_schedules_compute_the_same() -> None:
    """Interpreted after each schedule; and some of them compiled, in one library."""
    seen = {"accepted": 0, "refused": 0}
    made: dict[str, tuple[PrimFunc, PrimFunc]] = {}
    for seed in range(60 * DEPTH):
        random = Random(seed)
        func = nest(random, random.choice(["float32", "int32"]))
        changed = scheduled(random, func, 4, seen)
        expected, found = filled(func, seed), filled(func, seed)
        run(func, *expected)
        run(changed, *found)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, f"seed {seed}\n{changed}")
        made[f"f{seed}"] = (func, changed)
    assert seen["accepted"] > 50 and seen["refused"] > 20, seen
    functions: dict[GlobalVar, ir.BaseFunc] = {
        GlobalVar(name): with_attr(changed, "global_symbol", name)
        for name, (_, changed) in made.items()
    }
    library = uir.build(IRModule(functions))
    for seed, (name, (func, _)) in enumerate(made.items()):
        expected, found = filled(func, seed), filled(func, seed)
        run(func, *expected)
        library[name](*found)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, name)


@pytest.mark.parametrize("seed", range(12 * DEPTH))
def test_random_programs_compute_the_same(seed: int) -> None:
    func, random = random_func(seed), Random(seed)
    if not loops_of(func):
        return
    changed = scheduled(random, func, 3, {"accepted": 0, "refused": 0})
    expected, found = arguments(func, seed), arguments(func, seed)
    run(func, *expected)
    run(changed, *found)
    assert same_results(found, expected), str(changed)


def test_symbolic_extents_split_with_a_guard() -> None:
    n = tir.SizeVar("n")
    x = te.placeholder((n,), "float32", "x")
    func = te.create_prim_func([x, te.compute((n,), lambda i: x[i] + 1.0, "y")])
    made = schedule.split(func, "i", [None, 4])
    assert "tir.likely(i_0 * 4 + i_1 < n)" in str(made)
    module = uir.build(schedule.annotate(made, "i_1", ForKind.VECTORIZED))
    for length in (0, 1, 4, 7):
        data, result = np.arange(length, dtype="float32"), np.zeros(length, "float32")
        module(data, result)
        np.testing.assert_array_equal(result, data + 1)


def test_recipes_leave_nests_that_were_scheduled_by_hand() -> None:
    func = contraction("plain", dict.fromkeys("mkn", 64))
    names = [str(loop.loop_var.name) for loop in loops_of(func)]
    made = schedule.reorder(func, [names[1], names[2]])
    module = IRModule({GlobalVar("main"): made})
    for one in schedule.recipes("x86-64-v3"):
        module = one(module)
    assert "schedule_trace" not in str(module) and "scheduled_by_hand" not in str(module)
    kept = [str(loop.loop_var.name) for loop in loops_of(module["main"])]
    assert kept == [str(loop.loop_var.name) for loop in loops_of(made)]


def test_sums_of_floating_point_numbers_keep_their_order_unless_allowed() -> None:
    extents = dict.fromkeys("mknl", 4)
    func = contraction("two sums", extents)
    with pytest.raises(ValueError, match="`reassociate=True` allows that"):
        schedule.reorder(func, ["l", "k"])
    assert schedule.reorder(func, ["l", "k"], reassociate=True) is not func
    assert schedule.reorder(contraction("two sums", extents, "int32"), ["l", "k"]) is not func


SCAN = "for i in range(15):\n    x[i + 1] = x[i]"
TWICE = "for i in range(16):\n    x[i] = 0.0\nfor i in range(16):\n    x[i] = 1.0"
TRIANGLE = "for i in range(4):\n    for j in range(i + 1):\n        x[i * 4 + j] = 0.0"
REVERSED = "for i in range(3):\n    for j in range(3):\n        x[i * 3 + 2 - j + 3] = x[i * 3 + j]"


@pytest.mark.parametrize(
    ("body", "change", "message", "underlined"),
    [
        (SCAN, lambda f: schedule.annotate(f, "i", ForKind.PARALLEL),
         "`i` cannot be parallel: an iteration stores to an element of `x` that", "x[i + 1]"),
        (SCAN, lambda f: schedule.annotate(f, "i", ForKind.VECTORIZED),
         "`i` cannot be vectorized", "x[i + 1]"),
        (SCAN, lambda f: schedule.split(f, "j", [None, 4]),
         "has no loop `j`", ""),
        (SCAN, lambda f: schedule.split(f, "i", [3, 4]),
         "not proved to cover its 15 iterations", "for i"),
        (SCAN, lambda f: schedule.split(f, "i", [None, None]), "leaves out more than one", "for i"),
        (SCAN, lambda f: schedule.split(f, "i", [None, 0]), "at least 1, got 0", "for i"),
        (SCAN, lambda f: schedule.split(f, "i", []), "`factors` is empty", "for i"),
        (SCAN, lambda f: schedule.cache(f, "y", "i"), "does not use a buffer `y`", "for i"),
        (TWICE, lambda f: schedule.split(f, "i", [None, 4]),
         "`i` names 2 loops: `i` around the store to `x`; `i` around", "for i"),
        (TRIANGLE, lambda f: schedule.reorder(f, ["j", "i"]), "depends on another one", "for j"),
        (TRIANGLE, lambda f: schedule.annotate(f, "j", ForKind.UNROLLED),
         "no constant extent", "for j"),
        (REVERSED, lambda f: schedule.reorder(f, ["j", "i"]), "would run in another order", "x["),
        (REVERSED, lambda f: schedule.reorder(f, ["j", "j"]), "named twice", "for j"),
        ("for i in tir.parallel(4):\n    for j in range(4):\n        x[i * 4 + j] = 0.0",
         lambda f: schedule.cache(f, "x", "j"), "which is not serial", "for i"),
        ("for i in range(4):\n    x[i] = 0.0\n    while x[0] < 4.0:\n        x[0] = x[0] + 1.0",
         lambda f: schedule.annotate(f, "i", ForKind.PARALLEL), "may have effects", "while"),
    ],
)  # fmt: skip
def test_what_would_change_the_result_is_refused(
    body: str, change: Any, message: str, underlined: str
) -> None:
    with pytest.raises(ValueError) as error:
        change(parsed(body))
    text = str(error.value)
    assert message in text
    lines = text.splitlines()
    marks = [place for place, line in enumerate(lines) if line.lstrip().startswith("^")]
    assert not underlined or any(underlined in lines[place - 1] for place in marks), text


def test_regions_that_nothing_bounds_are_not_cached() -> None:
    n = tir.SizeVar("n")
    x = te.placeholder((n, n), "float32", "x")
    func = te.create_prim_func([x, te.compute((n, n), lambda i, j: x[i, j] + 1.0, "y")])
    with pytest.raises(ValueError, match="dimension 1 of the region of `x`"):
        schedule.cache(func, "x", "i")
    assert "x_cache" in str(schedule.cache(func, "x", "j"))
