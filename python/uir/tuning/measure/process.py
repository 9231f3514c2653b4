"""Measurements in processes of their own, with limits of time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ...ir import save_binary
from ..kernels import Kernel, runs_on_threads
from ..samples import ONE_SAMPLE, Samples
from ..trace_line import is_layout
from .job import Job
from .measurer import Measured, Measurer

__all__ = ["Limits", "ProcessMeasurer"]


_CONFIRMATIONS = 3
"""The processes in each of which a confirmed candidate is faster."""


@dataclass(frozen=True)
class Limits:
    """The limits of a measurement.

    Attributes
    ----------
    seconds
        The most time of compilation, check and pairs.
    pair_seconds
        The most time of the pairs of a sample in a process.
    chain_factor
        How many times as much time chains have, which are many kernels.
    pairs
        The most pairs of a sample in a process.
    memory
        The most bytes of address space.
    text_bytes
        The most bytes of the C of a candidate, for which a C compiler takes a second per 30,000.
    """

    seconds: float = 60.0
    pair_seconds: float = 1.5
    chain_factor: int = 5
    pairs: int = 60
    memory: int = 8 << 30
    text_bytes: int = 256 << 10


@dataclass
class ProcessMeasurer(Measurer):
    """Measures each candidate in a process of its own.

    Attributes
    ----------
    samples
        The sizes for which kernels are timed.
    seed
        The seed of the arguments.
    limits
        The limits.
    core
        The place of the core on which kernels run, from the last one.
    cache
        The folder of compiled objects, which other processes may share; None for one of its own.
    """

    samples: Samples = ONE_SAMPLE
    seed: int = 0
    limits: Limits = Limits()
    core: int = 0
    cache: Path | None = None

    def __post_init__(self) -> None:
        """Make a folder for kernels, results and compiled objects."""
        self._folder = TemporaryDirectory(prefix="uir-tune-")
        self._server: subprocess.Popen[str] | None = None

    def measure(  # noqa: D102 - as the base
        self, kernel: Kernel, trace: tuple[str, ...], against: tuple[str, ...], *, confirms: bool
    ) -> Measured:
        if not confirms:
            return self._result(self._job(kernel, trace, against, 1))
        # Times differ by a tenth between processes, so that one is not enough.
        worst: Measured | None = None
        for series in range(2, 2 + _CONFIRMATIONS):
            made = self._result(self._job(kernel, trace, against, series))
            if not made.is_faster:
                return made
            if worst is None or (made.ratio or 0) > (worst.ratio or 0):
                worst = made
        assert worst is not None
        return worst

    def compile(self, kernel: Kernel, trace: tuple[str, ...]) -> Measured:
        """Compile a candidate, so that the cache has it when it is measured.

        Parameters
        ----------
        kernel
            The kernel.
        trace
            The candidate.

        Returns
        -------
        compiled
            The outcome, without times; it is never an exception.
        """
        return self._result(self._job(kernel, trace, (), 1))

    def close(self) -> None:  # noqa: D102 - as the base
        server, self._server = self._server, None
        if server is not None:
            assert server.stdin is not None
            server.stdin.close()
            server.wait()
        self._folder.cleanup()

    def _result(self, job: Job) -> Measured:
        answer = self._answer(job)
        result = Path(job.result)
        if answer["outcome"] != "ok" or not result.exists():
            return Measured(answer["outcome"], answer["reason"])
        made = json.loads(result.read_text())
        result.unlink()
        for name in ("times", "against_times"):
            made[name] = tuple(made[name])
        return Measured(**made)

    def _job(
        self, kernel: Kernel, trace: tuple[str, ...], against: tuple[str, ...], series: int
    ) -> Job:
        module = Path(self._folder.name, f"{kernel.hash}.bin")
        if not module.exists():
            module.write_bytes(save_binary(kernel.module))
        return Job(
            str(module),
            kernel.hash,
            kernel.isa,
            trace,
            against,
            tuple(dict(one) for one in self.samples.sizes),
            self.samples.objective,
            self.seed + series,
            self.limits.pairs,
            self.limits.pair_seconds * self._factor(trace),
            self.limits.memory,
            self.limits.text_bytes,
            -1 if kernel.is_parallel or runs_on_threads(trace) else self.core,
            str(Path(self._folder.name, "result.json")),
        )

    def _answer(self, job: Job) -> dict[str, str]:
        """Send a job to the server, and return why its process ended."""
        server = self._running()
        assert server.stdin is not None and server.stdout is not None
        request = {"job": job.text(), "limit": self.limits.seconds * self._factor(job.trace)}
        try:
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            line = server.stdout.readline()
        except (BrokenPipeError, ValueError):  # The server has died, or `close` ended it.
            line = ""
        if line:
            answer: dict[str, str] = json.loads(line)
            return answer
        self._server = None
        return {"outcome": "crash", "reason": f"the server ended with {server.wait()}"}

    def _factor(self, trace: tuple[str, ...]) -> int:
        return self.limits.chain_factor if is_layout(trace) else 1

    def _running(self) -> subprocess.Popen[str]:
        if self._server is None:
            command = [sys.executable, "-m", "uir.tuning.measure.server"]
            environment = {
                **os.environ,
                "UIR_CACHE_DIR": str(self.cache or Path(self._folder.name, "cache")),
                "UIR_CC_TIMEOUT": str(int(self.limits.seconds * self.limits.chain_factor) + 1),
            }
            self._server = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
            )
        return self._server
