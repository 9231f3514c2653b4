"""Elements that are read and written at indices, as PyTorch does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from uir.frontend.torch import as_torch_function, from_exported_program

from .eager import assert_like_eager, exported

X = torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
ROWS = torch.tensor([[1], [0], [-1]])
COLUMNS = torch.tensor([2, -3, 0, 1])
MASK = torch.tensor([[True, False, True], [False, False, True]])
DTYPES = (torch.float32, torch.float16, torch.int8, torch.bool)

READS: dict[str, Callable[..., Any]] = {
    "two": lambda x, i, j: x[i, j],
    "two.mixed.types": lambda x, i, j: x[i.to(torch.int32), j],
    "beside.slice": lambda x, i, j: x[:, i, j],
    "last": lambda x, i, j: x[..., i, j],
    "apart": lambda x, i, j: x[i, :, j],
    "apart.last": lambda x, i, j: x[:, i, :, j],
    "behind.none": lambda x, i, j: x[None, i, j],
    "none.between": lambda x, i, j: x[i, None, j],
    "three": lambda x, i, j: x[i, j[:1], j],
    "all": lambda x, i, j: x[i, j, j, j],
    "numbers": lambda x, i, j: x[torch.tensor(1), torch.tensor(-1)],
    "number.and.index": lambda x, i, j: x[0, i, :, j],
    "empty": lambda x, i, j: x[i[:0], j[:0].reshape(0, 1)],
    "one": lambda x, i, j: x[:, :, i],
    "list": lambda x, i, j: x[[0, 1], :, [1, 3]],
    "mask.constant": lambda x, i, j: x[MASK],
    "mask.constant.sizes": lambda x, i, j: x[MASK].reshape(-1, 4) * x[MASK].shape[0],
    "ellipsis.mask": lambda x, i, j: x.permute(2, 3, 0, 1)[..., MASK],
    "gather.number": lambda x, i, j: x[0, 0, 0, 0].gather(0, torch.tensor(0)),
    "gather.empty": lambda x, i, j: x.gather(1, torch.zeros(0, 1, 1, 1, dtype=torch.int64)),
    "index_select.number": lambda x, i, j: x.index_select(1, torch.tensor(2)),
}


@pytest.mark.parametrize("name", READS)
def test_index(name: str) -> None:
    assert_like_eager(READS[name], (X, ROWS.clamp(-2), COLUMNS.clamp(-2, 1)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_index_of_types(dtype: torch.dtype) -> None:
    assert_like_eager(READS["apart.last"], (X.to(dtype), ROWS, COLUMNS))


def test_index_of_symbolic_sizes() -> None:
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length")

    def mask(tokens: torch.Tensor) -> torch.Tensor:
        rows = torch.arange(tokens.shape[0])[:, None, None, None]
        columns = torch.arange(tokens.shape[1])
        allowed = columns[None, None, :, None] >= columns[None, None, None, :]
        return allowed & tokens.bool()[rows, columns]

    sizes = ((2, 5), (3, 7), (1, 2))
    tokens = [(torch.arange(n * m).reshape(n, m) % 3,) for n, m in sizes]
    assert_like_eager(mask, *tokens, dynamic=[{0: batch, 1: length}], compiled=True)


def put(*indices: Any, accumulate: bool = False) -> Callable[..., Any]:
    return lambda x, v: torch.ops.aten.index_put(x, list(indices), v, accumulate)


PUTS: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "one": (put(torch.tensor([1, 0])), (2, 3, 4, 5)),
    "one.number": (put(None, torch.tensor([2, -3])), ()),
    "two": (put(ROWS.clamp(-2), torch.tensor([2, -3])), (5,)),
    "apart": (put(ROWS.clamp(-2), None, torch.tensor([2, -3])), (3, 1, 3, 1)),
    "behind": (put(None, None, torch.tensor([0, 3]), torch.tensor([2, -3])), (2, 1, 2)),
    "add": (put(torch.tensor([1, 1, -1]), torch.tensor([2, -1, 2]), accumulate=True), (3, 4, 5)),
    "mask.constant": (put(MASK), (3, 4, 5)),
    "mask": (lambda x, v: torch.ops.aten.index_put(x, [x > 3], v), ()),
    "mask.first": (lambda x, v: torch.ops.aten.index_put(x, [x.sum((2, 3)) > 100], v), (4, 5)),
    "mask.add": (lambda x, v: torch.ops.aten.index_put(x, [None, x[0] > 3], v, True), ()),
    "assigned": (lambda x, v: assigned(x, v), (3, 5)),
    "index_add": (lambda x, v: x.index_add(1, torch.tensor([2, 0, 2]), v, alpha=2), (2, 3, 4, 5)),
    "index_copy": (lambda x, v: x.index_copy(2, torch.tensor([3, 1]), v), (2, 3, 2, 5)),
    "index_fill": (lambda x, v: x.index_fill(3, torch.tensor([4, 1]), 9), ()),
    "slice": (lambda x, v: torch.slice_scatter(x, v, 1, 1, 2), (2, 1, 4, 5)),
    "slice.step": (lambda x, v: torch.slice_scatter(x, v, 3, -4, 100, 2), (2, 3, 4, 2)),
    "slice.negative": (lambda x, v: torch.slice_scatter(x, v, -1, -3, -1), (2, 3, 4, 2)),
    "slice.empty": (lambda x, v: torch.slice_scatter(x, v, 1, 2, 1), (2, 0, 4, 5)),
    "slice.whole": (lambda x, v: torch.slice_scatter(x, v), (2, 3, 4, 5)),
    "select": (lambda x, v: torch.select_scatter(x, v, 1, -1), (2, 4, 5)),
    "select.first": (lambda x, v: torch.select_scatter(x, v, 0, 0), (3, 4, 5)),
    "copy": (lambda x, v: torch.ops.aten.copy(x, v.to(torch.float64)), (4, 1)),
    "masked_scatter": (lambda x, v: x.masked_scatter(x % 3 == 1, v), (6, 20)),
    "masked_scatter.broadcast": (lambda x, v: x.masked_scatter(MASK[..., None, None], v), (60,)),
}


def assigned(x: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[:, :, 1:3] = 7
    y[0, :, -1, :] = value
    y[torch.tensor([1]), torch.tensor([0])] += 1
    return y


PUT_TYPES = [
    *[(name, torch.float32) for name in PUTS],
    *[(name, dtype) for name in ("add", "mask") for dtype in (torch.float16, torch.int64)],
]


@pytest.mark.parametrize(("name", "dtype"), PUT_TYPES)
def test_index_put(name: str, dtype: torch.dtype) -> None:
    function, shape = PUTS[name]
    values = (torch.arange(torch.Size(shape).numel()).reshape(shape) - 500).to(dtype)
    assert_like_eager(function, (X.to(dtype), values))


def test_writes_of_symbolic_sizes() -> None:
    length = torch.export.Dim("length", min=5)

    def cache(x: torch.Tensor, v: torch.Tensor) -> Any:
        y = x.clone()
        y[:, 1:4] = v
        y[:, -1] = 3
        y[:, ::2] += 1
        y[torch.arange(2), torch.arange(x.shape[1])[-2:]] = 0
        return y, torch.slice_scatter(x, v, 1, x.shape[1] - 3, x.shape[1]), x[:, -x.shape[1] :]

    args = [(torch.randn(2, n, 4), torch.randn(2, 3, 4)) for n in (6, 5, 9)]
    assert_like_eager(cache, *args, dynamic=[{1: length}, None], compiled=True)


INDEX = torch.tensor([[0, 1, 2, 0], [1, 1, 0, 2]])[:, None]
SCATTERS: dict[str, Callable[..., Any]] = {
    "src": lambda x, v: x.scatter(1, INDEX, v),
    "value": lambda x, v: x.scatter(1, INDEX, 3),
    "add": lambda x, v: x.scatter_add(-2, INDEX, v),
    "add.legacy": lambda x, v: torch.scatter(x, 1, INDEX, v, reduce="add"),
    "multiply.value": lambda x, v: torch.scatter(x, 1, INDEX, 2, reduce="multiply"),
    "number": lambda x, v: x[0, 0, 0].scatter(0, torch.tensor(0), v[0, 0, 0]),
    "empty": lambda x, v: x.scatter(1, torch.zeros(0, 1, 1, dtype=torch.int64), v),
    **{
        f"{reduce}.{own}": (
            lambda x, v, reduce=reduce, own=own: x.scatter_reduce(
                1, INDEX, v, reduce, include_self=own
            )
        )
        for reduce in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
    },
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name: str, dtype: torch.dtype) -> None:
    x, v = (torch.arange(24).reshape(2, 3, 4) - 11), (31 - torch.arange(24) * 3).reshape(2, 3, 4)
    assert_like_eager(SCATTERS[name], (x.to(dtype), v.to(dtype)))


def test_scatters_of_truth_values() -> None:
    x = torch.tensor([True, False, True, False])
    index, v = torch.tensor([1, 1, 2]), torch.tensor([True, False, False])
    for reduce in ("sum", "prod", "amax", "amin"):
        assert_like_eager(lambda x, v, r=reduce: x.scatter_reduce(0, index, v, r), (x, v))


def test_scatters_of_symbolic_sizes() -> None:
    rows = torch.export.Dim("rows")

    def function(x: torch.Tensor, i: torch.Tensor) -> Any:
        return x.scatter(1, i, 2.5), x.scatter_add(1, i, x), x.scatter_reduce(1, i, x, "mean")

    args = [(torch.randn(n, 4), torch.arange(2 * n).reshape(n, 2) % 4) for n in (3, 2, 6)]
    assert_like_eager(function, *args, dynamic=[{0: rows}, {0: rows}], compiled=True)


AT: dict[str, Callable[..., Any]] = {
    "embedding": lambda x, i: torch.nn.functional.embedding(i, x),
    "index_select": lambda x, i: x.index_select(0, i),
    "gather": lambda x, i: x.gather(0, i[:, None].expand(2, 3)),
    "index": lambda x, i: x[i],
    "index.columns": lambda x, i: x[:, i],
    "index.two": lambda x, i: x[i, i],
    "scatter": lambda x, i: x.scatter(0, i[:, None].expand(2, 3), torch.ones(2, 3)),
    "scatter.value": lambda x, i: x.scatter(0, i[:, None], 5.0),
    "scatter_add": lambda x, i: x.scatter_add(0, i[:, None], torch.ones(2, 1)),
    "scatter_reduce": lambda x, i: x.scatter_reduce(0, i[:, None], torch.ones(2, 1), "amax"),
    "index_add": lambda x, i: x.index_add(0, i, torch.ones(2, 3), alpha=2),
    "index_copy": lambda x, i: x.index_copy(-2, i, torch.ones(2, 3)),
    "index_put": lambda x, i: x.index_put((i,), torch.ones(2, 3)),
    "index_fill": lambda x, i: x.index_fill(0, i, 9.0),
    "nll": lambda x, i: torch.nn.functional.nll_loss(x[:2], i),
    "cross_entropy": lambda x, i: torch.nn.functional.cross_entropy(x[:2], i),
    "one_hot": lambda x, i: torch.nn.functional.one_hot(i, 3),
    "one_hot.rows": lambda x, i: torch.nn.functional.one_hot(i[:, None].expand(2, 2), 3),
    "take": lambda x, i: x[:1].take(i),
    "index_reduce": lambda x, i: x.index_reduce(0, i, torch.ones(2, 3), "amax"),
    "select": lambda x, i: x.diagonal().gather(0, i),
    "take_along_dim": lambda x, i: x.take_along_dim(i[:, None], 0),
}


@pytest.mark.parametrize("name", AT)
def test_indices_count_from_the_end_where_they_do_in_pytorch(name: str) -> None:
    function, x = AT[name], torch.arange(9.0).reshape(3, 3)
    compiled = as_torch_function(from_exported_program(exported(function, (x, torch.arange(2)))))
    for last in (0, 2, -1, -3, 3, -4, 2**40, 2**63 - 1, -(2**63)):
        indices = torch.tensor([1, last])
        try:
            wanted = function(x, indices)
        except (IndexError, RuntimeError):
            with pytest.raises(IndexError, match="an index is out of range"):
                compiled(x, indices)
            continue
        assert torch.equal(compiled(x, indices), wanted)


def test_one_hot_of_symbolic_sizes() -> None:
    rows = torch.export.Dim("rows")
    assert_like_eager(
        lambda i: torch.nn.functional.one_hot(i, 4) * 2,
        *[(torch.arange(n) % 4,) for n in (3, 1, 6)],
        dynamic=[{0: rows}],
        compiled=True,
    )
