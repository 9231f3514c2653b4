"""The search in two parts: layouts of chains, which decide the kernels, and then these."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from uir_nodes.ir import IRModule

from .kernel_search import KernelSearch
from .kernels import Kernel
from .module_search import ModuleSearch, Progress, search_all
from .plan import Plan, laid_out
from .shares import KernelTime
from .workers import Settings, Workers

__all__ = ["NewSearch", "search_plans"]

NewSearch: TypeAlias = "Callable[[Plan, Kernel], KernelSearch]"
"""Makes the search for a kernel or a chain of a plan."""

_FOR_CHAINS = 0.25
"""The part of the time that chains have at most."""


def search_plans(
    plans: Sequence[Plan],
    module: IRModule,
    settings: Settings,
    workers: Workers,
    new_search: NewSearch,
    seconds: float | None,
    progress: Callable[[Progress], None] | None,
    keys: Callable[[Plan, Mapping[str, Sequence[Kernel]]], Collection[str]] | None = None,
) -> tuple[Plan, ModuleSearch]:
    """Search the chains of all plans, and then the kernels with the confirmed layouts.

    Parameters
    ----------
    plans
        A plan for each context.
    module, settings, workers
        Those of the plans.
    new_search
        Makes the search for a kernel or a chain.
    seconds
        The time of the search; None for no limit.
    progress
        Called after each candidate.
    keys
        Returns the hashes to search of the kernels or chains of a plan; None as for `ModuleSearch`.

    Returns
    -------
    plan, search
        The plan of the first context, with the kernels that were searched, and their search. Ctrl-C
        ends it early.
    """
    start = time.monotonic()

    def part(
        plan: Plan,
        found: Mapping[str, Sequence[Kernel]],
        times: Mapping[str, KernelTime],
        left: float | None,
        earlier: ModuleSearch | None,
    ) -> ModuleSearch:
        def made(key: str) -> KernelSearch:
            return new_search(plan, found[key][0])

        own = None if keys is None else keys(plan, found)
        return ModuleSearch(times, made, left, progress, own, earlier)

    for_chains = None if seconds is None else seconds * _FOR_CHAINS
    first = {
        plan.context.key: part(plan, plan.chains, plan.chain_times, for_chains, None)
        for plan in plans
    }
    is_stopped = _stops(first, workers)
    changed = [laid_out(plan, module, settings, workers) for plan in plans]
    left = None if seconds is None else seconds - (time.monotonic() - start)
    second = {
        plan.context.key: part(plan, plan.kernels, plan.times, left, first[plan.context.key])
        for plan in changed
    }
    if not is_stopped:
        _stops(second, workers)
    return changed[0], second[changed[0].context.key]


def _stops(searches: Mapping[str, ModuleSearch], workers: Workers) -> bool:
    """Make the measurements of searches; return whether Ctrl-C ended them early.

    The database has all that was measured.
    """
    try:
        search_all(searches, workers)
    except KeyboardInterrupt:
        return True
    return False
