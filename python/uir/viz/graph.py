"""`graph`: from a function on tensors, and maybe its profile, to a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from uir_nodes.ir import IRModule
from uir_nodes.relay import Function
from uir_nodes.runtime import KernelProfile, Profile

from ..runtime.units import time_text
from .drawing import Drawing
from .layout import places_of
from .steps import Flow, Step, fold_steps, steps_of

__all__ = ["graph"]


def graph(
    function: Function | IRModule,
    *,
    name: str = "main",
    fold: Callable[[Step], str | None] | None = None,
    profile: Profile | None = None,
) -> Drawing:
    """Draw the calls of a function on tensors, from its parameters down to its result.

    A line is a value, with its type at its begin. Constants are counted in the boxes that take
    them. A call of a function of the module is one box; notebooks show the function below, folded.

    Parameters
    ----------
    function
        The function, or a module.
    name
        The name of the function in a module.
    fold
        Returns the name of a group for a step, or None: all steps of a group are one box. For
        example, `lambda step: step.source` folds the steps that one line or node was made from.
    profile
        A result of `uir.runtime.profile`: boxes show the times of the kernels that were made from
        them. A kernel of several operators is shown at those of its line of source.

    Returns
    -------
    Drawing
        The picture, which notebooks show; `to_svg` returns it as text.

    Raises
    ------
    ImportError
        If the package `igraph` is not installed.
    TypeError
        If it is not a function of relay.
    ValueError
        If the module has no such function.

    Examples
    --------
    >>> uir.viz.graph(module, profile=profile).save("network.svg")
    """
    module = function if isinstance(function, IRModule) else None
    found = function if module is None else module.lookup(name)
    if not isinstance(found, Function):
        raise TypeError(f"graph: expected a function of relay, got `{type(found).__name__}`")
    flow = steps_of(found)
    parts = () if module is None else tuple(_parts(module, flow, {name}))
    flow = flow if fold is None else fold_steps(flow, fold)
    draw = partial(Drawing, name, flow, places_of(flow), parts=parts)
    if profile is None:
        return draw()
    times, notes = _times(flow, profile)
    return draw(times, notes)


def _parts(module: IRModule, flow: Flow, drawn: set[str]) -> Iterator[Drawing]:
    """Yield pictures of the functions of relay that steps call, each once."""
    for callee in dict.fromkeys(step.callee for step in flow.steps):
        if not callee or callee in drawn:
            continue
        function = module.lookup(callee)
        if isinstance(function, Function):
            drawn.add(callee)
            inner = steps_of(function)
            yield Drawing(callee, inner, places_of(inner))
            yield from _parts(module, inner, drawn)


def _times(flow: Flow, profile: Profile) -> tuple[dict[int, tuple[str, float]], tuple[str, ...]]:
    """Return the times of steps with their shares, and lines about kernels without a step."""
    times: dict[int, tuple[str, float]] = {}
    notes: list[str] = []
    total = profile.total or 1.0
    for kernel in profile.kernels:
        text = f"{time_text(kernel.total / profile.calls)}, {kernel.total / total:.0%}"
        places = [place for place, step in enumerate(flow.steps) if _is_of(kernel, step)]
        for place in places:
            # A box has room for one kernel; that with the most time comes first.
            times.setdefault(place, (text, kernel.total / total))
        if not places:
            notes.append(f"{kernel.name} ({kernel.source or 'source unknown'}): {text}")
    return times, tuple(notes)


def _is_of(kernel: KernelProfile, step: Step) -> bool:
    """Return whether a kernel was made from a step, or from a member of a group."""
    if any(_is_of(kernel, one) for one in step.members):
        return True
    if step.callee:
        return step.callee == str(kernel.name)
    is_named = f"_{step.name}_" in f"_{kernel.name}_"
    return bool(step.source) and is_named and step.source == str(kernel.source)
