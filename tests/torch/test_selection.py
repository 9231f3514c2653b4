"""Operators whose results have as many elements as their operands say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.export import Dim
from torchvision.ops import batched_nms, nms

from uir.frontend.torch import as_torch_function, from_exported_program

from .eager import assert_like_eager, compare, exported, leaves

ROWS = Dim("rows", min=2, max=4096)
COLUMN = torch.tensor([1])

SELECTIONS: dict[str, Callable[[torch.Tensor], Any]] = {
    "nonzero": lambda x: x.nonzero(),
    "nonzero.tuple": lambda x: x.nonzero(as_tuple=True),
    "nonzero.number": lambda x: x[0, 0].nonzero(),
    "nonzero.size": lambda x: (x > 0).nonzero().shape[0],
    "nonzero_static": lambda x: torch.nonzero_static(x, size=7, fill_value=-2),
    "argwhere": lambda x: torch.argwhere(x[:, 0]) * 2,
    "masked_select": lambda x: x.masked_select(x > 0).exp(),
    "masked_select.broadcast": lambda x: x[0].masked_select(x > 0),
    "index": lambda x: x[x > 0] * 2,
    "index.rows": lambda x: x[x[:, 0] > 0].sum(0),
    "index.columns": lambda x: torch.relu(x[:, x[0] > 0] @ x[0][x[0] > 0]),
    "index.mixed": lambda x: x[x[:, 1] > 0, COLUMN],
    "index.apart": lambda x: x[:, None, :, None][x[:, 2] > 0, :, COLUMN],
    "index_put": lambda x: x.index_put((x > 0,), x[x > 0] * 2),
    "index_put.one": lambda x: x.index_put((x > 0,), torch.ones(1)),
    "index_put.mixed": lambda x: x.index_put((x[:, 0] > 0, COLUMN), x[x[:, 0] > 0, 2], True),
    "split": lambda x: x[x > 0].cumsum(0),
    "unique": lambda x: torch.unique(x, return_inverse=True, return_counts=True),
    "unique.bool": lambda x: torch.unique(x > 0, return_counts=True),
    "unique.rows": lambda x: torch.unique(x, return_inverse=True, return_counts=True, dim=0),
    "unique.columns": lambda x: torch.unique(x, dim=1),
    "consecutive": lambda x: torch.unique_consecutive(x, return_inverse=True, return_counts=True),
    "consecutive.rows": lambda x: torch.unique_consecutive(
        x, return_inverse=True, return_counts=True, dim=0
    ),
    "bincount": lambda x: torch.bincount(x.long().flatten()),
    "bincount.least": lambda x: torch.bincount(x.long()[0], x[0], minlength=3),
    "repeat": lambda x: torch.repeat_interleave(x[:, 0].int()),
    "repeat.rows": lambda x: x.repeat_interleave(x[:, 1].long(), 0),
}


def flags(*shape: int) -> list[tuple[torch.Tensor]]:
    """Return tensors with some elements that are not 0, without one, and with only such ones."""
    some = (torch.arange(torch.Size(shape).numel()) * 7 % 5 % 3).reshape(shape).float()
    return [(some,), (torch.zeros(shape),), (torch.ones(shape),)]


@pytest.mark.parametrize("name", SELECTIONS)
def test_selections(name: str) -> None:
    inputs = [*flags(4, 5), *flags(3, 5)]
    assert_like_eager(SELECTIONS[name], *inputs, dynamic=[{0: ROWS}])


COMPILED = ("nonzero.tuple", "index.rows", "index_put", "unique.rows", "bincount", "repeat.rows")


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_selections(name: str) -> None:
    inputs = [*flags(4, 5), *flags(7, 5)]
    assert_like_eager(SELECTIONS[name], *inputs, dynamic=[{0: ROWS}], compiled=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.int64, torch.bool])
def test_selections_of_types(dtype: torch.dtype) -> None:
    def selected(x: torch.Tensor) -> list[torch.Tensor]:
        return [x.nonzero(), x[x != 0].float(), torch.unique(x).float()]

    assert_like_eager(selected, *[(one.to(dtype),) for (one,) in flags(3, 4)])


def test_each_nan_is_unique() -> None:
    x = torch.tensor([float("nan"), 1, -0.0, float("nan"), 0, 1])
    assert_like_eager(lambda x: (torch.unique(x), torch.unique_consecutive(x), x.nonzero()), (x,))


def test_negative_numbers_of_repetitions_are_errors() -> None:
    args = (torch.tensor([2, 0, 1]),)
    function = as_torch_function(
        from_exported_program(exported(lambda n: torch.repeat_interleave(n), args))
    )
    assert function(torch.tensor([0, 3, 1])).tolist() == [1, 1, 1, 2]
    with pytest.raises(ValueError):
        function(torch.tensor([2, -1, 1]))


def first(x: torch.Tensor, count: torch.Tensor) -> Any:
    number = count.item()
    torch._check(number >= 0)
    torch._check(number <= x.shape[0])
    cut = x[:number]
    return cut * 2, torch.arange(number) + number, number, x.new_ones(number + 1, 2).sum() / number


def test_elements_as_sizes() -> None:
    x = torch.arange(12.0).reshape(6, 2)
    module = from_exported_program(exported(first, (x, torch.tensor(3))))
    function = as_torch_function(module)
    for count in (1, 2, 6):
        given = torch.tensor(count)
        found = leaves(function(x, given))
        compare([one.numpy() for one in found], leaves(first(x, given)))
    for wrong in (7, -1):
        with pytest.raises(ValueError):
            function(x, torch.tensor(wrong))


def test_checks_of_sizes() -> None:
    def most(x: torch.Tensor) -> torch.Tensor:
        found = x.nonzero()
        torch._check(found.shape[0] > 1)
        torch._check(found.shape[0] != 5)
        return found.sum()

    x = torch.tensor([1, 1, 0, 0, 1, 0, 0])
    function = as_torch_function(from_exported_program(exported(most, (x,))))
    assert function(x) == most(x) and function(torch.ones_like(x)) == 21
    for count in (0, 1, 5):
        with pytest.raises(ValueError, match="must hold"):
            function((torch.arange(7) < count).long())


def test_equal_sizes_are_checked() -> None:
    def both(x: torch.Tensor, n: torch.Tensor, m: torch.Tensor, y: torch.Tensor) -> Any:
        one, other = n.item(), m.item()
        torch._check(one >= 0)
        torch._check(one == other)
        found = x.nonzero()
        torch._check(found.shape[0] == y.shape[0])
        return torch.ones(one).sum(), torch.arange(other), found.sum()

    args = (torch.tensor([0, 1, 1]), torch.tensor(2), torch.tensor(2), torch.ones(2))
    function = as_torch_function(from_exported_program(exported(both, args)))
    for given in (args, (args[0], torch.tensor(5), torch.tensor(5), args[3])):
        found = leaves(function(*given))
        compare([one.numpy() for one in found], leaves(both(*given)))
    for place, wrong in ((2, torch.tensor(3)), (0, torch.ones(3, dtype=torch.int64))):
        changed = [wrong if at == place else one for at, one in enumerate(args)]
        with pytest.raises(ValueError):
            function(*changed)


def test_elements_as_numbers() -> None:
    def shifted(x: torch.Tensor, n: torch.Tensor, y: torch.Tensor, b: torch.Tensor) -> Any:
        return x + n.item(), x * y.item(), torch.where(x > n.item(), x, 0), n.item()

    args = (torch.arange(-3.0, 4), torch.tensor(-2), torch.tensor(0.25), torch.tensor([True]))
    others = (args[0], torch.tensor(2), torch.tensor(-1.5), args[3])
    assert_like_eager(shifted, args, others, compiled=True)


def overlapping(count: int, classes: int) -> list[torch.Tensor]:
    """Return boxes, their scores and their classes."""
    rng = torch.Generator().manual_seed(count)
    boxes = torch.rand((count, 4), generator=rng)
    boxes[:, 2:] = boxes[:, :2] + torch.rand((count, 2), generator=rng) / 2
    boxes[1::7, 2] = boxes[1::7, 0] - 0.1  # They end before they begin.
    scores = (torch.rand(count, generator=rng) * 8).round() / 8
    return [boxes, scores, torch.randint(classes, (count,), generator=rng)]


def test_boxes() -> None:
    def chosen(boxes: torch.Tensor, scores: torch.Tensor, classes: torch.Tensor) -> Any:
        found = nms(boxes, scores, 0.3)
        return boxes[found], nms(boxes, scores, 0.9), batched_nms(boxes, scores, classes, 0.4)

    boxes = Dim("boxes", min=2, max=1000)
    calls = [overlapping(count, 3) for count in (40, 2, 9)]
    # All in one place, of which one remains.
    calls.append(
        [torch.tensor([[0.0, 0, 1, 1]]).expand(5, 4), torch.arange(5.0), torch.arange(5) // 9]
    )
    assert_like_eager(chosen, *calls, dynamic=[{0: boxes}] * 3, compiled=True)
