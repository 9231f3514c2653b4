"""The result of a search: kernels and chains that are faster than without it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .context import Context
from .database import Row
from .trace_line import is_layout

__all__ = ["Result", "TunedKernel", "best_rows", "tuned_chains", "tuned_kernels", "whole_gain"]

FORMAT = 1


@dataclass(frozen=True)
class TunedKernel:
    """A kernel or a chain with better choices.

    Attributes
    ----------
    kernel
        Its hash.
    name
        The name of the function; for a chain, those of the first and the last one.
    gain
        The time with the choices of the recipes, divided by the time with these.
    trace
        The choices.
    """

    kernel: str
    name: str
    gain: float
    trace: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """The result of `tune`.

    Attributes
    ----------
    kernels
        The kernels that are significantly faster, in two series of pairs.
    shares
        The share of the time of each searched kernel, by its hash.
    context
        Where the measurements hold.
    measured
        The number of measurements, without those that the database had.
    near_peak
        The number of kernels that were not searched, because they run within 5 % of the peak of the
        machine.
    notes
        The functions of users without a candidate, the rows of a file that `revalidate` left out,
        and the rows of the database that were skipped, with the reason.
    chains
        The chains that are significantly faster with another layout, in two series of pairs.
    chain_shares
        The share of the time of each chain with the layout of the rule, by its hash.
    """

    kernels: tuple[TunedKernel, ...]
    shares: Mapping[str, float]
    context: Context
    measured: int
    near_peak: int = 0
    notes: tuple[str, ...] = ()
    chains: tuple[TunedKernel, ...] = ()
    chain_shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """The gain of the whole module: its time before, divided by the expected time after."""
        return _gain(self.chain_shares, self.chains) * _gain(self.shares, self.kernels)

    def text(self) -> str:
        """Return the contents of the file that `save` writes.

        Returns
        -------
        text
            JSON, which `uir.build(tuned=...)` reads.
        """
        value = {
            "uir_tuned": FORMAT,
            "lowering": self.context.lowering,
            "isa": self.context.isa,
            "processor": self.context.processor,
            "cores": self.context.cores,
            "compiler": self.context.compiler,
            "samples": self.context.samples,
            "chains": [_fields("chain", one) for one in self.chains],
            "kernels": [_fields("kernel", one) for one in self.kernels],
        }
        return json.dumps(value, indent=2) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file that `uir.build(tuned=...)` reads, all of it or none.

        Parameters
        ----------
        path
            The file.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        target = Path(path)
        part = target.with_name(f".{os.getpid()}-{target.name}")
        try:
            part.write_text(self.text(), "utf-8")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def whole_gain(shares: Mapping[str, float], gains: Mapping[str, float]) -> float:
    """Return the gain of a module, of the shares of its kernels and the gains of some."""
    saved = sum(shares.get(kernel, 0.0) * (1.0 - 1.0 / gain) for kernel, gain in gains.items())
    return 1.0 / (1.0 - saved)


def best_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the confirmed row of each kernel with the least time, in the order of kernels."""
    best: dict[str, Row] = {}
    for row in rows:
        if row.series != "confirm" or row.outcome != "ok" or row.reason != "faster":
            continue
        assert row.ratio is not None
        known = best.get(row.kernel)
        if known is None or known.ratio is None or row.ratio < known.ratio:
            best[row.kernel] = row
    return [best[kernel] for kernel in sorted(best)]


def tuned_kernels(rows: Iterable[Row]) -> tuple[TunedKernel, ...]:
    """Return the kernels that are significantly faster, of rows of one context."""
    return _tuned(row for row in rows if not is_layout(row.trace))


def tuned_chains(rows: Iterable[Row]) -> tuple[TunedKernel, ...]:
    """Return the chains that are significantly faster, of rows of one context."""
    return _tuned(row for row in rows if is_layout(row.trace))


def _tuned(rows: Iterable[Row]) -> tuple[TunedKernel, ...]:
    return tuple(
        TunedKernel(row.kernel, row.name, 1 / (row.ratio or 1.0), row.trace)
        for row in best_rows(rows)
    )


def _gain(shares: Mapping[str, float], tuned: Sequence[TunedKernel]) -> float:
    return whole_gain(shares, {one.kernel: one.gain for one in tuned})


def _fields(kind: str, kernel: TunedKernel) -> dict[str, Any]:
    return {
        kind: kernel.kernel,
        "name": kernel.name,
        "gain": round(kernel.gain, 3),
        "trace": list(kernel.trace),
    }
