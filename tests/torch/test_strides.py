"""Views by strides, diagonals and windows, as PyTorch has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import assert_like_eager, exported

X = torch.arange(2.0 * 3 * 4 * 5).reshape(2, 3, 4, 5)


def again(x: torch.Tensor) -> torch.Tensor:
    """Return a view of the memory of a tensor with its own sizes and strides."""
    return x.as_strided(x.shape, x.stride(), x.storage_offset())


VIEWS: dict[str, Callable[[torch.Tensor], Any]] = {
    "itself": again,
    "permuted": lambda x: again(x.permute(2, 0, 3, 1)),
    "permuted.from.whole": lambda x: x.as_strided((4, 2, 5, 3), (5, 60, 1, 20)),
    "sliced": lambda x: again(x[:, 1:, ::2, 1:4]),
    "sliced.from.whole": lambda x: x.as_strided((2, 2, 2, 3), (60, 20, 10, 1), 21),
    "selected": lambda x: x.as_strided((2, 3), (60, 20), 7),
    "permuted.slice.back": lambda x: x.permute(3, 1, 0, 2)[1:].as_strided((3, 2), (20, 60), 1),
    "part.of.permuted": lambda x: x.permute(3, 0, 1, 2).as_strided((2, 5), (10, 1), 5),
    "expanded": lambda x: x.as_strided((2, 7, 3, 1, 5), (60, 0, 20, 9, 1)),
    "joined": lambda x: x.as_strided((6, 20), (20, 1)),
    "joined.permuted": lambda x: x.permute(3, 1, 0, 2).as_strided((6, 20), (20, 1)),
    "parted": lambda x: x.as_strided((2, 3, 2, 2, 5), (60, 20, 10, 5, 1)),
    "windows": lambda x: x.as_strided((2, 3, 4, 3, 3), (60, 20, 5, 1, 1)),
    "diagonal": lambda x: x[0, 0].as_strided((4,), (6,)),
    "empty": lambda x: x.as_strided((0, 3), (1, 1)),
    "number": lambda x: x.as_strided((), (), 13),
    "number.expanded": lambda x: x.sum().as_strided((2, 1), (0, 1)),
    "diagonal.first": torch.diagonal,
    "diagonal.above": lambda x: x.diagonal(2, -1, 1),
    "diagonal.below": lambda x: x.diagonal(-1, 2, 3),
    "diagonal.outside": lambda x: x.diagonal(9, 2, 3),
    "diagonal.embedded": lambda x: torch.diag_embed(x[0, 0], 1),
    "diagonal.scattered": lambda x: x[0, 0].diagonal_scatter(x[0, 1, 0, :4], 1),
    "trace": lambda x: x[0, 0].trace(),
    "unfold": lambda x: x.unfold(2, 2, 1),
    "unfold.last": lambda x: x.unfold(-1, 2, 2),
    "unfold.whole": lambda x: x.unfold(0, 2, 3),
    "unfold.twice": lambda x: x.unfold(2, 3, 1).unfold(3, 3, 2),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(name: str) -> None:
    assert_like_eager(VIEWS[name], (X,))


def test_views_of_other_types() -> None:
    for dtype in (torch.float16, torch.int64, torch.bool):
        assert_like_eager(VIEWS["sliced.from.whole"], (X.to(dtype),))


def test_views_of_symbolic_sizes() -> None:
    n, m = torch.export.Dim("n", min=3), torch.export.Dim("m", min=4)

    def views(x: torch.Tensor) -> Any:
        rows, columns = x.shape[1:]
        windows = x.as_strided((2, rows, columns - 2, 3), (rows * columns, columns, 1, 1))
        parts = x[:, 1:].as_strided((2, columns), (rows * columns, 1), columns)
        return again(x), again(x.permute(2, 0, 1)), again(x[:, 1:, ::2]), windows, parts

    def joined(x: torch.Tensor) -> Any:
        return x.as_strided((2 * x.shape[1], x.shape[2]), (x.shape[2], 1))

    args = [(torch.randn(2, *sizes),) for sizes in ((4, 5), (3, 7), (6, 4))]
    assert_like_eager(views, *args, dynamic=[{1: n, 2: m}], compiled=True)
    assert_like_eager(joined, *args, dynamic=[{1: n, 2: m}], compiled=True)


def test_diagonals_and_windows_of_symbolic_sizes() -> None:
    n, m = torch.export.Dim("n", min=4), torch.export.Dim("m", min=5)

    def views(x: torch.Tensor) -> Any:
        return x.diagonal(), x.diagonal(-1, 1, 0), x.unfold(1, 3, 1), x.unfold(0, 2, 2)

    sizes = ((4, 6), (5, 5), (7, 9))
    assert_like_eager(
        views, *[(torch.randn(s),) for s in sizes], dynamic=[{0: n, 1: m}], compiled=True
    )


REFUSED: dict[str, tuple[Callable[[torch.Tensor], Any], str]] = {
    "before": (lambda x: x[1:].as_strided((2,), (1,), 0), "strides that are not"),
    "beyond": (lambda x: x[0].as_strided((4, 20), (20, 1), 0), "elements beyond"),
    "gaps": (lambda x: x[:, :2].as_strided((80,), (1,)), "strides that are not"),
    "overlapping": (lambda x: x.unfold(3, 3, 1).as_strided((9,), (1,)), "strides that are not"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_strides_are_refused(name: str) -> None:
    function, reason = REFUSED[name]
    with pytest.raises(UnsupportedModelError, match=f"as_strided.*{reason}"):
        from_exported_program(exported(function, (X,)))
