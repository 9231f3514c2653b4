"""A measurement as text, which goes to another process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

__all__ = ["Job"]


@dataclass(frozen=True)
class Job:
    """A measurement.

    Attributes
    ----------
    module
        The path of the kernel in the binary form.
    hash
        The hash of the kernel.
    isa
        The instruction set.
    trace, against
        The two candidates.
    sizes
        The values of symbolic dimensions by name.
    seed
        The seed of the arguments.
    pairs
        The most pairs.
    seconds
        The most time that pairs take.
    memory
        The most bytes of address space.
    is_pinned
        Whether one core runs it.
    result
        The path for the result.
    """

    module: str
    hash: str
    isa: str
    trace: tuple[str, ...]
    against: tuple[str, ...]
    sizes: dict[str, int]
    seed: int
    pairs: int
    seconds: float
    memory: int
    is_pinned: bool
    result: str

    def text(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> Job:
        """Read a job."""
        return cls(**json.loads(text))
