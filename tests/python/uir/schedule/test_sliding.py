"""`ScheduleWindow` for windows over single channels: the same elements, by vectors."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import uir
from uir import ir, schedule, tir, transform
from uir.relay import reference

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import module_of, rounded_twice
from .sliding import Sliding, drawn, module_of_cases, unscheduled

SAME = {"pads": [1, 1, 1, 1]}
CASES = {
    "depthwise": Sliding("conv", (1, 5, 9, 40), (3, 3), SAME),
    "depthwise, stride 2": Sliding("conv", (2, 3, 15, 37), (3, 3), SAME | {"strides": [2, 2]}),
    "depthwise, dilated": Sliding("conv", (1, 3, 20, 25), (3, 2), {"dilations": [2, 3]}),
    "stride and dilation": Sliding(
        "conv", (1, 3, 30, 41), (3, 3), SAME | {"strides": [2, 3], "dilations": [3, 2]}
    ),
    "uneven pads": Sliding("conv", (1, 3, 8, 19), (4, 3), {"pads": [2, 0, 1, 3]}),
    "two channels of each": Sliding("conv", (1, 4, 9, 18), (3, 3), SAME, outputs=2),
    "large window": Sliding("conv", (1, 2, 30, 30), (9, 9), {"pads": [4, 4, 4, 4]}),
    "1-D": Sliding("conv", (1, 4, 200), (5,), {"pads": [2, 2]}),
    "3-D": Sliding("conv", (1, 2, 5, 6, 20), (3, 3, 3), {"pads": [1] * 6}),
    "max": Sliding("max_pool", (1, 3, 15, 30), (3, 3), SAME | {"strides": [2, 2]}),
    "max in place": Sliding("max_pool", (1, 3, 16, 32), (2, 2), {"strides": [2, 2]}),
    "max, stride 3": Sliding("max_pool", (1, 3, 25, 60), (2, 5), {"strides": [3, 3]}),
    "max, ceil": Sliding(
        "max_pool", (1, 3, 16, 33), (3, 3), {"strides": [2, 2], "ceil_mode": True}
    ),
    "average": Sliding("avg_pool", (1, 3, 15, 30), (3, 3), SAME),
    "average with padding": Sliding(
        "avg_pool", (1, 3, 15, 30), (3, 3), SAME | {"count_include_pad": True, "strides": [2, 1]}
    ),
    "average, ceil": Sliding(
        "avg_pool", (1, 3, 16, 33), (3, 3), {"strides": [2, 2], "ceil_mode": True}
    ),
    "narrow": Sliding("max_pool", (2, 3, 7, 7), (3, 3), SAME),
    "two columns": Sliding("max_pool", (1, 3, 9, 3), (2, 2), {}),
    "one column": Sliding("max_pool", (1, 3, 9, 2), (2, 2), {}),
    "wide": Sliding("avg_pool", (1, 1, 4, 1500), (3, 3), SAME),
    "tall": Sliding("max_pool", (1, 1, 300, 60), (3, 3), SAME),
    "parallel": Sliding("conv", (1, 64, 60, 60), (3, 3), SAME, symbolic=(0,)),
    "symbolic batch": Sliding("conv", (3, 2, 9, 20), (3, 3), SAME, symbolic=(0,)),
    "symbolic lines": Sliding("conv", (1, 2, 19, 20), (3, 3), SAME, symbolic=(2,)),
    "symbolic columns": Sliding("max_pool", (1, 2, 9, 45), (3, 3), SAME, symbolic=(3,)),
    "few symbolic columns": Sliding("max_pool", (1, 2, 9, 5), (3, 3), SAME, symbolic=(2, 3)),
    "symbolic stride 2": Sliding(
        "max_pool", (1, 2, 23, 45), (3, 3), SAME | {"strides": [2, 2]}, symbolic=(2, 3)
    ),
    "narrow symbolic image": Sliding(
        "conv", (1, 3, 14, 14), (3, 3), SAME | {"strides": [1, 2]}, symbolic=(2, 3)
    ),
    "symbolic margins wider than lines": Sliding(
        "conv",
        (1, 2, 7, 5),
        (3, 3),
        {"dilations": [6, 12], "pads": [6, 12, 6, 12]},
        symbolic=(2, 3),
    ),
    "symbolic margins and strides": Sliding(
        "conv",
        (1, 2, 9, 21),
        (3, 3),
        {"dilations": [3, 9], "pads": [3, 9, 3, 9], "strides": [2, 2]},
        symbolic=(2, 3),
    ),
    "symbolic margins across blocks": Sliding(
        "conv", (1, 2, 3, 131), (1, 5), {"dilations": [1, 4], "pads": [0, 8, 0, 8]}, symbolic=(2, 3)
    ),
    "wide symbolic image": Sliding("conv", (1, 2, 6, 300), (2, 5), {}, symbolic=(2, 3)),
    "no image": Sliding("max_pool", (0, 2, 9, 9), (3, 3), SAME, symbolic=(0,)),
    "one pixel": Sliding("avg_pool", (1, 2, 1, 1), (3, 3), SAME, symbolic=(2, 3)),
    "float64": Sliding("conv", (1, 3, 9, 20), (3, 3), SAME, "float64"),
    "float16": Sliding("max_pool", (1, 3, 9, 20), (3, 3), SAME, "float16"),
    "sums of float16": Sliding("avg_pool", (1, 3, 9, 20), (2, 2), {}, "float16"),
    "int8": Sliding("max_pool", (1, 3, 9, 140), (3, 3), SAME, "int8"),
    "int32": Sliding("conv", (1, 3, 9, 20), (3, 3), SAME, "int32"),
}


def test_compiled_windows_compute_what_numpy_does() -> None:
    library = uir.build(module_of_cases([*CASES.values()]))
    numbers = np.random.default_rng(0)
    for i, (name, case) in enumerate(CASES.items()):
        arrays = case.arrays(numbers)
        found = np.from_dlpack(library[f"f{i}"](*arrays))
        expected = case.expected(*arrays)
        np.testing.assert_allclose(
            found, expected, 1e-3 if case.dtype == "float16" else 1e-6, 0, name
        )


def test_nan_wins_every_maximum() -> None:
    names = ("max", "max in place", "max, ceil", "narrow", "tall", "symbolic stride 2")
    cases = [CASES[name] for name in names]
    library = uir.build(module_of_cases(cases))
    numbers = np.random.default_rng(1)
    for i, case in enumerate(cases):
        (x,) = case.arrays(numbers)
        places = numbers.random(x.shape)
        x[places < 0.05] = np.nan
        x[(places > 0.5) & (places < 0.6)] = -np.inf
        x[places > 0.95] = np.inf
        np.testing.assert_array_equal(
            np.from_dlpack(library[f"f{i}"](x)), case.expected(x), names[i]
        )


def scheduled(func: tir.PrimFunc, isa: str) -> tir.PrimFunc:
    made = transform.Sequential(schedule.recipes(isa))(module_of(main=func))
    assert list(ir.verify(made)) == []
    main = made.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4"])
def test_elements_are_the_same_bit_for_bit(isa: str) -> None:
    random, numbers = Random(isa), np.random.default_rng(2)
    for _ in range(4 * DEPTH):
        case = drawn(random)
        func = unscheduled(case)
        arrays = [
            one + numbers.standard_normal(one.shape, np.float32) for one in case.arrays(numbers)
        ]
        before, after = (
            np.full(case.expected(*arrays).shape, np.nan, np.float32) for _ in range(2)
        )
        run(func, *arrays, before)
        run(rounded_twice(scheduled(func, isa)), *arrays, after)
        np.testing.assert_array_equal(after, before, str(case))


def test_short_lines_of_symbolic_width_go_by_narrow_vectors() -> None:
    case = Sliding("conv", (1, 3, 9, 9), (3, 3), SAME, symbolic=(2, 3))
    main = scheduled(unscheduled(case), "x86-64-v4")
    allocated = [one.buffer for one in ir.post_order(main, tir.AllocBuffer)]
    lanes = {one.dtype.lanes for one in allocated if one.name == "elements"}
    assert lanes == {16, 8, 4, 1}


def test_a_block_of_symbolic_lines_has_whole_groups() -> None:
    case = Sliding("conv", (1, 3, 9, 9), (3, 3), SAME | {"strides": [2, 2]}, symbolic=(2, 3))
    line = str(scheduled(unscheduled(case), "x86-64-v4").get_attr("schedule_trace")[-1])
    assert "lines=4," in line
    assert "line_block=12, column_block=128," in line


def test_trace_says_what_was_chosen_and_replays() -> None:
    func = unscheduled(Sliding("conv", (1, 32, 56, 56), (3, 3), SAME))
    line = str(scheduled(func, "x86-64-v4").get_attr("schedule_trace")[0])
    assert line == (
        "ScheduleWindow: conv: sliding(lines=4, vectors=2, lanes=16, line_block=56, "
        "column_block=56, parallel=0)"
    )
    module = module_of(main=func)
    made = transform.Sequential(schedule.recipes("x86-64-v3"))(module)
    assert ir.structural_equal(schedule.replay(module, schedule.trace_of(made)), made)


def test_a_copy_holds_as_many_lines_as_fit() -> None:
    func = unscheduled(CASES["tall"])
    line = str(scheduled(func, "x86-64-v4").get_attr("schedule_trace")[0])
    assert "sliding(" in line and "line_block=100" in line


MASKED = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        c: relay.Tensor((2, 7, 20), "bool"),
        x: relay.Tensor((2, 7, 20), "float32"),
        y: relay.Tensor((2, 7, 20), "float32"),
    ):
        return (
            relay.mean(relay.where(c, x, y), axis=[1]),
            relay.max(relay.where(c, x, 0.0), axis=[0, 1]),
            relay.sum(relay.cast(c, "float32") * x, axis=[1]),
        )
"""


def test_a_mask_of_another_data_type_is_no_pixel() -> None:
    numbers = np.random.default_rng(3)
    c = numbers.random((2, 7, 20)) < 0.5
    x, y = numbers.standard_normal((2, 2, 7, 20), np.float32)
    found = uir.build(uir.script.parse(MASKED))["main"](c, x, y)
    mean, maximum, total = map(np.from_dlpack, found)
    np.testing.assert_allclose(mean, np.where(c, x, y).mean(1), 1e-5, 1e-6)
    np.testing.assert_array_equal(maximum, np.where(c, x, 0).max((0, 1)))
    np.testing.assert_allclose(total, (c * x).sum(1), 1e-5, 1e-6)


EPILOGUES = """
@uir.script.ir_module
class Module:
    @relay.function
    def depthwise(
        x: relay.Tensor((1, 4, 9, 20), "float32"),
        w: relay.Tensor((4, 1, 3, 3), "float32"),
        b: relay.Tensor((4,), "float32"),
    ):
        return relay.relu(relay.conv(x, w, b, pads=1, groups=4))

    @relay.function
    def residual(
        x: relay.Tensor((1, 4, 9, 20), "float32"),
        w: relay.Tensor((4, 1, 3, 3), "float32"),
        y: relay.Tensor((1, 4, 9, 20), "float32"),
    ):
        return relay.conv(x, w, pads=1, groups=4) + y

    @relay.function
    def average(x: relay.Tensor((1, 4, 9, 20), "float32")):
        return relay.avg_pool(x, 3, pads=1)
"""


def test_what_follows_is_computed_with_the_elements_in_registers() -> None:
    module = uir.script.parse(EPILOGUES)
    for func in uir.lower(module).functions.values():
        buffers = {str(one.buffer.name) for one in ir.post_order(func, tir.AllocBuffer)}
        # The copy of pixels and registers are all that is allocated.
        assert all("pixels" in name or name == "elements" for name in buffers)
    library = uir.build(module)
    numbers = np.random.default_rng(3)
    x, y = (numbers.integers(-8, 9, (1, 4, 9, 20)).astype("float32") for _ in range(2))
    w, b = (numbers.integers(-8, 9, one).astype("float32") for one in ((4, 1, 3, 3), (4,)))
    conv = reference.conv(x, w, pads=[1] * 4, groups=4)
    found = np.from_dlpack(library["depthwise"](x, w, b))
    np.testing.assert_array_equal(found, np.maximum(conv + b[:, None, None], 0))
    np.testing.assert_array_equal(np.from_dlpack(library["residual"](x, w, y)), conv + y)
    average = reference.avg_pool(x, (3, 3), pads=[1] * 4)
    np.testing.assert_allclose(np.from_dlpack(library["average"](x)), average, 1e-6)


def test_blocks_of_columns_may_be_small() -> None:
    case = CASES["max"]
    (x,) = case.arrays(np.random.default_rng(4))
    for size in (0, 1, 7):
        rows = [{"recipe": "window", "column_block": size}]
        library = uir.build(module_of_cases([case]), tuned=rows)
        np.testing.assert_array_equal(np.from_dlpack(library["f0"](x)), case.expected(x))
