"""Functions that a model defines: their calls are replaced by their nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import onnx
import onnx.inliner
import onnx.shape_inference

__all__ = ["all_nodes", "inline_functions"]

# Inlining so many takes two seconds; functions that call others twice double them at each level.
MOST_NODES = 100_000

# The domain, the name and the overload of a function.
Key: TypeAlias = tuple[str, str, str]


def inline_functions(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model whose graph calls none of the functions that the model defines.

    Raises
    ------
    ValueError
        If a function calls itself, or the functions expand to too many nodes.
    """
    if not model.functions:
        return model
    functions = {key_of(one.domain, one.name, one.overload): one for one in model.functions}
    called = {key: calls_of(one.node, functions) for key, one in functions.items()}
    counts: dict[Key, int] = {}
    for key in callees_first(called):
        nodes = sum(1 for _ in all_nodes(functions[key].node))
        counts[key] = nodes + total(called[key], counts)
    calls = calls_of(model.graph.node, functions)
    if total(calls, counts) > MOST_NODES:
        name = max(calls, key=counts.__getitem__)[1]
        raise ValueError(
            f"from_onnx: the functions of the model expand to more than {MOST_NODES:,} nodes, most "
            f"of them in `{name}`: functions that call others twice, and these others twice, "
            "double them at each level"
        )
    check_calls(model, functions)
    try:
        return onnx.inliner.inline_local_functions(model)
    except (RuntimeError, onnx.shape_inference.InferenceError) as error:
        raise ValueError(f"from_onnx: the functions of the model do not fit: {error}") from error


def key_of(domain: str, name: str, overload: str) -> Key:
    """Return the key by which a call finds a function; ONNX's own domain has two names."""
    return ("" if domain == "ai.onnx" else domain, name, overload)


def all_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Yield nodes, and those of the graphs that are their attributes."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from all_nodes(graph.node)


def calls_of(nodes: Iterable[onnx.NodeProto], functions: Mapping[Key, object]) -> Counter[Key]:
    """Return how often nodes call each function."""
    keys = (key_of(one.domain, one.op_type, one.overload) for one in all_nodes(nodes))
    return Counter(key for key in keys if key in functions)


def check_calls(model: onnx.ModelProto, functions: Mapping[Key, onnx.FunctionProto]) -> None:
    """Check that calls have no more operands and results than their functions.

    Raises
    ------
    ValueError
        If one has more.
    """
    bodies = (model.graph.node, *(one.node for one in functions.values()))
    for node in (node for body in bodies for node in all_nodes(body)):
        function = functions.get(key_of(node.domain, node.op_type, node.overload))
        if function is None:
            continue
        for what in ("input", "output"):
            given, accepted = len(getattr(node, what)), len(getattr(function, what))
            if given > accepted:
                raise ValueError(
                    f"from_onnx: {node.op_type} `{node.name or node.output[0]}` has {given} "
                    f"{what}s, and its function {accepted}"
                )


def total(calls: Counter[Key], counts: Mapping[Key, int]) -> int:
    """Return how many nodes replace calls."""
    return sum(times * counts[key] for key, times in calls.items())


def callees_first(called: Mapping[Key, Counter[Key]]) -> Iterator[Key]:
    """Yield functions after those that they call.

    Raises
    ------
    ValueError
        If a function calls itself.
    """
    left = {key: len(callees) for key, callees in called.items()}
    callers: dict[Key, list[Key]] = {key: [] for key in called}
    for key, callees in called.items():
        for callee in callees:
            callers[callee].append(key)
    ready = [key for key, count in left.items() if not count]
    for key in ready:
        yield key
        for caller in callers[key]:
            left[caller] -= 1
            if not left[caller]:
                ready.append(caller)
    if len(ready) < len(called):
        raise ValueError(
            f"from_onnx: functions call themselves: {text_of_cycle(called, set(ready))}"
        )


def text_of_cycle(called: Mapping[Key, Counter[Key]], without: set[Key]) -> str:
    """Return the names of functions of which each calls the next one, and the last the first."""
    key = next(key for key in called if key not in without)
    path: list[Key] = []
    while key not in path:
        path.append(key)
        key = next(callee for callee in called[key] if callee not in without)
    cycle = [*path[path.index(key) :], key]
    return " calls ".join(f"`{name}`" for _, name, _ in cycle)
