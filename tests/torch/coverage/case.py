"""A model with random weights and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn

__all__ = ["Case", "Inputs", "called", "exported", "image_case", "varying"]

Inputs = dict[str, torch.Tensor]


class Case(NamedTuple):
    """A model, what makes inputs of the first or the second size, and the kind of the model.

    `export` makes a program of the model and of inputs, and `call` calls it.
    """

    model: nn.Module
    inputs: Callable[[int], Inputs]
    kind: str
    export: Callable[[nn.Module, Inputs], Any]
    call: Callable[[nn.Module, Inputs], Any]


def varying(axes: Callable[[torch.Tensor], list[int]], inputs: Inputs) -> dict[str, Any]:
    """Return the dimensions of inputs that may vary."""
    return {
        name: dict.fromkeys(axes(tensor), torch.export.Dim.AUTO) for name, tensor in inputs.items()
    }


def exported(model: nn.Module, inputs: Inputs) -> Any:
    """Return a model of images as a program of any batch."""
    shapes = tuple(varying(lambda _: [0], inputs).values())
    return torch.export.export(model, tuple(inputs.values()), dynamic_shapes=shapes)


def called(model: nn.Module, inputs: Inputs) -> Any:
    """Return the outputs of a model of images, whose names of inputs do not count."""
    return model(*inputs.values())


def image_case(model: nn.Module, shape: tuple[int, ...]) -> Case:
    """Return the case of a model that takes a batch of images of a shape."""

    def inputs(size: int) -> Inputs:
        return {"x": torch.randn(size + 2, *shape)}

    return Case(model.eval(), inputs, "vision", exported, called)
