"""`ScheduleWindow`: the same sums in the same order, for windows of all shapes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, tir, transform

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import module_of, rounded_twice
from .windows import Convolution

CASES = {
    "3x3": Convolution(1, 16, (9, 11), 24, (3, 3), pads=(1, 1)),
    "stride 2": Convolution(2, 5, (14, 14), 9, (3, 3), stride=2, pads=(1, 1)),
    "stride 3 and dilation": Convolution(1, 3, (19, 23), 8, (3, 2), stride=3, dilation=2),
    "asymmetric pads": Convolution(1, 4, (8, 8), 7, (3, 3), pads=(2, 0)),
    "1x1": Convolution(1, 33, (7, 7), 17, (1, 1)),
    "7x7": Convolution(1, 3, (40, 33), 20, (7, 7), stride=2, pads=(3, 3)),
    "groups": Convolution(1, 12, (8, 9), 20, (3, 3), groups=4, pads=(1, 1)),
    "depthwise": Convolution(1, 6, (9, 20), 6, (3, 3), groups=6, pads=(1, 1)),
    "1-D": Convolution(2, 7, (301,), 13, (5,), pads=(2, 2)),
    "3-D": Convolution(1, 3, (5, 6, 7), 10, (3, 3, 3), pads=(1, 1)),
    "one place": Convolution(1, 20, (3, 3), 40, (3, 3)),
    "one channel": Convolution(1, 1, (5, 5), 1, (2, 2)),
    "wide lines": Convolution(1, 3, (2, 300), 5, (1, 3)),
    "many products": Convolution(1, 200, (6, 6), 16, (3, 3), pads=(1, 1)),
    "parallel": Convolution(1, 32, (34, 34), 32, (3, 3), pads=(1, 1), symbolic="n"),
    "parallel in rows": Convolution(1, 256, (7, 7), 64, (3, 3), pads=(1, 1)),
    "no image": Convolution(0, 4, (5, 5), 6, (3, 3), symbolic="n"),
    "no channel": Convolution(1, 0, (5, 5), 6, (3, 3), symbolic="c"),
    "symbolic batch": Convolution(3, 4, (10, 10), 6, (3, 3), pads=(1, 1), symbolic="n"),
    "symbolic height": Convolution(1, 4, (13, 10), 6, (3, 3), pads=(1, 1), symbolic="s"),
    "symbolic line": Convolution(1, 4, (170,), 6, (3,), pads=(1, 1), symbolic="s"),
    "short symbolic line": Convolution(1, 4, (5,), 6, (3,), symbolic="s"),
    "symbolic image": Convolution(1, 4, (13, 10), 6, (3, 3), pads=(1, 1), symbolic="sw"),
    "symbolic image of short lines": Convolution(2, 4, (9, 3), 9, (3, 3), symbolic="sw"),
    "symbolic image of long lines": Convolution(
        1, 3, (4, 301), 7, (3, 5), stride=2, pads=(1, 1), symbolic="sw"
    ),
    "symbolic image in parallel": Convolution(
        1, 512, (9, 11), 512, (4, 4), dilation=2, pads=(3, 3), symbolic="sw"
    ),
    "symbolic volume": Convolution(1, 3, (5, 6, 7), 10, (3, 3, 3), pads=(1, 1), symbolic="sw"),
    "no lines": Convolution(1, 4, (0, 5), 6, (1, 3), symbolic="sw"),
    "no columns": Convolution(1, 4, (5, 0), 6, (3, 1), symbolic="sw"),
    "float64": Convolution(1, 8, (9, 9), 8, (3, 3), dtype="float64"),
    "int32": Convolution(1, 8, (9, 9), 8, (3, 3), stride=2, dtype="int32"),
}


def scheduled(func: tir.PrimFunc, isa: str) -> tir.PrimFunc:
    made = transform.Sequential(schedule.recipes(isa))(module_of(main=func))
    assert list(ir.verify(made)) == []
    main = made.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


def test_compiled_windows_compute_what_numpy_does() -> None:
    functions = {f"f{i}": case.function(f"f{i}") for i, case in enumerate(CASES.values())}
    library = uir.build(module_of(**functions))
    numbers = np.random.default_rng(0)
    for i, (name, case) in enumerate(CASES.items()):
        # Small integers: every sum is exact.
        x, w = (numbers.integers(-4, 5, shape).astype(case.dtype) for shape in case.shapes()[:2])
        out = np.full(case.shapes()[2], 77, case.dtype)
        library[f"f{i}"](x, w, out)
        np.testing.assert_array_equal(out, case.expected(x, w), name)


def drawn(random: Random) -> Convolution:
    """Return a small convolution."""
    rank, groups = random.randint(1, 3), random.choice([1, 1, 2, 3])
    return Convolution(
        batch=random.randint(1, 2),
        channels=groups * random.randint(1, 3),
        spatial=tuple(random.randint(3, 9 if rank < 3 else 5) for _ in range(rank)),
        outputs=groups * random.randint(1, 5),
        kernel=tuple(random.randint(1, 3) for _ in range(rank)),
        stride=random.randint(1, 2),
        groups=groups,
        pads=(random.randint(0, 1), random.randint(0, 2)),
        symbolic=random.choice(["", "", "n", "s", "sw"]),
    )


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4"])
def test_elements_are_the_same_bit_for_bit(isa: str) -> None:
    random, numbers = Random(isa), np.random.default_rng(1)
    for _ in range(4 * DEPTH):
        case = drawn(random)
        func = case.function()
        x, w = (numbers.standard_normal(shape, np.float32) for shape in case.shapes()[:2])
        before, after = (np.full(case.shapes()[2], np.nan, np.float32) for _ in range(2))
        run(func, x, w, before)
        run(rounded_twice(scheduled(func, isa)), x, w, after)
        np.testing.assert_array_equal(after, before, str(case))


def test_a_rest_of_pixels_has_as_many_vectors_as_it_needs() -> None:
    main = scheduled(CASES["symbolic image"].function(), "x86-64-v4")
    sums = [one.buffer for one in ir.post_order(main, tir.AllocBuffer) if one.buffer.name == "sums"]
    vectors = [int(one.shape[0].value) // 6 for one in sums]
    assert sorted(vectors) == [1, 2, 3, 3]


def test_trace_says_what_was_chosen() -> None:
    case = Convolution(1, 64, (56, 56), 64, (3, 3))
    line = str(scheduled(case.function(), "x86-64-v4").get_attr("schedule_trace")[0])
    assert line == (
        "ScheduleWindow: out: packed_pixels(rows=8, vectors=3, lanes=16, sum_block=576, "
        "column_block=128, parallel=1)"
    )


def test_traces_replay() -> None:
    module = module_of(main=CASES["groups"].function())
    made = transform.Sequential(schedule.recipes("x86-64-v3"))(module)
    trace = schedule.trace_of(made)
    assert any("packed_pixels" in str(line) for line in trace["main"])
    assert ir.structural_equal(schedule.replay(module, trace), made)


def test_few_lines_share_the_rows_among_threads() -> None:
    for name, shared in (("parallel", "line_block"), ("parallel in rows", "group")):
        main = scheduled(CASES[name].function(), "x86-64-v4")
        loops = ir.post_order(main, tir.For)
        parallel = {str(one.loop_var.name) for one in loops if one.kind == tir.ForKind.PARALLEL}
        assert shared in parallel, name


def test_a_sum_of_chosen_elements_has_two_pixels_of_two_types() -> None:
    mask = np.array([[True, True, False], [True, True, True]])
    places = np.array([[0, 1, 1], [2, 3, 4]])
    x = relay.Var("x", relay.Tensor((4, 6), "float32"))
    taken = relay.take(x, relay.const(places), 1)
    chosen = relay.where(relay.const(mask), taken, relay.const(np.float32(0)))
    library = uir.build(relay.Function([x], relay.Block([], relay.sum(chosen, [2]))))
    data = np.arange(24, dtype="float32").reshape(4, 6)
    np.testing.assert_array_equal(
        np.from_dlpack(library["main"](data)), (data[:, places] * mask).sum(2)
    )
