"""Compares programs of PyTorch, imported, with PyTorch itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from uir import IRModule, relay
from uir.frontend.torch import as_torch_function, from_exported_program

__all__ = ["Wrapped", "assert_like_eager", "compare", "exported"]


class Wrapped(torch.nn.Module):
    """A function as a module, which `torch.export` takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def exported(function: Callable[..., Any], args: Sequence[Any], dynamic: Any = None) -> Any:
    """Return a function as a program; `dynamic` has the dynamic dimensions of each argument."""
    shapes = None if dynamic is None else {"args": tuple(dynamic)}
    return torch.export.export(Wrapped(function).eval(), tuple(args), dynamic_shapes=shapes)


def assert_like_eager(
    function: Callable[..., Any],
    args: Sequence[Any],
    *others: Sequence[Any],
    dynamic: Any = None,
    compiled: bool = False,
) -> None:
    """Import a function and compare its results with PyTorch's.

    Parameters
    ----------
    function
        The function, of tensors and other arguments.
    args
        The arguments that it is exported with, and compared at.
    others
        More arguments to compare it at, of other sizes along dynamic dimensions.
    dynamic
        The dynamic dimensions of each argument.
    compiled
        Whether a library is compiled and run, and not only the module evaluated.
    """
    module = from_exported_program(exported(function, args, dynamic))
    library = as_torch_function(module) if compiled else None
    for given in (args, *others):
        tensors = [one for one in given if isinstance(one, torch.Tensor)]
        wanted = leaves(function(*given))
        compare(evaluated(module, tensors), wanted)
        if library is not None:
            found = leaves(library(*tensors))
            compare([one.numpy() for one in found], wanted)


def evaluated(module: IRModule, tensors: Sequence[torch.Tensor]) -> list[Any]:
    found = relay.evaluate(module, *(one.numpy() for one in tensors))
    return list(found) if isinstance(found, tuple) else [found]


def leaves(value: Any) -> list[torch.Tensor]:
    """Return the tensors and numbers of outputs, all as tensors."""
    found = torch.utils._pytree.tree_leaves(value)
    return [torch.as_tensor(one) for one in found if one is not None]


def compare(results: Sequence[Any], wanted: Sequence[torch.Tensor]) -> None:
    """Compare data types, shapes and elements."""
    assert len(results) == len(wanted)
    for result, tensor in zip(results, wanted, strict=True):
        dtype = str(tensor.dtype).removeprefix("torch.")
        assert (str(result.dtype), result.shape) == (dtype, tuple(tensor.shape))
        loose = {"rtol": 2e-3, "atol": 2e-3} if dtype == "float16" else {"rtol": 2e-5, "atol": 2e-6}
        np.testing.assert_allclose(result, tensor.numpy(), **loose)
