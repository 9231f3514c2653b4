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
        The two candidates. A job without the second one only compiles the first one.
    sizes
        The values of symbolic dimensions by name, for each sample.
    objective
        How the ratios of samples become one, as in `Samples`.
    seed
        The seed of the arguments.
    pairs
        The most pairs of a sample.
    seconds
        The most time that the pairs of a sample take.
    memory
        The most bytes of address space.
    text_bytes
        The most bytes of the C of `trace`.
    core
        The place of the core that runs it, from the last one; -1 for all cores.
    result
        The path for the result.
    """

    module: str
    hash: str
    isa: str
    trace: tuple[str, ...]
    against: tuple[str, ...]
    sizes: tuple[dict[str, int], ...]
    objective: str
    seed: int
    pairs: int
    seconds: float
    memory: int
    text_bytes: int
    core: int
    result: str

    def text(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> Job:
        """Read a job."""
        return cls(**json.loads(text))
