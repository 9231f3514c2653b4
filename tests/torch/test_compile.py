"""`torch.compile(backend="uir")` gives what eager execution gives, with few compilations."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._dynamo.utils import counters

from uir.frontend.torch.dynamo import report, threads
from uir.frontend.torch.dynamo.threads import with_threads
from uir.runtime import num_threads

from ..python.support.c_texts import fake_compiler
from .test_modules import Network, mlp


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget what other tests have compiled and warned of."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    counters.clear()
    monkeypatch.setattr(report, "WARNED", set())
    yield
    torch._dynamo.reset()


def assert_like_eager(
    function: Callable[..., Any], *calls: Sequence[Any], graphs: int = 1, **options: Any
) -> None:
    """Compare results, their strides and changes of arguments, and count the graphs of dynamo."""
    compiled = torch.compile(function, backend="uir", fullgraph=True, **options)
    for args in calls:
        mine, eager = copy.deepcopy(args), copy.deepcopy(args)
        with torch.no_grad():
            found, wanted = compiled(*mine), function(*eager)
        close = {"rtol": 1e-4, "atol": 1e-5}
        torch.testing.assert_close(found, wanted, **close)
        torch.testing.assert_close(mine, eager, **close)
        assert strides(found) == strides(wanted)
    assert counters["stats"]["unique_graphs"] == graphs


def strides(value: Any) -> list[tuple[int, ...]]:
    leaves = torch.utils._pytree.tree_leaves(value)
    return [leaf.stride() for leaf in leaves if isinstance(leaf, torch.Tensor)]


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the warnings of the backend, which come while the test runs."""
    found: list[str] = []
    monkeypatch.setattr(report.LOGGER, "warning", found.append)
    return found


def encoder(norm_first: bool = False) -> nn.Module:
    return nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=norm_first)


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "mlp": (mlp, (8,)),
    "convolutions": (Network, (3, 12, 12)),
    "encoder": (encoder, (5, 16)),
    "encoder.norm_first": (lambda: encoder(True), (5, 16)),
    "gru.cell": (lambda: nn.GRUCell(8, 8), (8,)),
}


@pytest.mark.parametrize("name", MODELS)
def test_one_compilation_serves_every_batch(name: str, warned: list[str]) -> None:
    make, shape = MODELS[name]
    batches = [(torch.randn(rows, *shape),) for rows in (7, 9, 13)]
    assert_like_eager(make().eval(), *batches, dynamic=True)
    assert not warned


def test_dynamo_makes_sizes_dynamic_that_change() -> None:
    assert_like_eager(mlp().eval(), *((torch.randn(rows, 8),) for rows in (2, 3, 9)), graphs=2)


def test_a_marked_dimension_is_dynamic_from_the_start() -> None:
    x = torch.randn(4, 8)
    torch._dynamo.mark_dynamic(x, 0)
    compiled = torch.compile(mlp().eval(), backend="uir", fullgraph=True)
    with torch.no_grad():
        assert [compiled(one).shape[0] for one in (x, torch.randn(7, 8))] == [4, 7]
    assert counters["stats"]["unique_graphs"] == 1


def test_masks_of_an_encoder(warned: list[str]) -> None:
    module, x = encoder().eval(), torch.randn(2, 5, 16)
    keys = torch.tensor([[False] * 5, [False, False, True, True, True]])
    later = torch.ones(5, 5).triu(1).bool()
    assert_like_eager(module, (x, None, keys), (x, later), (x, later, keys), graphs=3)
    assert not warned


def test_attention_returns_its_weights() -> None:
    module = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x = torch.randn(2, 3, 8)
    assert_like_eager(module, (x, x, x), (x, x, x, None, True, None, False), graphs=2)


def test_buffers_and_inputs_change_as_eagerly() -> None:
    class Total(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", torch.zeros(3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.total += x.sum(0)
            x[:, 1:].mul_(2)
            return self.total / x.shape[0]

    mine = Total()
    eager = copy.deepcopy(mine)
    compiled = torch.compile(mine, backend="uir", fullgraph=True, dynamic=True)
    for rows in (2, 4, 3):
        x = torch.randn(rows, 3)
        other = x.clone()
        torch.testing.assert_close(compiled(x), eager(other))
        torch.testing.assert_close(x, other)
        torch.testing.assert_close(mine.total, eager.total)


def test_results_that_are_views_of_inputs_stay_views() -> None:
    def views(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x * 2
        return x, x.t(), y, y[0]

    compiled = torch.compile(views, backend="uir", fullgraph=True)
    x = torch.randn(3, 2)
    same, turned, y, row = compiled(x)
    assert same is x
    turned[0, 0] = 7
    y.zero_()
    assert x[0, 0] == 7
    assert row.tolist() == [0, 0]
    assert compiled(x)[2].tolist() == (x * 2).tolist()


def test_results_have_the_strides_of_eager_execution() -> None:
    def turned(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x * 2
        return (
            (x + 1).permute(2, 0, 1),
            y.transpose(0, 1).contiguous(),
            torch.exp(x.transpose(1, 2)),
        )

    shapes = [(4, 5, 6), (2, 5, 6), (7, 5, 6)]
    assert_like_eager(turned, *((torch.randn(shape),) for shape in shapes), dynamic=True)


def test_eager_views_of_results_find_their_strides() -> None:
    def mixed(x: torch.Tensor) -> torch.Tensor:
        turned = torch.exp(x.permute(1, 0, 2))
        flat = turned.permute(1, 0, 2).view(6, 4)
        return torch.view_as_complex(flat.unflatten(1, (2, 2))).abs() + 1

    assert_like_eager(mixed, (torch.randn(2, 3, 4),))


def test_numbers_that_change_compile_once_more() -> None:
    def scaled(x: torch.Tensor, number: float, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        return x * number, torch.zeros(count) + x.sum()

    x = torch.randn(4)
    assert_like_eager(scaled, (x, 1.5, 3), (x, 2.5, 4), (x, 3.5, 9), graphs=2)


def test_sizes_are_results() -> None:
    def sizes(x: torch.Tensor) -> tuple[torch.Tensor, int, int]:
        return x.reshape(-1, x.shape[0]).exp(), x.shape[0] * 2, x.numel()

    assert_like_eager(sizes, (torch.randn(4, 6),), (torch.randn(8, 6),), dynamic=True)


def test_a_cache_of_keys_grows_with_the_position() -> None:
    def attend(cache: torch.Tensor, x: torch.Tensor, position: int) -> torch.Tensor:
        cache[:, position : position + x.shape[1]] = x
        known = cache[:, : position + x.shape[1]]
        return nn.functional.scaled_dot_product_attention(x, known, known)

    cache, x = torch.zeros(2, 16, 4), torch.randn(2, 1, 4)
    assert_like_eager(attend, *((cache, x, position) for position in (3, 4, 5, 9)), graphs=2)


def test_autocast_computes_in_bfloat16() -> None:
    def narrow(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return (x @ weight).relu()

    assert_like_eager(narrow, (torch.randn(4, 8), torch.randn(8, 3)))


def test_what_is_refused_runs_eagerly_and_is_named_once(warned: list[str]) -> None:
    def spectrum(x: torch.Tensor) -> torch.Tensor:
        y = x.sin().softmax(-1)
        return torch.fft.rfft(y).abs().softmax(-1) + 1

    x = torch.randn(4, 6)
    assert_like_eager(spectrum, (x,))
    text = "".join(warned)
    assert "aten._fft_r2c.default" in text
    assert "complex numbers" in text
    assert "test_compile.py" in text
    assert "`return torch.fft.rfft(y).abs().softmax(-1) + 1`" in text
    torch._dynamo.reset()
    warned.clear()
    torch.compile(spectrum, backend="uir")(x)
    assert not warned


def test_random_numbers_are_those_of_eager_execution() -> None:
    def noisy(x: torch.Tensor) -> torch.Tensor:
        return nn.functional.dropout(x.exp(), 0.5) + torch.rand(4)

    x = torch.randn(4)
    torch.manual_seed(3)
    wanted = noisy(x)
    torch.manual_seed(3)
    torch.testing.assert_close(torch.compile(noisy, backend="uir")(x), wanted)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "nearest"])
def test_images_are_resized(mode: str, warned: list[str]) -> None:
    def resized(x: torch.Tensor) -> torch.Tensor:
        return nn.functional.interpolate(x, scale_factor=2.0, mode=mode)

    images = [(torch.randn(2, 3, size, 7),) for size in (5, 8)]
    assert_like_eager(resized, *images, dynamic=True)
    assert not warned


def test_training_runs_eagerly_with_a_warning(warned: list[str]) -> None:
    module, x = mlp(), torch.randn(3, 8)
    compiled = torch.compile(module, backend="uir", fullgraph=True)
    compiled(x).sum().backward()
    found = [one.grad.clone() for one in module.parameters()]
    module.zero_grad()
    module(x).sum().backward()
    torch.testing.assert_close(found, [one.grad for one in module.parameters()])
    assert "gradients are needed" in "".join(warned)
    assert "torch.no_grad()" in "".join(warned)


def test_inference_mode_and_no_grad_inside(warned: list[str]) -> None:
    module, x = mlp().eval(), torch.randn(3, 8)

    @torch.no_grad()
    def inside(x: torch.Tensor) -> torch.Tensor:
        return module(x)

    torch.testing.assert_close(torch.compile(inside, backend="uir")(x), inside(x))
    with torch.inference_mode():
        torch.testing.assert_close(torch.compile(module, backend="uir")(x), module(x))
    assert not warned


def test_threads_call_one_function() -> None:
    module = mlp().eval()
    compiled = torch.compile(module, backend="uir", dynamic=True)

    @torch.no_grad()
    def rows(count: int) -> bool:
        x = torch.ones(count, 8) * count
        return torch.allclose(compiled(x), module(x), rtol=1e-4, atol=1e-5)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(rows, [2, 3, 4, 5] * 8))


def test_options_reach_the_build() -> None:
    options = {"threads": 1, "checks": "bounds", "target": "c", "tuned": []}
    x = torch.randn(300, 300)
    assert_like_eager(lambda x: x @ x.t(), (x,), options=options)


def test_threads_of_a_call() -> None:
    before, during = num_threads(), []

    def noted(x: Any) -> Any:
        during.append(num_threads())
        return nested(x) if len(during) == 1 else x

    nested = with_threads(noted, before + 1)
    with_threads(noted, before + 2)(0)
    assert (during, num_threads()) == ([before + 2, before + 1], before)
    with pytest.raises(ZeroDivisionError):
        with_threads(lambda x: 1 / x, before + 1)(0)
    assert num_threads() == before


def test_calls_that_end_in_another_order_leave_the_number_of_threads() -> None:
    before = num_threads()
    for count in (before + 1, before + 2):
        threads.enter(count)
    threads.leave(before + 1)
    assert num_threads() == before + 2
    threads.leave(before + 2)
    assert num_threads() == before


def test_several_threads_reach_the_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    set_num_threads = threads.set_num_threads
    monkeypatch.setattr(
        threads, "set_num_threads", lambda one: (asked.append(one), set_num_threads(one))
    )
    x = torch.randn(300, 300)
    assert_like_eager(lambda x: x @ x.t(), (x,), options={"threads": 3})
    assert asked[0] == 3


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"options": {"speed": 1}}, "no option `speed`; it has `threads`, `checks`, `target`"),
        ({"options": {"threads": 0}}, "`threads` must be None or from 1 to 1024, got 0"),
        ({"options": {"threads": True}}, "`threads` must be None or from 1 to 1024, got True"),
        ({"options": {"freeze": 1}}, "`freeze` must be a boolean or None, got 1"),
        ({"options": {"checks": "none"}}, "`checks` must be one of ``, `bounds`"),
        ({"mode": "max-autotune"}, "has no modes, got `max-autotune`"),
    ],
)
def test_wrong_options_are_errors(chosen: dict[str, Any], message: str) -> None:
    compiled = torch.compile(lambda x: x + 1, backend="uir", **chosen)
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="ValueError") as found:
        compiled(torch.ones(2))
    assert message in str(found.value)


PROGRAM = """
import sys
import torch
torch.manual_seed(int(sys.argv[1]))
model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 4)).eval()
model = torch.compile(model, backend="uir", dynamic=True, fullgraph=True)
with torch.no_grad():
    print(sum(float(model(torch.ones(rows, 8)).sum()) for rows in (2, 3)))
"""


def test_a_second_process_calls_no_c_compiler(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    compiler = fake_compiler(tmp_path, f'echo 1 >> {calls}; exec cc "$@"')
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    environment = {**os.environ, "UIR_CC": str(compiler), "UIR_CACHE_DIR": str(cache)}
    first = run_program(environment)
    counted = calls.read_text()
    assert counted
    assert run_program(environment) == first
    assert run_program(environment, seed=1) != first
    assert calls.read_text() == counted


def run_program(environment: dict[str, str], seed: int = 0) -> str:
    """Return what the program prints for the weights of a seed."""
    command = [sys.executable, "-c", PROGRAM, str(seed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_pytorch_finds_the_backend_by_its_name() -> None:
    assert "uir" in torch._dynamo.list_backends()
