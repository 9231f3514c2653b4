"""The most arithmetic and the most memory traffic of this machine, and what bounds a kernel."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from uir_nodes.runtime import KernelProfile, num_threads

from .cache import PEAKS, cache_folder
from .compiler import compile_c
from .peak_loops import PEAK_LOOPS
from .processor import core_count, processor_field, processor_name

__all__ = ["KernelBound", "MachinePeak", "machine_peak"]

ROUNDS, SECONDS = 20, 0.005
"""Of arithmetic: how often it is measured, and for how long. The best round counts."""

PASSES = 6
"""How often memory is read. The best pass counts."""

LEAST_BYTES, MOST_BYTES = 256 << 20, 512 << 20
"""The memory that all threads read together: twice the last cache, within these bounds."""


@dataclass(frozen=True)
class KernelBound:
    """The bound of a kernel by the roofline model (Williams, Waterman and Patterson, 2009).

    Attributes
    ----------
    by
        `arithmetic` or `memory`: which of the two takes longer at the peak.
    share
        That time at the peak, relative to the time that the kernel took. Values above 1 come from
        tensors in caches, which are read faster than memory, or from narrower types than `float32`.
    """

    by: str
    share: float


@dataclass(frozen=True)
class MachinePeak:
    """The most that threads of this machine do in a second.

    Attributes
    ----------
    threads
        The number of threads.
    flops_per_second
        Additions and multiplications of `float32` in registers.
    bytes_per_second
        Bytes read from memory.
    """

    threads: int
    flops_per_second: float
    bytes_per_second: float

    def bound(self, kernel: KernelProfile) -> KernelBound | None:
        """Return how near a kernel is to the peak, and what bounds it.

        Parameters
        ----------
        kernel
            The kernel.

        Returns
        -------
        KernelBound | None
            The bound; None if the operations or the bytes of the kernel are not known, or both are
            0.
        """
        if min(kernel.flops, kernel.bytes_moved) < 0 or kernel.total <= 0:
            return None
        arithmetic = kernel.flops / self.flops_per_second
        memory = kernel.bytes_moved / self.bytes_per_second
        if max(arithmetic, memory) == 0:
            return None
        by = "arithmetic" if arithmetic >= memory else "memory"
        return KernelBound(by, max(arithmetic, memory) / kernel.total)


def machine_peak(threads: int | None = None) -> MachinePeak:
    """Return the peak of this machine, which is measured once for each number of threads.

    The measurement takes about a second, and counts only the time that its threads run. A file in
    the cache keeps it; `clear_cache` removes it.

    Parameters
    ----------
    threads
        The number of threads; by default `uir.runtime.num_threads()`.

    Returns
    -------
    MachinePeak
        The peak.

    Raises
    ------
    RuntimeError
        If there is no C compiler, or it fails.
    MemoryError
        If there is no memory for the measurement.
    ValueError
        If `threads` is not positive.
    """
    count = num_threads() if threads is None else threads
    if count < 1:
        raise ValueError(f"machine_peak: `threads` must be positive, got {count}")
    folder = cache_folder()
    path = None if folder is None else folder / f"{PEAKS}{_digest(count)}.json"
    found = None if path is None else _read(path, count)
    if found is None:
        found = _measure(count)
        if path is not None:
            _write(path, found)
    return found


def _measure(threads: int) -> MachinePeak:
    loops = compile_c(PEAK_LOOPS, ["-march=native", "-ffp-contract=fast"])
    size = _bytes_to_read() // threads
    with ThreadPoolExecutor(threads) as pool:

        def together(measure: Callable[[], float]) -> list[float]:
            return [*pool.map(lambda _: measure(), range(threads))]

        flops = max(sum(together(lambda: loops["arithmetic"](SECONDS))) for _ in range(ROUNDS))
        rates = together(lambda: loops["memory"](size, PASSES))
    if min(rates) <= 0:
        raise MemoryError(f"machine_peak: no memory for {threads} arrays of {size} bytes")
    return MachinePeak(threads, flops, sum(rates))


def _bytes_to_read() -> int:
    cache = 0
    with suppress(AttributeError, OSError, ValueError):  # Not all systems tell.
        cache = os.sysconf("SC_LEVEL3_CACHE_SIZE")
    return min(max(2 * cache, LEAST_BYTES), MOST_BYTES)


def _digest(threads: int) -> str:
    features = processor_field("flags") or processor_field("Features")
    facts = (platform.machine(), processor_name(), features, core_count(), threads, PEAK_LOOPS)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def _read(path: Path, threads: int) -> MachinePeak | None:
    """Return the peak of a file; None if there is none, or it is damaged."""
    try:
        value = json.loads(path.read_text("utf-8"))
        found = MachinePeak(
            threads, float(value["flops_per_second"]), float(value["bytes_per_second"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    rates = (found.flops_per_second, found.bytes_per_second)
    return found if all(0 < rate < math.inf for rate in rates) else None


def _write(path: Path, found: MachinePeak) -> None:
    """Write a file, all of it or none; without a folder that can be written to, do nothing."""
    part = path.with_name(f".{os.getpid()}-{path.name}")
    with suppress(OSError):
        try:
            part.write_text(json.dumps(asdict(found)) + "\n", "utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
