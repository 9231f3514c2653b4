"""The peak of this machine, and the bounds of kernels by it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from uir.driver import KernelBound, MachinePeak, cache_size, clear_cache, machine_peak
from uir.runtime import KernelProfile


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache; the measurements are quick."""
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("uir.driver.peak.MOST_BYTES", 8 << 20)
    monkeypatch.setattr("uir.driver.peak.ROUNDS", 2)
    return tmp_path


def kernel(seconds: float, flops: int, moved: int) -> KernelProfile:
    return KernelProfile("k", "", 1, seconds, seconds, seconds, flops, moved)


PEAK = MachinePeak(2, 100e9, 20e9)


@pytest.mark.parametrize(
    ("given", "bound"),
    [
        # 4 and 1 ms at the peak, then 1 and 3 ms; of 8 ms, and of 2 ms in caches.
        (kernel(8e-3, 400_000_000, 20_000_000), KernelBound("arithmetic", 0.5)),
        (kernel(8e-3, 100_000_000, 60_000_000), KernelBound("memory", 0.375)),
        (kernel(2e-3, 100_000_000, 60_000_000), KernelBound("memory", 1.5)),
        (kernel(2e-3, 0, 20_000_000), KernelBound("memory", 0.5)),
        (kernel(2e-3, -1, 20_000_000), None),
        (kernel(2e-3, 100, -1), None),
        (kernel(2e-3, 0, 0), None),
        (kernel(0.0, 100, 100), None),
    ],
)
def test_the_slower_of_two_bounds_a_kernel(given: KernelProfile, bound: KernelBound | None) -> None:
    found = PEAK.bound(given)
    assert (found is None) == (bound is None)
    if found is not None and bound is not None:
        assert found.by == bound.by and found.share == pytest.approx(bound.share)


def test_a_peak_is_measured_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = machine_peak(1)
    (path,) = folder.glob("peak-*.json")
    with monkeypatch.context() as patch:
        patch.setenv("UIR_CC", "/no/such/compiler")
        assert machine_peak(1) == found
    for damaged in ("", "[]", '{"flops_per_second": 1}', path.read_text().replace("1", "-1")):
        path.write_text(damaged)
        assert machine_peak(1).flops_per_second > 0
        assert path.read_text() != damaged
    clear_cache()
    assert cache_size() == 0


def test_threads_are_counted(folder: Path) -> None:
    assert machine_peak(2).threads == 2
    assert len([*folder.glob("peak-*.json")]) == 1
    with pytest.raises(ValueError, match="`threads` must be positive, got 0"):
        machine_peak(0)


def least(call: Callable[[], object]) -> float:
    """Return the time that all threads run in the fastest of some calls, in seconds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.alone
def test_numpy_comes_near_the_peak_of_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A product of matrices does for arithmetic, and a maximum for memory."""
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path))
    peak = machine_peak(1)
    matrix = np.random.default_rng(1).random((1024, 1024), np.float32)
    long = np.ones(32 << 20, np.int64)
    flops = 2 * 1024**3 / least(lambda: matrix @ matrix)
    moved = long.nbytes / least(lambda: long.max())
    assert 0.2 * peak.flops_per_second < flops < 1.3 * peak.flops_per_second
    assert 0.2 * peak.bytes_per_second < moved < 1.5 * peak.bytes_per_second
