"""The parts of a search that run on other machines: bytes in, bytes out."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir

from uir_nodes.ir import IRModule

from ...driver.processor import core_count
from ...ir import load_binary
from ..context import Context
from ..kernels import Kernel
from ..measure import Measured, ProcessMeasurer
from ..shares import KernelTime, kernel_times
from .workers import Settings, Task

__all__ = ["RemoteWork"]


class RemoteWork:
    """The work of the machines of a cluster, to which an object of this class travels."""

    def context(self, settings: Settings) -> Context:
        """Describe this machine.

        Parameters
        ----------
        settings
            The settings of the search.

        Returns
        -------
        context
            The context of its measurements.
        """
        return Context.here(settings.target, str(settings.samples))

    def profile(
        self, settings: Settings, module: bytes, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        """Profile a module.

        Parameters
        ----------
        settings
            The settings of the search.
        module
            The module in the binary form.
        kernels
            Its kernels by hash.

        Returns
        -------
        times
            The times of kernels by hash.
        """
        program = load_binary(module)
        assert isinstance(program, IRModule)
        return kernel_times(program, settings.target, kernels, settings.samples)

    def compile(self, settings: Settings, task: Task) -> Measured:
        """Compile a candidate into the cache that all processes of this machine share.

        Parameters
        ----------
        settings
            The settings of the search.
        task
            The measurement that follows.

        Returns
        -------
        compiled
            The outcome, without times.
        """
        return _measurer(settings).compile(task.kernel, task.trace)

    def measure(self, settings: Settings, task: Task, compiled: Measured) -> Measured:
        """Measure a candidate on a core that no other process measures on.

        Parameters
        ----------
        settings
            The settings of the search.
        task
            The measurement.
        compiled
            The outcome of `compile`, which is that of the measurement if it is a failure.

        Returns
        -------
        measured
            The outcome.
        """
        if compiled.outcome != "ok":
            return compiled
        measurer = _measurer(settings)
        with _free_core() as measurer.core:
            return measurer.measure(task.kernel, task.trace, task.against, confirms=task.confirms)


_kept: dict[tuple[str, int], ProcessMeasurer] = {}


def _measurer(settings: Settings) -> ProcessMeasurer:
    """Return the measurer of this process, which stays between tasks."""
    key = str(settings.samples), settings.seed
    if key not in _kept:
        _kept[key] = ProcessMeasurer(settings.samples, settings.seed, cache=_folder() / "cache")
    return _kept[key]


def _folder() -> Path:
    path = Path(gettempdir(), f"uir-tune-{os.getuid()}")
    path.mkdir(mode=0o700, exist_ok=True)
    return path


@contextmanager
def _free_core() -> Iterator[int]:
    """Lock a core of this machine, and yield its place; if all are taken, wait for the first."""
    files = [(_folder() / f"core-{place}").open("w") for place in range(core_count())]
    try:
        for place, file in enumerate(files):
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield place
                return
        fcntl.flock(files[0], fcntl.LOCK_EX)
        yield 0
    finally:
        for file in files:
            file.close()
