"""Transposed convolutions, compiled: phase by phase where each tap is in one phase."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import uir
from uir import schedule
from uir.relay import reference


class Transposed(NamedTuple):
    """A transposed convolution of `(batch, channels, *spatial)`; `weights` is their shape."""

    shape: tuple[int, ...]
    weights: tuple[int, ...]
    attributes: dict[str, Any]
    dtype: str = "float32"
    symbolic: tuple[int, ...] = ()

    def text(self, name: str) -> str:
        """Return the script of a function that computes it."""
        dims = [f"d{i}" if i in self.symbolic else str(dim) for i, dim in enumerate(self.shape)]
        sizes = "".join(f'        d{i} = tir.SizeVar("d{i}", "int64")\n' for i in self.symbolic)
        attributes = ", ".join(f"{key}={value!r}" for key, value in self.attributes.items())
        return (
            f"    @relay.function\n    def {name}(x: relay.Tensor(({', '.join(dims)}), "
            f'"{self.dtype}"), w: relay.Tensor({self.weights}, "{self.dtype}")):\n{sizes}'
            f"        return relay.conv_transpose(x, w, {attributes})\n"
        )


def plain(kernel: tuple[int, ...], **attributes: Any) -> Transposed:
    return Transposed((1, 5, *(9, 7, 4)[: len(kernel)]), (5, 6, *kernel), attributes)


CASES = {
    "stride 1": plain((3, 3), pads=[1, 1, 1, 1]),
    "stride 2, kernel 2": plain((2, 2), strides=[2, 2]),
    "stride 2, kernel 3": plain((3, 3), strides=[2, 2], pads=[1, 1, 1, 1]),
    "stride 2, kernel 4": plain((4, 4), strides=[2, 2], pads=[1, 1, 1, 1]),
    "stride 3, kernel 5": plain((5, 5), strides=[3, 3], pads=[2, 1, 0, 1]),
    "stride 3, kernel 2": plain((2, 2), strides=[3, 3]),
    "kernel 1": plain((1, 1), strides=[2, 2]),
    "uneven": plain((4, 3), strides=[2, 1], pads=[0, 2, 3, 0]),
    "dilated": plain((3, 3), dilations=[2, 3]),
    "stride on one axis, dilation on the other": plain((3, 3), strides=[2, 1], dilations=[1, 2]),
    "stride and dilation": plain((3, 3), strides=[2, 2], dilations=[2, 3]),
    "output padding": plain((3, 3), strides=[2, 2], output_padding=[1, 1]),
    "output shape": plain((3, 3), strides=[2, 2], output_shape=[20, 13]),
    "same": plain((3, 3), strides=[2, 2], auto_pad="same_upper"),
    "1-D": plain((4,), strides=[2]),
    "3-D": plain((3, 3, 3), strides=[2, 2, 2]),
    "groups": Transposed((2, 6, 5, 8), (6, 4, 3, 3), {"strides": [2, 2], "groups": 2}),
    "depthwise": Transposed((1, 4, 6, 8), (4, 1, 4, 4), {"strides": [2, 2], "groups": 4}),
    "wide": Transposed((1, 8, 20, 70), (8, 16, 4, 4), {"strides": [2, 2]}),
    "symbolic batch": plain((4, 4), strides=[2, 2])._replace(symbolic=(0,)),
    "symbolic image": plain((3, 3), strides=[2, 2], pads=[1, 1, 1, 1])._replace(symbolic=(2, 3)),
    "float64": plain((3, 3), strides=[2, 2])._replace(dtype="float64"),
    "int32": plain((3, 3), strides=[2, 2])._replace(dtype="int32"),
}


def module_of_cases(cases: list[Transposed]) -> Any:
    functions = "\n".join(case.text(f"f{i}") for i, case in enumerate(cases))
    return uir.script.parse(f"\n@uir.script.ir_module\nclass Module:\n{functions}")


def test_compiled_functions_compute_what_numpy_does() -> None:
    library = uir.build(module_of_cases([*CASES.values()]))
    numbers = np.random.default_rng(0)
    for i, (name, case) in enumerate(CASES.items()):
        # Small integers: every sum is exact.
        x, w = (
            numbers.integers(-4, 5, shape).astype(case.dtype)
            for shape in (case.shape, case.weights)
        )
        found = np.from_dlpack(library[f"f{i}"](x, w))
        expected = reference.conv_transpose(x, w, **case.attributes)
        np.testing.assert_array_equal(found, expected, name)


def test_the_sums_of_phases_are_products_of_matrices() -> None:
    lowered = uir.lower(module_of_cases([CASES["wide"]]))
    lines = [str(line) for lines in schedule.trace_of(lowered).values() for line in lines]
    assert any("packed_pixels(" in line for line in lines)
