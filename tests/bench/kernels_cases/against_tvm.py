"""The same operators against TVM, as `tvm.compile` makes them: `<name>.tvm`.

TVM has a process of its own, since its release of tvm-ffi differs from ours. Both sides compile for
the processor at hand, take the same inputs and are timed in turns.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tvm_ffi
from peer_tvm import PeerTvm, peer_tvm
from report import in_turns, report, timed

from uir import relay

from .case import from_relay

ROUNDS = 7
# Nanoseconds of one timing, at least.
SPAN = 30e6


class Row(NamedTuple):
    """A row: its name, the operator on both sides, and the shapes of its inputs."""

    name: str
    operator: str
    ours: Callable[..., Any]
    shapes: Sequence[tuple[int, ...]]


ROWS = (
    Row("matmul.512", "matmul", relay.matmul, [(512, 512)] * 2),
    Row("add.1m", "add", relay.add, [(1 << 20,)] * 2),
    Row("gelu", "gelu", lambda x: relay.gelu(x, approximate=True), [(1 << 20,)]),
    Row("softmax", "softmax", relay.softmax, [(1024, 1024)]),
    Row("layer_norm", "layer_norm", relay.layer_norm, [(1024, 1024), (1024,), (1024,)]),
    Row(
        "conv2d.3x3",
        "conv2d",
        lambda *args: relay.conv(*args, pads=[1, 1, 1, 1]),
        [(1, 64, 56, 56), (64, 64, 3, 3)],
    ),
)


def measure() -> None:
    """Print the rows."""
    with peer_tvm("kernels_side.py") as peer, tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            place = Path(folder) / row.name
            place.mkdir()
            _measure(row, peer, place)


def _measure(row: Row, peer: PeerTvm, folder: Path) -> None:
    numbers = np.random.default_rng(0)
    inputs = [numbers.standard_normal(shape, np.float32) for shape in row.shapes]
    for index, one in enumerate(inputs):
        np.save(folder / f"{index}.npy", one)
    its_time = peer.time(row.operator, 1, folder=str(folder))
    expected = np.load(folder / "out.npy")
    found = np.empty_like(expected)
    ours = from_relay(row.ours, *row.shapes)
    args = [tvm_ffi.from_dlpack(one) for one in (*inputs, found)]
    ours(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
    our_time = timed(lambda: ours(*args), 1)
    our_calls, its_calls = (max(1, int(SPAN / one)) for one in (our_time, its_time))
    times = in_turns(
        lambda _calls: timed(lambda: ours(*args), our_calls),
        lambda _calls: peer.time(row.operator, its_calls, folder=str(folder)),
        rounds=ROUNDS,
        calls=1,
    )
    report(f"{row.name}.tvm", times[0] / 1e6, times[1] / 1e6, "ms")
