"""The kernels of a module in each context of the workers, with the time that each takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from .context import Context
from .database import Database
from .kernels import Kernel, kernels_of
from .module_search import ModuleSearch
from .result import Result, tuned_kernels
from .shares import KernelTime
from .workers import Settings, Workers

__all__ = ["Plan", "machine_of", "open_plans"]


@dataclass(frozen=True)
class Plan:
    """The kernels of a module in a context, and the time that each takes.

    Attributes
    ----------
    context
        Where measurements hold.
    kernels
        The kernels by hash, as `kernels_of` returns them.
    times
        Their times.
    store
        Keeps the results.
    """

    context: Context
    kernels: Mapping[str, Sequence[Kernel]]
    times: Mapping[str, KernelTime]
    store: Database

    def result(self, search: ModuleSearch, notes: Sequence[str]) -> Result:
        """Return the kernels that are confirmed so far."""
        rows = [row for key in self.kernels for row in self.store.rows(key, self.context.key)]
        shares = {key: one.share for key, one in self.times.items()}
        ordered = dict(sorted(shares.items(), key=lambda item: -item[1]))
        return Result(
            tuned_kernels(rows),
            ordered,
            self.context,
            search.measured,
            search.near_peak,
            (*dict.fromkeys([*notes, *(f"skipped: {text}" for text in self.store.skipped)]),),
        )


@contextmanager
def open_plans(
    module: IRModule, settings: Settings, workers: Workers, database: str | Path | None
) -> Iterator[list[Plan]]:
    """Start workers, and yield a plan for each of their contexts; end the workers at last.

    The module is profiled in the contexts in which the database has no profile of it. Without a
    database, there is one that is removed at the end.
    """
    with ExitStack() as stack:
        path = database or Path(stack.enter_context(TemporaryDirectory()), "tune.db")
        store = stack.enter_context(Database(Path(path)))
        stack.callback(workers.close)
        yield [
            _plan(module, settings.target, context, workers, store)
            for context in workers.start(settings)
        ]


def machine_of(target: Target | str | None) -> Target:
    """Return the target of a kind; this machine for None."""
    return Target(target) if isinstance(target, str) else target or Target()


def _plan(
    module: IRModule, machine: Target, context: Context, workers: Workers, store: Database
) -> Plan:
    store.add_context(context)
    kernels = kernels_of(module, machine, context.isa)
    digest = _digest(kernels)
    times = store.times(context.key, digest)
    if {*times} != {*kernels}:
        times = workers.profile(context.key, module, kernels)
        names = {key: equal[0].name for key, equal in kernels.items()}
        store.add_times(digest, context.key, times, names)
    return Plan(context, kernels, times, store)


def _digest(kernels: Mapping[str, Sequence[Kernel]]) -> str:
    """Return a digest of a module, of its kernels and how often each is there."""
    counts = sorted((key, len(equal)) for key, equal in kernels.items())
    return hashlib.sha256(json.dumps(counts).encode()).hexdigest()[:16]
