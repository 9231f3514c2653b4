"""Weights under `torch.compile`: packed once, and again after each kind of change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from uir.frontend.torch.dynamo import weights
from uir.frontend.torch.dynamo.digests import Digests
from uir.frontend.torch.dynamo.layout import Layout

CLOSE = {"rtol": 1e-4, "atol": 1e-5}


@pytest.fixture(scope="module", autouse=True)
def fresh() -> Iterator[None]:
    """Forget what other files have compiled."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def preparations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that has an item for each time that weights are prepared."""
    found: list[int] = []
    prepared = weights.PreparedWeights._prepared

    def counted(self: Any, given: Any) -> Any:
        found.append(len(given))
        return prepared(self, given)

    monkeypatch.setattr(weights.PreparedWeights, "_prepared", counted)
    return found


class Layers(nn.Module):
    """Layers whose weights are packed, folded, sliced and read as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.images = nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU())
        self.wide = nn.Linear(32, 70)
        self.narrow = nn.Linear(70, 10, dtype=torch.float64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = self.images(x).flatten(2).transpose(1, 2)
        return self.narrow(self.wide(rows).double()) + (rows @ self.wide.weight[:10].t()).double()


def step(module: Layers) -> None:
    for parameter in module.parameters():
        parameter.grad = torch.ones_like(parameter)
    torch.optim.SGD(module.parameters(), 0.1).step()


def load(module: Layers, assign: bool = False) -> None:
    state = {name: one * 2 for name, one in module.state_dict().items()}
    module.load_state_dict(state, assign=assign)


def replace_data(module: Layers) -> None:
    module.wide.weight.data = torch.randn(70, 32)


def write_by_numpy(module: Layers) -> None:
    module.wide.weight.detach().numpy()[69, 31] += 1


CHANGES: dict[str, Callable[[Layers], Any]] = {
    "operator": lambda module: module.wide.weight.mul_(2),
    "data.copy_": lambda module: module.wide.weight.data.copy_(torch.randn(70, 32)),
    "data": replace_data,
    "numpy": write_by_numpy,
    "convolution": lambda module: module.images[0].weight.data.neg_(),
    "buffer": lambda module: module.images[1].running_var.mul_(3),
    "float64": lambda module: module.narrow.weight.data.zero_(),
    "optimizer": step,
    "load_state_dict": load,
    "load_state_dict.assign": lambda module: load(module, assign=True),
}


@pytest.fixture(scope="module")
def layers() -> Layers:
    return Layers().eval()


@pytest.fixture(scope="module")
def compiled(layers: Layers) -> Any:
    return torch.compile(layers, backend="uir", fullgraph=True)


@pytest.mark.parametrize("change", CHANGES)
@torch.no_grad()
def test_changes_of_weights_are_those_of_eager_execution(
    layers: Layers, compiled: Any, change: str, preparations: list[int]
) -> None:
    x = torch.randn(2, 3, 6, 6)
    torch.testing.assert_close(compiled(x), before := layers(x), **CLOSE)
    preparations.clear()
    torch.testing.assert_close(compiled(x), before, **CLOSE)
    assert not preparations
    CHANGES[change](layers)
    assert not torch.allclose(before, layers(x))
    for _ in range(2):
        torch.testing.assert_close(compiled(x), layers(x), **CLOSE)
    # Buffers of the normalization are read as they are.
    assert len(preparations) == (change != "buffer")


@torch.no_grad()
def test_frozen_weights_are_compared_by_their_versions() -> None:
    module, x = nn.Linear(16, 32), torch.randn(8, 16)
    compiled = torch.compile(module, backend="uir", options={"freeze": True})
    before = compiled(x)
    module.weight.data.mul_(2)
    torch.testing.assert_close(compiled(x), before)
    module.weight.mul_(1)
    torch.testing.assert_close(compiled(x), module(x), **CLOSE)


@torch.no_grad()
def test_weights_are_read_in_place_on_request(preparations: list[int]) -> None:
    module, x = nn.Linear(16, 32), torch.randn(8, 16)
    compiled = torch.compile(module, backend="uir", options={"freeze": False})
    torch.testing.assert_close(compiled(x), module(x), **CLOSE)
    module.weight.data.mul_(2)
    torch.testing.assert_close(compiled(x), module(x), **CLOSE)
    assert not preparations


@torch.no_grad()
def test_modules_of_one_graph_keep_their_weights(preparations: list[int]) -> None:
    modules = [nn.Linear(16, 32).eval() for _ in range(3)]
    for module in modules:
        module.compile(backend="uir", fullgraph=True)
    x = torch.randn(8, 16)
    for _ in range(3):
        for module in modules:
            wanted = nn.functional.linear(x, module.weight, module.bias)
            torch.testing.assert_close(module(x), wanted, **CLOSE)
    assert len(preparations) == 3


@torch.no_grad()
def test_results_do_not_share_memory_with_prepared_weights() -> None:
    class Doubled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(16, 32)

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            doubled = self.layer.weight * 2
            return x @ doubled.t(), doubled, doubled[1:]

    module, x = Doubled(), torch.randn(8, 16)
    compiled = torch.compile(module, backend="uir", fullgraph=True)
    for one in compiled(x):
        one.zero_()
    torch.testing.assert_close(compiled(x), module(x), **CLOSE)


@torch.no_grad()
def test_few_rows_read_weights_in_place(preparations: list[int]) -> None:
    module, x = nn.Linear(64, 64), torch.randn(1, 64)
    compiled = torch.compile(module, backend="uir", fullgraph=True)
    torch.testing.assert_close(compiled(x), module(x), **CLOSE)
    assert not preparations


def test_random_numbers_are_made_in_each_call() -> None:
    class Noisy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(64))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + torch.bernoulli(self.weight * 0.5)

    compiled = torch.compile(Noisy(), backend="uir")
    with torch.no_grad():
        assert not torch.equal(compiled(torch.zeros(64)), compiled(torch.zeros(64)))


def test_inference_mode_from_the_start() -> None:
    with torch.inference_mode():
        module, x = nn.Linear(16, 32), torch.randn(8, 16)
        compiled = torch.compile(module, backend="uir", fullgraph=True)
        torch.testing.assert_close(compiled(x), module(x), **CLOSE)
        module.weight.mul_(2)
        torch.testing.assert_close(compiled(x), module(x), **CLOSE)


@pytest.mark.parametrize("columns", [1, 7, 8, 20])
def test_layouts_are_found_from_places(columns: int) -> None:
    width, rows = 8, 5
    panels = -(-columns // width)
    places = np.full((panels, rows, width), -1)
    for column in range(columns):
        for row in range(rows):
            places[column // width, row, column % width] = column * rows + row
    layout = Layout.of(places)
    tensor = torch.randn(columns, rows)
    packed = layout.packed(tensor)
    wanted = np.where(places < 0, 0, tensor.numpy().ravel()[places])
    assert np.array_equal(packed.numpy(), wanted)


def test_places_without_strides_are_refused() -> None:
    with pytest.raises(ValueError, match="not in panels"):
        Layout.of(np.array([[[0, 1], [3, 2]]]))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 255, 256, 1027])
def test_digests_tell_all_bytes_apart(count: int) -> None:
    tensor = torch.zeros(count, dtype=torch.uint8)
    digests = Digests([tensor])
    known = {int(digests())}
    for place in range(count):
        tensor[place] = 1
        known.add(int(digests()))
        tensor[place] = 0
    assert len(known) == count + 1
    assert int(digests()) in known


def test_digests_tell_orders_apart() -> None:
    tensor = torch.randn(4, 300)
    digests = Digests([tensor, tensor[:, 1:3]])
    before = digests()
    tensor.copy_(tensor.flip(0).clone())
    assert (digests() != before).all()
