"""The kernels and chains of a module in each context of the workers, with the times of all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from ..schedule import ReplayLayouts
from .chains import Chain, chain_times, chains_of
from .context import Context
from .database import Database, Row
from .kernels import Kernel, kernels_of
from .module_search import ModuleSearch
from .result import Result, tuned_chains, tuned_kernels
from .shares import KernelTime
from .space import Trace
from .workers import Settings, Workers

__all__ = ["Plan", "laid_out", "machine_of", "open_plans"]


@dataclass(frozen=True)
class Plan:
    """The kernels and chains of a module in a context, and the time that each takes.

    Attributes
    ----------
    context
        Where measurements hold.
    kernels
        The kernels by hash, as `kernels_of` returns them.
    times
        Their times.
    chains
        The chains by hash, as `chains_of` returns them.
    chain_times
        Their times with the layouts of the rule.
    store
        Keeps the results.
    """

    context: Context
    kernels: Mapping[str, Sequence[Kernel]]
    times: Mapping[str, KernelTime]
    chains: Mapping[str, Sequence[Chain]]
    chain_times: Mapping[str, KernelTime]
    store: Database

    @property
    def layouts(self) -> dict[str, Trace]:
        """The layouts of the chains that are confirmed so far."""
        return {one.kernel: one.trace for one in tuned_chains(self._rows(self.chains))}

    def result(self, search: ModuleSearch, notes: Sequence[str]) -> Result:
        """Return the kernels and chains that are confirmed so far."""
        return Result(
            tuned_kernels(self._rows(self.kernels)),
            _shares(self.times),
            self.context,
            search.measured,
            search.near_peak,
            (*dict.fromkeys([*notes, *(f"skipped: {text}" for text in self.store.skipped)]),),
            tuned_chains(self._rows(self.chains)),
            _shares(self.chain_times),
        )

    def _rows(self, keys: Iterable[str]) -> list[Row]:
        return [row for key in keys for row in self.store.rows(key, self.context.key)]


@contextmanager
def open_plans(
    module: IRModule, settings: Settings, workers: Workers, database: str | Path | None
) -> Iterator[list[Plan]]:
    """Start workers, and yield a plan for each of their contexts; end the workers at last.

    The module is profiled in the contexts in which the database has no profile of it. Without a
    database, there is one that is removed at the end. `laid_out` returns the plan that follows from
    a search of the chains.
    """
    with ExitStack() as stack:
        path = database or Path(stack.enter_context(TemporaryDirectory()), "tune.db")
        store = stack.enter_context(Database(Path(path)))
        stack.callback(workers.close)
        yield [
            _plan(module, settings.target, context, workers, store)
            for context in workers.start(settings)
        ]


def laid_out(plan: Plan, module: IRModule, settings: Settings, workers: Workers) -> Plan:
    """Return a plan whose kernels are those with the confirmed layouts of its chains.

    Its chains are those of the plan before.
    """
    if not plan.layouts:
        return plan
    changed = ReplayLayouts({key: list(trace) for key, trace in plan.layouts.items()})(module)
    kernels, times = _kernels(changed, settings.target, plan.context, workers, plan.store)
    return replace(plan, kernels=kernels, times=times)


def machine_of(target: Target | str | None) -> Target:
    """Return the target of a kind; this machine for None."""
    return Target(target) if isinstance(target, str) else target or Target()


def _plan(
    module: IRModule, machine: Target, context: Context, workers: Workers, store: Database
) -> Plan:
    store.add_context(context)
    kernels, times = _kernels(module, machine, context, workers, store)
    chains = chains_of(module, kernels, machine, context.isa)
    return Plan(context, kernels, times, chains, chain_times(chains, times), store)


def _kernels(
    module: IRModule, machine: Target, context: Context, workers: Workers, store: Database
) -> tuple[dict[str, list[Kernel]], dict[str, KernelTime]]:
    """Return the kernels of a module, and their times."""
    kernels = kernels_of(module, machine, context.isa)
    digest = _digest(kernels)
    times = store.times(context.key, digest)
    if {*times} != {*kernels}:
        times = workers.profile(context.key, module, kernels)
        names = {key: equal[0].name for key, equal in kernels.items()}
        store.add_times(digest, context.key, times, names)
    return kernels, times


def _shares(times: Mapping[str, KernelTime]) -> dict[str, float]:
    """Return the shares of the time, the largest first."""
    shares = {key: one.share for key, one in times.items()}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _digest(kernels: Mapping[str, Sequence[Kernel]]) -> str:
    """Return a digest of a module, of its kernels and how often each is there."""
    counts = sorted((key, len(equal)) for key, equal in kernels.items())
    return hashlib.sha256(json.dumps(counts).encode()).hexdigest()[:16]
