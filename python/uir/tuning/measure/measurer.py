"""The interface of measurements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..kernels import Kernel

__all__ = ["Measured", "Measurer"]


@dataclass(frozen=True)
class Measured:
    """How a candidate did against another one.

    Attributes
    ----------
    outcome
        `ok`, or why it does not count, a word of `uir.tuning.Row.outcome`.
    reason
        Why it does not count, or how the pairs ended: `faster`, `slower`, `equal`, `undecided`.
    ratio
        Its time relative to that of the other; None if it was not measured.
    times
        Its times in seconds.
    against_times
        The times of the other, pair by pair.
    """

    outcome: str
    reason: str
    ratio: float | None = None
    times: tuple[float, ...] = ()
    against_times: tuple[float, ...] = ()

    @property
    def is_faster(self) -> bool:
        """Whether the candidate is significantly faster."""
        return self.outcome == "ok" and self.reason == "faster"


class Measurer(ABC):
    """Times candidates."""

    @abstractmethod
    def measure(
        self, kernel: Kernel, trace: tuple[str, ...], against: tuple[str, ...], *, confirms: bool
    ) -> Measured:
        """Time a candidate in turns with another one, after a check of its values.

        Parameters
        ----------
        kernel
            The kernel.
        trace
            The candidate.
        against
            The other candidate, whose values are right.
        confirms
            Whether the series is the second one, which has more pairs.

        Returns
        -------
        measured
            The outcome; it is never an exception.
        """

    def close(self) -> None:  # noqa: B027 - most implementations have nothing to end.
        """End all processes."""
