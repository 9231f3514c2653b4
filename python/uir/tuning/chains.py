"""The chains of a module, whose functions share tensors with channels, and their layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from uir_nodes.ir import GlobalVar, IRModule
from uir_nodes.target import Target
from uir_nodes.tir import Call, PrimFunc
from uir_nodes.transform import Pass

from ..driver import default_pipeline
from ..ir import post_order
from ..schedule import ReplayKernels, ReplayLayouts, chain_layouts, chains, kernel_hash
from ..transform import Sequential
from .kernels import Kernel, recipe_passes, resolved_target
from .shares import KernelTime
from .space import Space, Trace
from .trace_line import LAYOUTS, is_layout

__all__ = ["Chain", "LayoutSpace", "chain_times", "chains_of", "replay_passes"]


@dataclass(frozen=True)
class Chain(Kernel):
    """A chain of functions whose tensors have channels, which is timed with its copies.

    It is searched as a kernel is. Its trace is the layout that the rule of `AlterLayout` chooses.

    Attributes
    ----------
    layouts
        The layouts, first that of the rule.
    kernels
        The hashes of its kernels with the layout of the rule.
    has_threads
        Whether one of these runs on several threads.
    """

    layouts: tuple[Trace, ...] = ()
    kernels: tuple[str, ...] = ()
    has_threads: bool = False

    @property
    def is_parallel(self) -> bool:
        """Whether one of its kernels runs a loop on several threads."""
        return self.has_threads


class LayoutSpace(Space):
    """The layouts of a chain."""

    def __init__(self, chain: Chain) -> None:
        self._layouts = chain.layouts

    @property
    def default(self) -> Trace:  # noqa: D102 - as the base
        return self._layouts[0]

    def size(self) -> int:  # noqa: D102 - as the base
        return len(self._layouts)

    def traces(self) -> Iterator[Trace]:  # noqa: D102 - as the base
        yield from self._layouts

    def draw(self, random: Random) -> Trace:  # noqa: D102 - as the base
        return random.choice(self._layouts)

    def change(self, trace: Trace, random: Random) -> Trace:  # noqa: D102 - as the base
        return self.draw(random)

    def refusal(self, trace: Trace) -> str:  # noqa: D102 - as the base
        return "" if trace in self._layouts else "it is not a layout of this chain"

    def features(self, trace: Trace) -> tuple[float, ...]:  # noqa: D102 - as the base
        return tuple(float(trace == one) for one in self._layouts)


def chains_of(
    module: IRModule,
    kernels: Mapping[str, Sequence[Kernel]],
    target: Target | None = None,
    isa: str | None = None,
) -> dict[str, list[Chain]]:
    """Return the chains of a module that have several layouts.

    Parameters
    ----------
    module
        The module, as `uir.build` takes it.
    kernels
        Its kernels, as `kernels_of` returns them.
    target
        The machine; None for this one.
    isa
        The instruction set, if the machine is another one; None for that of the target.

    Returns
    -------
    chains
        By structural hash, each alone in its list.

    Raises
    ------
    ValueError
        If the target is not this machine, or a pass finds a mistake in the program.
    """
    machine = resolved_target(target, isa)
    fused = Sequential(_passes_before_layouts(machine), name="chains")(module)
    return {
        str(key): [_chain(str(key), chain, kernels, machine)]
        for key, chain in chains(fused).items()
    }


def chain_times(
    found: Mapping[str, Sequence[Chain]], times: Mapping[str, KernelTime]
) -> dict[str, KernelTime]:
    """Return the time of each chain: that of its kernels, which may be part of other chains too."""
    return {
        key: KernelTime(min(sum(times[one].share for one in chain.kernels), 1.0))
        for key, (chain, *_) in found.items()
    }


def replay_passes(key: str, trace: Trace, isa: str) -> list[Pass]:
    """Return the passes that lower a kernel or a chain with a trace."""
    target = Target("c", isa)
    if not is_layout(trace):
        _, recipes, rest = recipe_passes(target)
        return [ReplayKernels({key: list(trace)}, isa), *recipes, *rest]
    passes = default_pipeline(target)
    before = _passes_before_layouts(target)
    return [ReplayLayouts({key: list(trace)}), *passes[len(before) :]]


def _passes_before_layouts(target: Target) -> Sequence[Pass]:
    passes = default_pipeline(target)
    names = [str(one.pass_info.name) for one in passes]
    return passes[: names.index(LAYOUTS)]


def _chain(
    key: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]], machine: Target
) -> Chain:
    before, _, _ = recipe_passes(machine)
    after = before[len(_passes_before_layouts(machine)) :]
    laid_out = Sequential(after, name="chain")(module)
    funcs = (func for func in laid_out.functions.values() if isinstance(func, PrimFunc))
    hashes = (str(kernel_hash(func)) for func in funcs)
    own = tuple(dict.fromkeys(one for one in hashes if one in kernels))
    layouts = tuple(tuple(map(str, one)) for one in chain_layouts(module))
    has_threads = any(kernels[one][0].is_parallel for one in own)
    return Chain(
        _name(module), key, module, layouts[0], str(machine.isa), layouts, own, has_threads
    )


def _name(module: IRModule) -> str:
    """Return the name of a chain: those of its first and last function."""
    calls = [call.op for call in post_order(module["main"], Call)]
    names = [str(one.name_hint) for one in calls if isinstance(one, GlobalVar)]
    return names[0] if len(names) == 1 else f"{names[0]}..{names[-1]}"
