"""Models under `torch.compile`: the backend `uir` against Inductor, both in one process.

Prints `torch.mlp` (64 images of 784 pixels), `torch.encoder.layer` (128 tokens of 384 elements, 12
heads), `torch.convolutions` (two, on an image of 64 x 64 pixels) and `torch.resnet18` (an image of
224 x 224 pixels), one call each, in milliseconds on one thread. `<name>.frozen` has the option
`freeze`, `<name>.2threads` two threads on both sides. Arguments choose models. It needs PyTorch:
`make bench-torch`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from report import interleaved, report

ROUNDS = 15
LEAST_MS = 100.0
"""How long a timing takes at least, in milliseconds."""


def mlp(nn: Any) -> Any:
    layers = (nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    return nn.Sequential(*layers, nn.Softmax(-1))


def encoder(nn: Any) -> Any:
    return nn.TransformerEncoderLayer(384, 12, 1536, activation="gelu", batch_first=True)


def convolutions(nn: Any) -> Any:
    first = (nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
    return nn.Sequential(*first, nn.Conv2d(32, 64, 3, padding=1), nn.ReLU())


def normed(nn: Any, inputs: int, outputs: int, size: int, stride: int = 1) -> Any:
    convolution = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs))


def resnet18(nn: Any) -> Any:
    """Return the smallest network of He et al., Deep residual learning, 2015."""

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, inputs: int, outputs: int, stride: int) -> None:
            super().__init__()
            self.first = normed(nn, inputs, outputs, 3, stride)
            self.second = normed(nn, outputs, outputs, 3)
            same = stride == 1 and inputs == outputs
            self.skip = nn.Identity() if same else normed(nn, inputs, outputs, 1, stride)

        def forward(self, x: Any) -> Any:
            return (self.second(self.first(x).relu()) + self.skip(x)).relu()

    layers = [normed(nn, 3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for outputs, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(inputs, outputs, stride), Block(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


MODELS: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "mlp": (mlp, (64, 784)),
    "encoder.layer": (encoder, (1, 128, 384)),
    "convolutions": (convolutions, (1, 3, 64, 64)),
    "resnet18": (resnet18, (1, 3, 224, 224)),
}


def measure(name: str, threads: int) -> None:
    """Compare the results of both sides, then their times."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(threads)
    make, shape = MODELS[name]
    model, x = make(torch.nn).eval(), torch.randn(shape)
    with torch.no_grad():
        peer = torch.compile(model, fullgraph=True)
        for suffix, options in (("", {}), (".frozen", {"freeze": True})):
            ours = torch.compile(model, backend="uir", fullgraph=True, options=options)
            torch.testing.assert_close(ours(x), peer(x), rtol=1e-3, atol=1e-4)
            times = timed(lambda ours=ours: ours(x), lambda: peer(x), threads)
            counted = "" if threads == 1 else f".{threads}threads"
            report(f"torch.{name}{suffix}{counted}", *times, "ms")


def timed(
    ours: Callable[[], object], peer: Callable[[], object], threads: int
) -> tuple[float, float]:
    """Return the times of one call of both sides, in milliseconds."""
    start = time.perf_counter()
    ours()
    calls = max(int(LEAST_MS / 1e3 / (time.perf_counter() - start)), 1)
    times = interleaved(ours, peer, rounds=ROUNDS, calls=calls, threads=threads)
    return times[0] / 1e6, times[1] / 1e6


def main(names: Sequence[str]) -> None:
    """Print the rows of models, each number of threads in a process of its own."""
    for name in names:
        for threads in (1, 2):
            counts = dict.fromkeys(("OMP_NUM_THREADS", "UIR_NUM_THREADS"), str(threads))
            command = [sys.executable, __file__, "measure", name, str(threads)]
            subprocess.run(command, check=True, env={**os.environ, **counts})


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main(sys.argv[1:] or list(MODELS))
