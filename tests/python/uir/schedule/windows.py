"""Convolutions of any number of dimensions, made by te, and what NumPy computes for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from uir import te, tir

from .nests import Array

__all__ = ["Convolution"]


@dataclass(frozen=True)
class Convolution:
    """
    A convolution of `(batch, channels, *spatial)` with weights.

    Attributes
    ----------
    batch, channels, spatial
        The shape of the data.
    outputs
        The number of channels of the result.
    kernel
        The shape of the window.
    stride, dilation, groups
        As in ONNX, the same for all dimensions.
    pads
        The zeros before and after each dimension.
    symbolic
        The letters of dimensions that are variables: `n` for the batch, `s` for the first
        dimension of an image, `w` for the last one, `c` for the channels.
    """

    batch: int
    channels: int
    spatial: tuple[int, ...]
    outputs: int
    kernel: tuple[int, ...]
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    pads: tuple[int, int] = (0, 0)
    symbolic: str = ""
    dtype: str = "float32"

    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of the data, of the weights and of the result."""
        weights = (self.outputs, self.channels // self.groups, *self.kernel)
        places = [self.places(*pair) for pair in zip(self.spatial, self.kernel, strict=True)]
        return (
            (self.batch, self.channels, *self.spatial),
            weights,
            (self.batch, self.outputs, *places),
        )

    def places(self, extent: Any, kernel: int) -> Any:
        """Return how often a window fits."""
        return (extent + sum(self.pads) - (kernel - 1) * self.dilation - 1) // self.stride + 1

    def function(self, name: str = "main") -> tir.PrimFunc:
        """Return the function of the data, the weights and the result."""
        known: Mapping[str, int] = {
            "n": self.batch,
            "c": self.channels,
            "s": self.spatial[0],
            "w": self.spatial[-1],
        }
        dims: dict[str, Any] = {
            letter: tir.SizeVar(letter) if letter in self.symbolic else value
            for letter, value in known.items()
        }
        spatial = [dims["s"], *self.spatial[1:]]
        if "w" in self.symbolic:
            spatial[-1] = dims["w"]
        x = te.placeholder([dims["n"], dims["c"], *spatial], self.dtype, "x")
        per_group = dims["c"] if self.groups == 1 else self.channels // self.groups
        w = te.placeholder([self.outputs, per_group, *self.kernel], self.dtype, "w")
        before = self.pads[0]

        def padded_element(n: Any, c: Any, *at: Any) -> Any:
            from_x = [one - before for one in at]
            inside = [one >= 0 for one in from_x]
            inside += [one < extent for one, extent in zip(from_x, spatial, strict=True)]
            condition = inside[0]
            for one in inside[1:]:
                condition = tir.logical_and(condition, one)
            zero: Any = 0.0 if self.dtype[0] == "f" else 0
            return tir.if_then_else(condition, x[(n, c, *from_x)], tir.cast(zero, self.dtype))

        padded = x
        if any(self.pads):
            shape = [dims["n"], dims["c"], *(one + sum(self.pads) for one in spatial)]
            padded = te.compute(shape, padded_element, "padded")
        axes = [te.reduce_axis((0, extent), name=f"k{i}") for i, extent in enumerate(w.shape[1:])]
        of_group = self.outputs // self.groups

        def element(n: Any, o: Any, *at: Any) -> Any:
            channel = axes[0].var
            if self.groups != 1:
                channel = o // of_group * per_group + channel
            taps = [
                one * self.stride + axis.var * self.dilation
                for one, axis in zip(at, axes[1:], strict=True)
            ]
            return te.sum(
                padded[(n, channel, *taps)] * w[(o, *(axis.var for axis in axes))], axis=axes
            )

        places = [self.places(*pair) for pair in zip(spatial, self.kernel, strict=True)]
        result = te.compute([dims["n"], self.outputs, *places], element, name="out")
        return te.create_prim_func([x, w, result], name)

    def expected(self, x: Array, w: Array) -> Array:
        """Return what NumPy computes, in higher precision."""
        widths = [(0, 0), (0, 0), *[self.pads] * len(self.kernel)]
        wide = np.pad(x.astype("float64"), widths)
        result = np.zeros(self.shapes()[2], "float64")
        of_group, per_group = self.outputs // self.groups, self.channels // self.groups
        for group, taps in product(
            range(self.groups), product(*[range(one) for one in self.kernel])
        ):
            places = [
                slice(tap * self.dilation, tap * self.dilation + count * self.stride, self.stride)
                for tap, count in zip(taps, result.shape[2:], strict=True)
            ]
            data = wide[(slice(None), slice(group * per_group, (group + 1) * per_group), *places)]
            outputs = slice(group * of_group, (group + 1) * of_group)
            weights = w[(outputs, slice(None), *taps)].astype("float64")
            result[:, outputs] += np.einsum("nc...,oc->no...", data, weights)
        return result.astype(self.dtype)
