"""The search over the kernels of a module."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from uir_nodes import tuning as nodes
from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from .cost_model import CostModel, boosting_package, default_model
from .joined_space import space_of, unused_functions
from .kernel_search import KernelSearch
from .kernels import Kernel
from .module_search import Progress
from .plan import Plan, machine_of, open_plans
from .plan_search import search_plans
from .registry import make_cost_model, make_strategy, node_of
from .result import Result
from .samples import Samples, Sizes
from .search import SMALL, SearchStrategy, default_strategy
from .space import Space
from .workers import LocalWorkers, RayWorkers, Settings, Workers

__all__ = ["parse_budget", "tune", "workers_of"]

NewModel: TypeAlias = "Callable[[int], CostModel | nodes.CostModelFunctions]"
"""Makes a model of times of a seed."""

AnyStrategy: TypeAlias = "SearchStrategy | nodes.SearchStrategyFunctions"

NewStrategy: TypeAlias = "Callable[[Space, nodes.CostModelFunctions, int], AnyStrategy]"
"""Makes a strategy for a space, a model and a seed."""

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def parse_budget(text: str) -> float:
    """Read a time.

    Parameters
    ----------
    text
        A number and a unit: `60s`, `10m` or `1h`.

    Returns
    -------
    seconds
        The time in seconds.

    Raises
    ------
    ValueError
        If the text is not a number with one of these units.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if found is None:
        raise ValueError(f"expected a time such as 60s, 10m or 1h, got `{text}`")
    return float(found[1]) * _UNITS[found[2]]


def workers_of(given: int | str | Workers) -> Workers:
    """Return the workers of a number or an address.

    Raises
    ------
    ValueError
        If the number is not positive, or the text is not an address.
    ImportError
        If the address needs Ray, which is not installed.
    """
    if isinstance(given, Workers):
        return given
    if isinstance(given, int) or given.isdecimal():
        return LocalWorkers(int(given))
    if given == "ray" or given.startswith("ray://"):
        return RayWorkers(given)
    raise ValueError(f"expected a number of workers, ray or ray://HOST:PORT, got `{given}`")


def tune(
    module: IRModule,
    target: Target | str | None = None,
    *,
    budget: str | float = "60s",
    trials: int | None = None,
    database: str | Path | None = None,
    sizes: Sizes | None = None,
    objective: str = "worst",
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    workers: int | str | Workers = 1,
    cost_model: str | NewModel = default_model,
    strategy: str | NewStrategy = default_strategy,
) -> Result:
    """Search for faster choices for the kernels of a module, and for layouts of its chains.

    The layouts are first, since they decide the kernels: a chain of functions whose tensors have
    channels is timed whole, with the copies at its ends, for each of its layouts. Each candidate is
    compiled and timed in a process of its own, in turns with the best one so far. It counts only if
    its values are right. The best one of a kernel or a chain is in the result only if a second
    series of pairs confirms that it is faster than the choice of the recipes. Neither is searched
    if it takes less than 0.5 % of the time; nor is a kernel within 5 % of the peak of the machine.

    Parameters
    ----------
    module
        The module, as `uir.build` takes it, with a public function `main`.
    target
        The machine, or its kind (`"c"`): this one; None for it.
    budget
        The time of the search: seconds, or a text such as `60s`, `10m` or `1h`. Chains have at most
        a quarter of it.
    trials
        The most candidates of a kernel, with those of earlier searches; None for any number.
    database
        The file of results. Candidates that it has for this machine and compiler are not measured
        again. None for a file that is removed at the end.
    sizes
        The values of symbolic dimensions by name, with which kernels are timed: one for each, or
        one for each sample.
    objective
        How the ratios of several samples become one: `worst` for the largest, so that a kernel in
        the result is faster for each sample, `mean` for the geometric mean.
    seed
        The seed of arguments and proposals.
    progress
        Called after each measurement.
    workers
        The number of candidates that are timed at the same time on this machine, each on a core of
        its own; or the machines of a cluster of Ray, `ray` for that of this machine or its address,
        `ray://HOST:10001`; or other workers.
    cost_model
        Makes the model of times of a seed; or the name of a registered one, of any language.
    strategy
        Makes the strategy for a space, a model and a seed; or the name of a registered one.

    Returns
    -------
    result
        The faster kernels and chains: `result.save(path)` writes the file for
        `uir.build(..., tuned=path)`. Ctrl-C ends the search early, with the result so far. If
        workers have several contexts, it is that of the first one, and the database has the rows of
        all.

    Raises
    ------
    ValueError
        If the target is not this machine, a symbolic dimension has no value, the budget, the
        objective or the database is malformed, a cost model or a strategy is not registered or
        breaks its contract, or a pass finds a mistake in the program.
    RuntimeError
        If there is no C compiler, or no worker is left.
    ImportError
        If Ray is not installed.
    """
    seconds = parse_budget(budget) if isinstance(budget, str) else float(budget)
    used, samples = workers_of(workers), Samples.of(sizes or {}, objective)
    settings = Settings(machine_of(target), samples, seed)
    spaces: list[Space] = []
    new_search = partial(
        _kernel_search, trials, partial(_strategy, cost_model, strategy, seed), samples, spaces
    )
    with open_plans(module, settings, used, database) as plans:
        own, search = search_plans(plans, module, settings, used, new_search, seconds, progress)
        notes = [
            *unused_functions(own.kernels),
            *(note for one in spaces for note in one.notes()),
            *_missing_extra(cost_model, strategy, spaces),
        ]
        return own.result(search, notes)


def _kernel_search(
    trials: int | None,
    new_strategy: Callable[[Space], nodes.SearchStrategyFunctions],
    samples: Samples,
    spaces: list[Space],
    plan: Plan,
    kernel: Kernel,
) -> KernelSearch:
    """Return the search for a kernel or a chain of a plan, and keep its space for notes."""
    # Features describe the loops for the last sample, the largest one as users list them.
    spaces.append(space_of(kernel, sizes=samples.sizes[-1]))
    return KernelSearch(
        kernel, spaces[-1], new_strategy(spaces[-1]), plan.store, plan.context.key, trials
    )


def _strategy(
    cost_model: str | NewModel, strategy: str | NewStrategy, seed: int, space: Space
) -> nodes.SearchStrategyFunctions:
    """Return the strategy for a space."""
    if isinstance(cost_model, str):
        model = make_cost_model(cost_model, seed)
    else:
        model = node_of(cost_model(seed))
    if isinstance(strategy, str):
        return make_strategy(strategy, space, model, seed)
    return node_of(strategy(space, model, seed))


def _missing_extra(
    cost_model: str | NewModel, strategy: str | NewStrategy, spaces: Sequence[Space]
) -> Iterator[str]:
    """Yield a note if a strategy would have predicted times by a better model."""
    is_default = cost_model is default_model and strategy is default_strategy
    is_used = is_default and any(space.size() > SMALL for space in spaces)
    if is_used and boosting_package() is None:
        yield (
            "a ridge regression predicts times: install `uir[tune]` for boosted trees, which "
            "predict them better"
        )
