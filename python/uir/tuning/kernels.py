"""The kernels of a module, after fusion and with the choices of the recipes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uir_nodes.ir import GlobalVar, IntImm, IRModule
from uir_nodes.target import Target
from uir_nodes.tir import PrimFunc
from uir_nodes.transform import Pass

from ..driver import default_pipeline
from ..schedule import kernel_hash, trace_of
from ..transform import Sequential
from .context import resolved_isa

__all__ = ["Kernel", "kernels_of", "recipe_passes", "resolved_target", "runs_on_threads"]

_FIRST_RECIPE = "ClassifyBlocks"
_LAST_RECIPE = "ScheduleFallback"


@dataclass(frozen=True)
class Kernel:
    """A kernel of a module.

    Attributes
    ----------
    name
        The name of the function.
    hash
        Its structural hash, `uir.schedule.kernel_hash`.
    module
        The module that is built and timed: the function before the recipes, public as `main`.
    trace
        The choices of the recipes.
    isa
        The instruction set.
    """

    name: str
    hash: str
    module: IRModule
    trace: tuple[str, ...]
    isa: str

    @property
    def func(self) -> PrimFunc:
        """The function `main`."""
        func = self.module["main"]
        assert isinstance(func, PrimFunc)
        return func

    @property
    def flops(self) -> int | None:
        """The floating-point operations of a call; None if they depend on symbolic sizes."""
        flops = self.func.get_attr("flops")
        return int(flops.value) if isinstance(flops, IntImm) else None

    @property
    def is_parallel(self) -> bool:
        """Whether a recipe runs a loop of it on several threads."""
        return runs_on_threads(self.trace)


def runs_on_threads(trace: Sequence[str]) -> bool:
    """Return whether a line of a trace, or a list of primitives in it, runs a loop on threads."""
    return any("parallel=1" in line or "parallel(" in line for line in trace)


def kernels_of(
    module: IRModule, target: Target | None = None, isa: str | None = None
) -> dict[str, list[Kernel]]:
    """Return the kernels of a module that recipes schedule.

    Parameters
    ----------
    module
        The module, as `uir.build` takes it.
    target
        The machine; None for this one.
    isa
        The instruction set, if the machine is another one; None for that of the target.

    Returns
    -------
    kernels
        By structural hash: the equal functions, which share their choices. The fused module decides
        the order.

    Raises
    ------
    ValueError
        If the target is not this machine, or a pass finds a mistake in the program.
    """
    machine = resolved_target(target, isa)
    known = str(machine.isa)
    before, recipes, _ = recipe_passes(machine)
    fused = Sequential(before, name="kernels")(module)
    traces = trace_of(Sequential(recipes, name="recipes")(fused))
    found: dict[str, list[Kernel]] = {}
    for variable, func in fused.functions.items():
        trace = traces.get(str(variable.name_hint))
        if trace and isinstance(func, PrimFunc):
            kernel = _kernel(variable, func, trace, known)
            found.setdefault(kernel.hash, []).append(kernel)
    return found


def resolved_target(target: Target | None, isa: str | None) -> Target:
    """Return a target, this machine for None, for an instruction set or for its own one.

    Raises
    ------
    ValueError
        If no instruction set is given, and the target is not this machine.
    """
    given = target or Target()
    known = isa or resolved_isa(given)
    return Target(given.kind, known, given.checks, division=given.division, glibc=given.glibc)


def recipe_passes(target: Target) -> tuple[Sequence[Pass], Sequence[Pass], Sequence[Pass]]:
    """Return the passes of `default_pipeline` before the recipes, the recipes, and the others."""
    passes = default_pipeline(target)
    names = [str(one.pass_info.name) for one in passes]
    first, last = names.index(_FIRST_RECIPE), names.index(_LAST_RECIPE) + 1
    return passes[:first], passes[first:last], passes[last:]


def _kernel(variable: GlobalVar, func: PrimFunc, trace: Sequence[str], isa: str) -> Kernel:
    public = func.with_attrs({"global_symbol": "main"})
    module = IRModule({GlobalVar("main"): public})
    return Kernel(str(variable.name_hint), str(kernel_hash(func)), module, tuple(trace), isa)
