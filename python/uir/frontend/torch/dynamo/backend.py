"""The backend: from graphs of dynamo, by AOTAutograd, to functions that `torch.compile` calls."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ..importer import default_decompositions
from .options import Options
from .partition import with_compiled_parts
from .report import warn_of_gradients

__all__ = ["compile_graph"]

# Operators that AOTAutograd leaves whole, and that are imported so.
WHOLE = ("_scaled_dot_product_flash_attention_for_cpu",)

# Operators that it makes of those that `torch.export` leaves whole.
TAKEN_APART = ("upsample_bicubic2d", "upsample_bilinear2d", "upsample_trilinear3d")


def compile_graph(
    graph: Any,
    inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
    name: str | None = None,
) -> Callable[..., Any]:
    """Compile a graph of dynamo: `torch.compile(model, backend="uir")` calls this function.

    Operators that are not supported run eagerly between the compiled parts, and a warning of the
    logger `uir.frontend.torch` names them once. Graphs whose results need gradients run eagerly as
    a whole, with a warning. Changes of inputs and buffers, and results that are views of inputs,
    are those of eager execution.

    Parameters
    ----------
    graph
        A `torch.fx.GraphModule`.
    inputs
        Its inputs: tensors without memory, and sizes.
    options
        Options of `torch.compile`: `threads`, `checks`, `target`, `tuned` and `freeze`. `threads`
        is the number of threads of loops during a call, or None for that of the process. `freeze`
        is None to pack weights and compare their elements in each call, True to pack them and
        compare only their versions, or False to read them in place. The others are parameters of
        `uir.build`.
    mode
        The mode of `torch.compile`, of which this backend has none.
    name
        The name of `torch.compile`, which this backend does not use.

    Returns
    -------
    Callable
        Takes tensors on the CPU and numbers, and returns a sequence of the results of the graph.

    Raises
    ------
    ValueError
        If an option is unknown or its value is wrong, or there is a mode.
    RuntimeError
        If there is no C compiler, or it fails.
    """
    if mode is not None:
        raise ValueError(f"the backend `uir` has no modes, got `{mode}`: give `options` instead")
    chosen = Options.of(options or {})
    common = importlib.import_module("torch._dynamo.backends.common")

    def compiled(module: Any, _: Sequence[Any]) -> Callable[..., Any]:
        return boxed(with_compiled_parts(module, chosen))

    backend = common.aot_autograd(
        fw_compiler=eager,
        bw_compiler=lambda module, _: boxed(module),
        inference_compiler=compiled,
        decompositions=decompositions(),
    )
    function: Callable[..., Any] = backend(graph, inputs)
    return function


def eager(module: Any, _: Sequence[Any]) -> Callable[..., Any]:
    """Return the forward pass of a graph that needs gradients, which runs eagerly."""
    warn_of_gradients(module.graph)
    return boxed(module)


def boxed(module: Any) -> Callable[..., Any]:
    """Return a function that takes its arguments as a list, which it empties."""
    made: Callable[..., Any] = importlib.import_module("functorch.compile").make_boxed_func(
        module.forward
    )
    return made


@cache
def decompositions() -> dict[Any, Any]:
    """Return the functions that take operators of a graph apart into those that are imported."""
    aten = importlib.import_module("torch").ops.aten
    table = default_decompositions()
    for name in WHOLE:
        table.pop(getattr(aten, name).default, None)
    apart = [getattr(aten, name).default for name in TAKEN_APART]
    return {**table, **importlib.import_module("torch._decomp").get_decompositions(apart)}
