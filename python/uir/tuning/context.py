"""Where a measurement holds: the machine, the compiler and the version of lowering."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from dataclasses import asdict, dataclass

from uir_nodes.target import Target

from ..driver import find_compiler
from ..driver.processor import core_count, processor_field, processor_name
from ..schedule import lowering_version

__all__ = ["Context", "resolved_isa"]

_NATIVE = (("x86-64-v4", "avx512vl"), ("x86-64-v3", "avx2"))


@dataclass(frozen=True)
class Context:
    """Where a measurement holds.

    Attributes
    ----------
    isa
        The instruction set, never `native`.
    processor
        The name of the processor.
    cores
        The number of cores that this process may use.
    compiler
        The command of the C compiler, and the first line of its version.
    lowering
        The version of the meaning of traces, `uir.schedule.lowering_version()`.
    samples
        The sizes for which kernels are timed, as `Samples` prints them.
    """

    isa: str
    processor: str
    cores: int
    compiler: str
    lowering: int
    samples: str = ""

    @classmethod
    def here(cls, target: Target, samples: str = "") -> Context:
        """Return the context of measurements in this process.

        Parameters
        ----------
        target
            The machine that is compiled for: this one.
        samples
            The sizes for which kernels are timed.

        Returns
        -------
        context
            The context.

        Raises
        ------
        ValueError
            If the target is not this machine, whose times are measured.
        RuntimeError
            If there is no compiler.
        """
        return cls(
            resolved_isa(target),
            processor_name(),
            core_count(),
            _compiler(),
            int(lowering_version()),
            samples,
        )

    @property
    def key(self) -> str:
        """A digest of all fields, by which databases know the context."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def resolved_isa(target: Target) -> str:
    """Return the instruction set of a target on this machine.

    Raises
    ------
    ValueError
        If the target has versions for several instruction sets, or is for another machine.
    """
    isa = str(target.isa)
    has_x86 = platform.machine() in ("x86_64", "AMD64")
    if isa == "x86-64" or (isa == "aarch64") == has_x86:
        raise ValueError(
            f"tuning measures on this machine: the target `{isa}` cannot be tuned here"
        )
    if isa != "native":
        return isa
    flags = processor_field("flags").split()
    return next((name for name, flag in _NATIVE if flag in flags), "generic")


def _compiler() -> str:
    command = find_compiler()
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return f"{' '.join(command)}: {said.stdout.partition(chr(10))[0]}"
