"""Windows that slide over single channels: pooling and depthwise convolutions of relay."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import uir
from uir import tir, transform
from uir.ir import IRModule
from uir.relay import reference
from uir.target import Target

from .nests import Array

__all__ = ["Sliding", "drawn", "module_of_cases", "unscheduled"]


@dataclass(frozen=True)
class Sliding:
    """
    A call of an operator on data of shape `(batch, channels, *spatial)`.

    Attributes
    ----------
    operator
        `max_pool`, `avg_pool`, or `conv`, of which each channel has a group of its own.
    shape
        The shape of the data.
    kernel
        The shape of the window.
    attributes
        The attributes of the operator, but for `kernel` and `groups`.
    outputs
        How many channels `conv` makes of each.
    symbolic
        The dimensions that are variables.
    """

    operator: str
    shape: tuple[int, ...]
    kernel: tuple[int, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    outputs: int = 1
    symbolic: tuple[int, ...] = ()

    def text(self, name: str) -> str:
        """Return the script of a function that calls the operator."""
        dims = [f"d{i}" if i in self.symbolic else str(dim) for i, dim in enumerate(self.shape)]
        params = [f'x: relay.Tensor(({", ".join(dims)}), "{self.dtype}")']
        call = ["x", *([] if self.operator == "conv" else [str(self.kernel)])]
        attributes = dict(self.attributes)
        if self.operator == "conv":
            attributes["groups"] = self.shape[1]
            params.append(f'w: relay.Tensor({self.weights()}, "{self.dtype}")')
            call.append("w")
        call += [f"{key}={value!r}" for key, value in attributes.items()]
        sizes = "".join(f'        d{i} = tir.SizeVar("d{i}", "int64")\n' for i in self.symbolic)
        return (
            f"    @relay.function\n    def {name}({', '.join(params)}):\n{sizes}"
            f"        return relay.{self.operator}({', '.join(call)})\n"
        )

    def weights(self) -> tuple[int, ...]:
        """Return the shape of the weights of a convolution."""
        return (self.shape[1] * self.outputs, 1, *self.kernel)

    def arrays(self, numbers: np.random.Generator) -> list[Array]:
        """Return small integers, whose sums are exact, for each parameter."""
        shapes = [self.shape, *([self.weights()] if self.operator == "conv" else [])]
        return [numbers.integers(-8, 9, shape).astype(self.dtype) for shape in shapes]

    def expected(self, *arrays: Array) -> Array:
        """Return what NumPy computes, of no image too."""
        if arrays[0].shape[0] == 0:
            one = np.zeros((1, *self.shape[1:]), self.dtype)
            return self.expected(one, *arrays[1:])[:0]
        if self.operator == "conv":
            return reference.conv(*arrays, **self.attributes, groups=self.shape[1])
        return getattr(reference, self.operator)(*arrays, self.kernel, **self.attributes)


def module_of_cases(cases: list[Sliding]) -> IRModule:
    """Return a module with the functions `f0`, `f1` and so on."""
    functions = "\n".join(case.text(f"f{i}") for i, case in enumerate(cases))
    return uir.script.parse(f"\n@uir.script.ir_module\nclass Module:\n{functions}")


def unscheduled(case: Sliding) -> tir.PrimFunc:
    """Return the function of the operator before any recipe."""
    passes = list(transform.default_pipeline(Target("c")))
    place = [one.pass_info.name for one in passes].index("ClassifyBlocks")
    module = transform.Sequential(passes[:place])(module_of_cases([case]))
    (name,) = [one for one in module.functions if not str(one.name_hint).startswith("f0")]
    func = module[name]
    assert isinstance(func, tir.PrimFunc)
    return func


def drawn(random: Random) -> Sliding:
    """Return a small window."""
    rank = random.randint(1, 3)
    operator = random.choice(["max_pool", "avg_pool", "conv"])
    kernel = tuple(random.randint(1, 3) for _ in range(rank))
    attributes: dict[str, Any] = {
        "strides": [random.randint(1, 3) for _ in range(rank)],
        "dilations": [random.randint(1, 2) for _ in range(rank)],
        "pads": [random.randint(0, 1) for _ in range(2 * rank)],
    }
    if operator != "conv":
        attributes["ceil_mode"] = random.random() < 0.3
    if operator == "avg_pool":
        attributes["count_include_pad"] = random.random() < 0.5
    spatial = tuple(random.randint(6, 12 if rank < 3 else 7) for _ in range(rank))
    return Sliding(operator, (1, random.randint(1, 2), *spatial), kernel, attributes)
