"""`torch.compile(backend="uir")` of operators whose results have sizes that depend on elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch._dynamo.utils import counters
from torchvision.ops import nms

from uir.frontend.torch.dynamo import report


@pytest.fixture(autouse=True)
def warned(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Capture such operators, and return the warnings of the backend."""
    found: list[str] = []
    torch._dynamo.reset()
    counters.clear()
    monkeypatch.setattr(report, "WARNED", set())
    monkeypatch.setattr(report.LOGGER, "warning", found.append)
    names = ("capture_dynamic_output_shape_ops", "capture_scalar_outputs")
    with torch._dynamo.config.patch(dict.fromkeys(names, True)):
        yield found
    torch._dynamo.reset()


def selected(x: torch.Tensor, n: torch.Tensor) -> list[Any]:
    rows = x[x[:, 0] > 0] * 2
    count = n.item()
    torch._check(count >= 0)
    return [
        *(rows, rows.sum(0), x.masked_select(x > 0) + 1, x.nonzero(), x.unique() * 2),
        *(x.repeat_interleave(x[:, 1].long(), 0), torch.ones(count) / 2, x + count),
    ]


@pytest.mark.parametrize("dynamic", [None, True])
def test_sizes_that_depend_on_elements(warned: list[str], dynamic: bool | None) -> None:
    compiled = torch.compile(selected, backend="uir", fullgraph=True, dynamic=dynamic)
    some = (torch.arange(24) * 7 % 5 % 3).reshape(6, 4).float()
    # Dynamo compiles the counts 0 and 1 of `ones` on their own.
    calls = [(some, 4), (torch.zeros(6, 4), 2), (torch.ones(6, 4), 3), (some * 2, 7)]
    for x, count in calls:
        given = (x, torch.tensor(count))
        with torch.no_grad():
            torch.testing.assert_close(compiled(*given), selected(*given))
    assert warned == []
    assert counters["stats"]["unique_graphs"] == 1


def test_boxes(warned: list[str]) -> None:
    def chosen(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        return boxes[nms(boxes, scores, 0.4)] * 2

    compiled = torch.compile(chosen, backend="uir", fullgraph=True)
    for seed in range(3):
        torch.manual_seed(seed)
        boxes = torch.rand(30, 4)
        boxes[:, 2:] += boxes[:, :2]
        scores = torch.rand(30)
        torch.testing.assert_close(compiled(boxes, scores), chosen(boxes, scores))
    assert warned == []


def test_graphs_break_by_default() -> None:
    names = ("capture_dynamic_output_shape_ops", "capture_scalar_outputs")
    with torch._dynamo.config.patch(dict.fromkeys(names, False)):
        compiled = torch.compile(selected, backend="uir")
        given = (torch.arange(-4.0, 4).reshape(4, 2).abs(), torch.tensor(2))
        with torch.no_grad():
            torch.testing.assert_close(compiled(*given), selected(*given))
