"""Compiled functions as graphs of PyTorch call them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import tvm_ffi

from .graph import Argument, Result

__all__ = ["CompiledPart"]


class CompiledPart:
    """A compiled function instead of a part of a graph.

    Tensors share their memory with it, and its results own theirs.

    Parameters
    ----------
    arguments
        The arguments of the function.
    results
        Its results.
    function
        The function.
    """

    def __init__(
        self,
        arguments: Sequence[Argument],
        results: Sequence[Result],
        function: Callable[..., Any],
    ) -> None:
        torch = importlib.import_module("torch")
        carry = {
            "tensor": plain,
            "size": lambda size: torch.empty((size, 0), dtype=torch.bool),
            "real": lambda number: torch.tensor(number, dtype=torch.float64),
        }
        self._from_dlpack = torch.from_dlpack
        self._arguments: list[tuple[int, Callable[[Any], Any]]] = [
            (one.place, carry[one.kind]) for one in arguments
        ]
        self._results = results
        self._function = function

    def __call__(self, *args: Any) -> Any:
        """Return the result, or a tuple of all results.

        Parameters
        ----------
        *args
            The inputs of the part: tensors and numbers.
        """
        found = self._function(*[carry(args[place]) for place, carry in self._arguments])
        if len(self._results) == 1:
            return self._result(found, self._results[0])
        return tuple(map(self._result, found, self._results))

    def _result(self, found: Any, axes: Result) -> Any:
        tensor = self._from_dlpack(found) if isinstance(found, tvm_ffi.Tensor) else found
        if axes is None:
            return tensor.item()
        return tensor.permute(axes) if axes else tensor


def plain(tensor: Any) -> Any:
    """Return a tensor whose signs are in its memory."""
    return tensor.resolve_neg() if tensor.is_neg() else tensor
