"""The interface of workers, which measure candidates at the same time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from ..context import Context
from ..kernels import Kernel, runs_on_threads
from ..measure import Measured
from ..samples import ONE_SAMPLE, Samples
from ..shares import KernelTime

__all__ = ["Settings", "Task", "Workers"]


@dataclass(frozen=True)
class Settings:
    """The settings of all measurements of a search.

    Attributes
    ----------
    target
        The machine that is compiled for.
    samples
        The sizes for which kernels are timed.
    seed
        The seed of arguments.
    """

    target: Target
    samples: Samples = ONE_SAMPLE
    seed: int = 0


@dataclass(frozen=True)
class Task:
    """A measurement to make.

    Attributes
    ----------
    context
        The key of the context in which it counts.
    kernel
        The kernel.
    trace, against
        The candidate, and the one that it is timed in turns with.
    series
        `search` or `confirm`, as `uir.tuning.Row.series`.
    """

    context: str
    kernel: Kernel
    trace: tuple[str, ...]
    against: tuple[str, ...]
    series: str

    @property
    def confirms(self) -> bool:
        """Whether the series is the second one."""
        return self.series == "confirm"

    @property
    def is_parallel(self) -> bool:
        """Whether the kernel or the candidate runs a loop on several threads."""
        return self.kernel.is_parallel or runs_on_threads(self.trace)


class Workers(ABC):
    """Measure candidates. Only the process that submits tasks writes the database.

    Attributes
    ----------
    notes
        The workers that were lost or left out, with the reason.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []

    @abstractmethod
    def start(self, settings: Settings) -> Sequence[Context]:
        """Prepare for a search.

        Parameters
        ----------
        settings
            The settings of all measurements.

        Returns
        -------
        contexts
            The contexts of the workers, at least one. Workers of unlike processors have different
            ones, and are searched apart; the first is that of the result.

        Raises
        ------
        ValueError
            If the target is not the machine of a worker.
        RuntimeError
            If there are no workers, or they have no C compiler.
        """

    @abstractmethod
    def profile(
        self, context: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        """Profile a module on a worker of a context.

        Parameters
        ----------
        context
            The key of the context.
        module
            The module.
        kernels
            Its kernels by hash.

        Returns
        -------
        times
            The times of kernels by hash.
        """

    @abstractmethod
    def free(self, context: str) -> int:
        """Count the tasks that may be submitted now.

        Parameters
        ----------
        context
            The key of their context.

        Returns
        -------
        count
            Their number.
        """

    @abstractmethod
    def submit(self, task: Task) -> None:
        """Begin a measurement.

        Parameters
        ----------
        task
            The measurement; a worker of its context is free.
        """

    @abstractmethod
    def wait(self) -> list[tuple[Task, Measured]]:
        """Wait until a task has ended.

        Returns
        -------
        ended
            The tasks that have ended, with their outcomes; none if there is nothing yet.
        """

    def lost(self, context: str) -> bool:
        """Return whether the last worker of a context is gone, with the tasks that it had.

        Parameters
        ----------
        context
            The key of the context.

        Returns
        -------
        is_lost
            Whether the search in this context cannot continue; False by default.
        """
        return False

    def close(self) -> None:  # noqa: B027 - most implementations have nothing to end.
        """End all processes, with the tasks that run."""
