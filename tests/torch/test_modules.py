"""Modules of PyTorch become libraries that give what PyTorch gives."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

import uir
from uir.frontend.torch import as_torch_function, from_exported_program


class Network(nn.Module):
    """Convolutions with batch norms and a shortcut, then a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.second = nn.Sequential(nn.Conv2d(16, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16))
        self.last = nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = nn.functional.max_pool2d(self.first(x), 2)
        y = torch.relu(self.second(y) + y)
        return self.last(y.mean((2, 3))).softmax(-1)


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4))


def encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu")


MODULES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "mlp": (mlp, (3, 8)),
    "cnn": (Network, (3, 3, 12, 12)),
    "encoder": (encoder, (3, 7, 16)),
    "gru.cell": (lambda: nn.GRUCell(8, 8), (3, 8)),
}


@pytest.mark.parametrize("name", MODULES)
def test_one_library_runs_every_batch(name: str) -> None:
    torch.manual_seed(0)
    make, shape = MODULES[name]
    module = make().eval()
    batch = torch.export.Dim("batch", max=1024)
    program = torch.export.export(module, (torch.randn(shape),), dynamic_shapes=[{0: batch}])
    function = as_torch_function(from_exported_program(program))
    for rows in (1, 3, 64):
        x = torch.randn((rows, *shape[1:]))
        torch.testing.assert_close(function(x), module(x).detach(), rtol=1e-4, atol=1e-5)


def test_tensors_share_their_memory() -> None:
    program = torch.export.export(nn.ReLU(), (torch.randn(4),))
    library = uir.build(from_exported_program(program))
    function = as_torch_function(library)
    x = torch.tensor([-1.0, 0.0, 1.0, 2.0], requires_grad=True)
    y = function(x)
    assert y.tolist() == [0, 0, 1, 2]
    assert not y.requires_grad
    into = as_torch_function(library, "main_into")
    z = torch.empty(4)
    into(x, z)
    assert z.tolist() == [0, 0, 1, 2]


def test_names_of_the_program_stay() -> None:
    program = torch.export.export(mlp(), (torch.randn(2, 8),))
    func = from_exported_program(program)["main"]
    assert list(func.attrs["input_names"]) == ["input"]
    # Its layers are called by PyTorch, so that they have names and no lines.
    spans = {binding.span.source_name.name for binding in func.body.bindings}
    assert {"linear", "gelu", "native_layer_norm"} <= spans


class Scaled(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, -1)


def test_operators_come_from_lines_of_the_program() -> None:
    program = torch.export.export(Scaled(), (torch.randn(2, 8),))
    (binding,) = from_exported_program(program)["main"].body.bindings
    first = Scaled.forward.__code__.co_firstlineno
    assert (binding.span.source_name.name, binding.span.line) == (__file__, first + 1)
