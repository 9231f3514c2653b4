"""The machines of a cluster: their room for tasks, and their faults."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..database import OUTCOMES
from ..measure import Measured
from ..measure.pairs import decide, ratio_of
from .workers import Task

__all__ = ["MOST_FAULTS", "Node", "Pending", "fault_of"]

MOST_FAULTS = 3
"""The faults after which a machine is left out."""


@dataclass
class Node:
    """A machine of a cluster.

    Attributes
    ----------
    id
        Its name in the cluster.
    context
        The key of its context.
    slots
        The measurements that it makes at the same time.
    cores
        Its cores.
    running
        The tasks that it has.
    faults
        The wrong answers that it gave.
    """

    id: str
    context: str
    slots: int
    cores: int
    running: int = 0
    faults: int = 0

    @property
    def room(self) -> int:
        """The tasks that it can take: free cores compile candidates that are measured next."""
        return min(max(self.slots, self.cores), 2 * self.slots) - self.running


@dataclass
class Pending:
    """A task that has no outcome yet.

    Attributes
    ----------
    task
        The task.
    node
        The machine that has it, if any.
    end
        The time, of `time.monotonic`, until which that machine must answer.
    losses
        How often a machine was lost with it.
    failure
        The failure that a first machine found, and a second one must confirm, with that machine.
    avoided
        The machines that should not have it, if others are there.
    """

    task: Task
    node: Node | None = None
    end: float = math.inf
    losses: int = 0
    failure: tuple[Measured, Node] | None = None
    avoided: set[str] = field(default_factory=set)


def fault_of(answer: object) -> str:
    """Return why an answer cannot come from a measurement; empty if it can."""
    if not isinstance(answer, Measured) or answer.outcome not in OUTCOMES:
        return "it has no known outcome"
    if answer.outcome != "ok":
        return ""
    numbers = [*answer.times, *answer.against_times]
    if not numbers or len(answer.times) != len(answer.against_times):
        return "it has no pairs"
    if not all(isinstance(one, float) and 0 < one < math.inf for one in numbers):
        return "a time is not a positive number"
    ratio = ratio_of(answer.times, answer.against_times)
    if answer.ratio is None or not math.isclose(answer.ratio, ratio, rel_tol=1e-6):
        return f"the ratio {answer.ratio} is not that of its pairs, {ratio:.4g}"
    if answer.reason != (decide(answer.times, answer.against_times) or "undecided"):
        return f"its pairs are not `{answer.reason}`"
    return ""
