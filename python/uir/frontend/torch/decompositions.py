"""Operators that PyTorch does not take apart, as functions of those that it has.

Neither core ATen nor PyTorch's own table of decompositions has them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, TypeAlias

__all__ = ["decompositions"]

# A tensor of PyTorch.
Tensor: TypeAlias = Any

# Modes of interpolation and of padding, as `grid_sampler_3d` numbers them.
LINEAR, NEAREST = 0, 1
ZEROS, BORDER = 0, 1


def decompositions() -> dict[Any, Callable[..., Any]]:
    """Return the functions that take these operators apart, by their overloads."""
    aten = importlib.import_module("torch").ops.aten
    return {
        aten._is_all_true.default: lambda x: x.all(),
        aten._is_any_true.default: lambda x: x.any(),
        aten._trilinear.default: product_of_three,
        aten.dist.default: lambda x, y, p=2: (x - y).norm(p),
        aten.grid_sampler_3d.default: sample_volume,
        aten.ldexp.Tensor: lambda x, exponent: x * 2.0**exponent,
        aten.linspace.default: spaced,
        aten.max.dim: partial(extreme_truth, "max"),
        aten.min.dim: partial(extreme_truth, "min"),
        aten.mode.default: most_frequent,
        aten.nanmedian.default: lambda x: median_of_numbers(x.reshape(-1), 0)[0],
        aten.nanmedian.dim: median_of_numbers,
        aten.narrow_copy.default: lambda x, *place: x.narrow(*place).clone(),
        aten.put.default: put,
        aten.sign.default: lambda x: x.clone() if is_truth(x) else NotImplemented,
        aten.unbind_copy.int: lambda x, dim=0: [one.clone() for one in x.unbind(dim)],
    }


def product_of_three(
    a: Tensor,
    b: Tensor,
    c: Tensor,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> Tensor:
    """Return a sum of products of three tensors, which get axes of length 1; the names are ATen's.

    `unroll_dim` says how PyTorch computes it, and changes no result.
    """

    def with_axes(x: Tensor, axes: Sequence[int]) -> Tensor:
        for axis in sorted(axes):
            x = x.unsqueeze(axis)
        return x

    first, second, third = with_axes(a, expand1), with_axes(b, expand2), with_axes(c, expand3)
    whole = first * second * third
    return whole.sum(list(sumdim)) if sumdim else whole


def is_truth(x: Tensor) -> bool:
    """Return whether a tensor has truth values."""
    return bool(x.dtype == torch_type("bool"))


def extreme_truth(name: str, x: Tensor, dim: int, keepdim: bool = False) -> Any:
    """Return the extreme truth values along an axis, and the place of each, by `max` or `min`.

    Other types are left as they are.
    """
    if not is_truth(x):
        return NotImplemented
    values, places = getattr(x.to(torch_type("uint8")), name)(dim, keepdim)
    return values.to(x.dtype), places


def spaced(start: Any, end: Any, steps: Any, *, dtype: Any = None, **options: Any) -> Tensor:
    """Return evenly spaced numbers; integers are left as they are.

    PyTorch's decomposition rounds bounds and steps of integers unlike its kernel.
    """
    torch = importlib.import_module("torch")
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        return NotImplemented
    return torch._refs.linspace(start, end, steps, dtype=dtype, **options)


def most_frequent(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the least of the most frequent elements along an axis, and a place of each."""
    if not x.dim():
        return x.clone(), x.new_zeros((), dtype=torch_type("int64"))
    ordered, places = x.movedim(dim, -1).sort(dim=-1, stable=True)
    count = (ordered.unsqueeze(-1) == ordered.unsqueeze(-2)).sum(-1)
    # The last one of equal elements, as PyTorch has it.
    first = count.argmax(-1, keepdim=True)
    chosen = first + count.gather(-1, first) - 1
    results = [one.gather(-1, chosen).movedim(-1, dim) for one in (ordered, places)]
    values, found = results if keepdim else [one.squeeze(dim) for one in results]
    return values, found


def median_of_numbers(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the lower median of the elements along an axis that are numbers, and its place.

    It is NaN where there are none.
    """
    if not x.dim():
        return x.clone(), x.new_zeros((), dtype=torch_type("int64"))
    ordered, places = x.sort(dim=dim, stable=True)  # NaN comes last.
    count = (x == x).sum(dim, keepdim=True)
    chosen = ((count - 1) // 2).clamp(min=0)
    results = [one.gather(dim, chosen) for one in (ordered, places)]
    values, found = results if keepdim else [one.squeeze(dim) for one in results]
    return values, found


def put(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Write elements at places of the flattened tensor, or add them there."""
    flat = x.reshape(-1)
    written = flat.index_put([index.reshape(-1)], source.reshape(-1), accumulate)
    return written.reshape(x.shape)


def sample_volume(
    x: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """Return elements of volumes at places between -1 and 1; the parameters are ATen's.

    `x` has the shape (batch, channels, depth, height, width), and `grid` the shape
    (batch, *sizes of the result, 3) with the places along width, height and depth. Cubic
    interpolation is left as it is.
    """
    if interpolation_mode not in (LINEAR, NEAREST):
        return NotImplemented
    torch = importlib.import_module("torch")
    sizes = list(x.shape[2:])
    places = [
        place_in_volume(grid[..., 2 - axis], size, padding_mode, align_corners)
        for axis, size in enumerate(sizes)
    ]
    if interpolation_mode == NEAREST:
        corner = [place.round() for place in places]
        return corner_of_volume(x, corner, torch.ones_like(corner[0]))
    below = [place.floor() for place in places]
    total = torch.zeros([], dtype=x.dtype)
    for steps in product((0, 1), repeat=3):
        corner = [low + step for low, step in zip(below, steps, strict=True)]
        weight = torch.ones_like(places[0])
        for place, low, step in zip(places, below, steps, strict=True):
            weight = weight * (place - low if step else low + 1 - place)
        total = total + corner_of_volume(x, corner, weight)
    return total


def place_in_volume(place: Tensor, size: Any, padding_mode: int, align_corners: bool) -> Tensor:
    """Return places between -1 and 1 as those along an axis, in the volume if padding says so."""
    place = place * ((size - 1) / 2 if align_corners else size / 2) + (size - 1) / 2
    if padding_mode == ZEROS:
        return place
    if padding_mode != BORDER:
        low, span = (0.0, size - 1) if align_corners else (-0.5, size)
        place = reflected(place, low, span)
    return place.clamp(0, size - 1)


def reflected(place: Tensor, low: float, span: Any) -> Tensor:
    """Return places, reflected at `low` and `low + span` until they are between them."""
    if span == 0:
        return place * 0
    distance = (place - low).abs()
    rest = distance.fmod(span)
    is_even = (distance / span).floor().fmod(2) == 0
    torch = importlib.import_module("torch")
    return torch.where(is_even, rest + low, span + low - rest)


def corner_of_volume(x: Tensor, corner: Sequence[Tensor], weight: Tensor) -> Tensor:
    """Return elements by their weights; those outside of the volume are 0."""
    torch = importlib.import_module("torch")
    sizes = x.shape[2:]
    is_inside = torch.ones_like(weight, dtype=torch.bool)
    for place, size in zip(corner, sizes, strict=True):
        is_inside = is_inside & (place >= 0) & (place < size)
    depth, height, width = (torch.where(is_inside, one, 0).long() for one in corner)
    row = (depth * sizes[1] + height) * sizes[2] + width
    flat = row.reshape(row.shape[0], 1, -1).expand(-1, x.shape[1], -1)
    found = x.flatten(2).gather(2, flat).reshape(*x.shape[:2], *row.shape[1:])
    return found * torch.where(is_inside, weight, 0).unsqueeze(1)


def torch_type(name: str) -> Any:
    """Return a data type of PyTorch by its name."""
    return getattr(importlib.import_module("torch"), name)
