"""Inputs, state and outputs of programs, and what is no program."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import nn

from uir import build
from uir.frontend.torch import UnsupportedModelError, as_torch_function, from_exported_program
from uir.relay import Constant

from .eager import exported

X = torch.arange(6.0).reshape(3, 2)


class Counter(nn.Module):
    """Adds what it has seen so far, in a buffer that is saved and in one that is not."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64), persistent=False)
        self.scale = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total.add_(x)
        self.calls += 1
        return self.total * self.scale


class Many(nn.Module):
    """Outputs of all kinds, in a structure."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.arange(3.0))

    def forward(self, x: torch.Tensor, other: Any = None, *, scale: torch.Tensor) -> Any:
        y = x * scale if other is None else x + other
        pairs = {"y": y, "none": None, "same": y}
        return pairs, [x, self.weight], 3, x.shape[0], True, 0.5, torch.tensor([1, 2])


class Tied(nn.Module):
    """An embedding whose table is also the weight of the last layer."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(5, 4)
        self.first, self.last = nn.Linear(4, 5), nn.Linear(4, 5)
        self.first.weight = self.last.weight = self.table.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.table(x)
        return self.first(y) + self.last(y)


def test_buffers_that_change_are_inputs_and_outputs() -> None:
    x, module = torch.tensor([1.0, -2.0, 3.0]), Counter()
    program = torch.export.export(module, (x,))
    imported = from_exported_program(program)
    main = imported["main"]
    assert list(main.attrs["input_names"]) == ["x", "total", "calls"]
    assert list(main.attrs["output_names"])[1:] == ["total", "calls"]
    function, state = as_torch_function(imported), [torch.zeros(3), torch.tensor(0)]
    for step in range(3):
        y, *state = function(x * step, *state)
        assert torch.equal(y, module(x * step))
        assert torch.equal(state[0], module.total)
        assert state[1] == step + 1


def test_an_input_that_changes_is_an_output() -> None:
    class Changed(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            y.mul_(2)
            return x + y

    x, y = torch.ones(2), torch.tensor([1.0, 2.0])
    imported = from_exported_program(torch.export.export(Changed(), (x, y)))
    assert list(imported["main"].attrs["output_names"])[1:] == ["y"]
    total, changed = as_torch_function(imported)(x, y)
    assert (total.tolist(), changed.tolist(), y.tolist()) == ([3, 5], [2, 4], [1, 2])


def test_outputs_have_the_structure_of_the_program() -> None:
    x, scale = torch.tensor([[1.0, 2.0, 3.0]] * 2), torch.tensor(4.0)
    rows = torch.export.Dim("rows")
    program = torch.export.export(
        Many(),
        (x, None),
        {"scale": scale},
        dynamic_shapes={"x": {0: rows}, "other": None, "scale": None},
    )
    imported = from_exported_program(program)
    assert list(imported["main"].attrs["input_names"]) == ["x", "scale"]
    x = torch.cat([x, x, x])
    function = as_torch_function(imported)
    pairs, tensors, *numbers, last = function(x, scale)
    assert list(pairs) == ["y", "none", "same"] and pairs["none"] is None
    (y, _, same), (given, weight) = pairs.values(), tensors
    assert torch.equal(y, 4 * x) and torch.equal(same, y) and torch.equal(given, x)
    assert weight.tolist() == [0, 1, 2] and last.tolist() == [1, 2]
    assert numbers == [3, 6, True, 0.5]
    assert [type(one) for one in numbers] == [int, int, bool, float]
    # No result shares the memory of an argument, a constant or another result.
    given += 1
    same += 1
    assert torch.equal(y, 4 * x)
    assert torch.equal(function(x, scale)[1][0], x)


class Named(NamedTuple):
    """A structure that has no name to be found by in another process."""

    y: torch.Tensor
    rest: Any


@dataclass
class Result:
    """A structure that is registered."""

    y: torch.Tensor
    note: Any = None


torch.export.register_dataclass(Result, serialized_type_name="tests.torch.Result")

STRUCTURES: dict[str, Callable[[torch.Tensor], Any]] = {
    "tensor": lambda x: x + 1,
    "one in a tuple": lambda x: (x + 1,),
    "input": lambda x: x,
    "input in a list": lambda x: [x],
    "same twice": lambda x: (x + 1,) * 2,
    "with none": lambda x: (x + 1, None),
    "with a number": lambda x: (x + 1, 3),
    "numbers alone": lambda x: {"float": 0.1, "text": "a", "none": None, "size": x.shape[0]},
    "ratio": lambda x: (x.shape[0] / 4, x),
    "empty": lambda x: ([], x + 1, {}),
    "nested": lambda x: {"a": [(x, {"b": (x * 2, None)})], 3: ()},
    "ordered": lambda x: OrderedDict(b=x, a=x + 1),
    "named": lambda x: Named(x + 1, Named(x, None)),
    "dataclass": lambda x: [Result(x + 1), Result(x, "note")],
    "results of PyTorch": lambda x: torch.max(x, 0),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_of_outputs(name: str) -> None:
    function, rows = STRUCTURES[name], torch.export.Dim("rows")
    program = exported(function, (torch.ones(3, 2),), [{0: rows}])
    compiled = as_torch_function(from_exported_program(program))
    x = torch.randn(5, 2)
    found, wanted = (torch.utils._pytree.tree_flatten(one(x)) for one in (compiled, function))
    assert found[1] == wanted[1]
    for a, b in zip(found[0], wanted[0], strict=True):
        assert type(a) is type(b)
        assert torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b


def test_a_program_without_results_is_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="no output is a tensor or a number"):
        from_exported_program(exported(lambda x: (None, "text"), (X,)))


def test_a_library_is_given_the_structure_of_its_outputs() -> None:
    module = from_exported_program(exported(STRUCTURES["dataclass"], (X,)))
    library, tree = build(module), module["main"].attrs["output_tree"]
    assert len(as_torch_function(library)(X)) == 2
    first, second = as_torch_function(library, output_tree=tree)(X)
    assert torch.equal(first.y, X + 1) and second.note == "note"
    with pytest.raises(TypeError, match="a class that this process does not know"):
        as_torch_function(library, output_tree=tree.replace("torch.Result", "torch.Other"))(X)


def test_signs_that_are_flags_of_a_tensor() -> None:
    pairs = torch.view_as_complex(torch.randn(3, 2)).conj()
    negative = pairs.imag
    assert negative.is_neg()
    module = from_exported_program(exported(lambda x: x + negative, (torch.zeros(3),)))
    assert torch.equal(as_torch_function(module)(negative), negative + negative)
    into = as_torch_function(build(module), "main_into")
    with pytest.raises(ValueError, match="argument 1 has the negative bit"):
        into(torch.ones(3), negative)


def test_sizes_are_numbers_in_arithmetic() -> None:
    class Sizes(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            rows = x.shape[0]
            places = torch.arange(rows)
            return x / rows, x.sum() / x.numel(), x * (3 - rows), places % rows, places == rows // 2

    module, rows = Sizes(), torch.export.Dim("rows")
    program = torch.export.export(module, (torch.ones(4, 3),), dynamic_shapes=[{0: rows}])
    function = as_torch_function(from_exported_program(program))
    for count in (4, 7):
        x = torch.randn(count, 3)
        for found, wanted in zip(function(x), module(x), strict=True):
            torch.testing.assert_close(found, wanted)


def test_sizes_that_the_program_knows_are_used() -> None:
    class Last(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x[::8]
            return y / y[-1:]

    module, rows = Last(), torch.export.Dim("rows", min=9)
    program = torch.export.export(module, (torch.ones(12, 3),), dynamic_shapes=[{0: rows}])
    function = as_torch_function(from_exported_program(program))
    for count in (9, 25):
        x = torch.rand(count, 3) + 1
        torch.testing.assert_close(function(x), module(x))


def test_tied_weights_are_one_constant() -> None:
    module, x = Tied(), torch.tensor([1, 4])
    imported = from_exported_program(torch.export.export(module, (x,)))
    found: set[Any] = set()

    def collect(expr: Any) -> None:
        if isinstance(expr, Constant) and list(expr.data.shape) == [5, 4]:
            found.add(expr)

    for binding in imported["main"].body.bindings:
        for arg in binding.value.args:
            collect(arg)
    assert len(found) == 1
    torch.testing.assert_close(as_torch_function(imported)(x), module(x).detach())


def test_a_module_keeps_the_weights_that_it_was_made_with() -> None:
    module, x = nn.Linear(3, 2), torch.ones(1, 3)
    imported = from_exported_program(torch.export.export(module, (x,)))
    wanted = module(x).detach()
    with torch.no_grad():
        module.weight.zero_()
    torch.testing.assert_close(as_torch_function(imported)(x), wanted)


def scripted() -> Any:
    return torch.jit.script(nn.ReLU())


def traced() -> Any:
    return torch.fx.symbolic_trace(nn.Sequential(nn.ReLU()))


OTHERS: dict[str, tuple[Any, str]] = {
    "module": (
        nn.ReLU,
        r"got the module `ReLU`.*\n.*export\.export\(module\.eval\(\), args\)",
    ),
    "scripted": (scripted, r"got a scripted module; export the module that it was made from"),
    "graph module": (traced, r"got the module `Sequential`; capture it first\nhelp"),
    "function": (lambda: torch.relu, r"got the function `relu`; capture it as the `forward` of"),
    "path": (lambda: Path("model.pt2"), r"got a path; load the program first\nhelp.*export\.load"),
    "number": (lambda: 3, r"got a `int`"),
}


@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:FutureWarning")
@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_program_says_what_to_do(name: str) -> None:
    make, message = OTHERS[name]
    with pytest.raises(TypeError, match=rf"expected a `torch\.export\.ExportedProgram`, {message}"):
        from_exported_program(make())
