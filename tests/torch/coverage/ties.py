"""Whether a model chooses between equal elements, of which PyTorch takes any one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["chooses_between_equals"]

# Elements that rounding may order either way, relative to the greater one.
CLOSE = 1e-6


def chooses_between_equals(call: Callable[[], Any]) -> bool:
    """Return whether a call of eager execution takes the greatest of elements that are equal.

    Models with random weights do: their scores may all be the bias of the last layer, or 0.
    """
    with Choices() as choices:
        call()
    return choices.is_any_equal


class Choices(TorchDispatchMode):
    """Looks at the elements of each call of `topk`."""

    is_any_equal = False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is torch.ops.aten.topk.default:
            self.is_any_equal |= has_equals(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def has_equals(
    x: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> bool:
    """Return whether two of the `k + 1` first elements along an axis are close."""
    if not x.dim():
        return False
    first = x.sort(dim=dim, descending=largest).values.narrow(dim, 0, min(k + 1, x.shape[dim]))
    before, after = (first.narrow(dim, place, first.shape[dim] - 1) for place in (0, 1))
    return bool(torch.isclose(before, after, rtol=CLOSE, atol=0).any())
