"""Compiles many graphs as one library, runs them and compares their results.

In: graphs.  Out: an outcome for each.  A library is built and run in a process of its own, so that
one that ends the process is an outcome too; a batch that does not build is split.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import uir
from uir import ir, relay
from uir.runtime import as_array, as_tensor

from .calls import Refusal
from .comparison import difference, shown, unexplained
from .evaluation import WrongType
from .graphs import Graph, NoCall, random_graph
from .open_refusals import errors, is_unneeded
from .values import view_of

__all__ = [
    "EQUAL",
    "FAULTS",
    "ROUNDING",
    "Outcome",
    "check_graph",
    "check_graphs",
    "graphs_of",
    "outcomes",
    "run",
]

EQUAL, ROUNDING, DIFFERS, UNBUILT, DEAD = "equal", "rounding", "differs", "unbuilt", "dead"
UNTYPED = "untyped"
STRIDES = "must be compact"
"""What an error says that is about how an argument lies in memory, and not about what it is."""
FAULTS = (DIFFERS, UNBUILT, DEAD, UNTYPED)


class Outcome(NamedTuple):
    """What came of a graph: `kind`, one of those above, and a text that says more."""

    seed: int
    kind: str
    text: str = ""


def graphs_of(seeds: Iterable[int]) -> tuple[list[Graph], list[Outcome]]:
    """Return the graphs of some seeds, and outcomes for those that have none."""
    graphs, untyped = [], []
    for seed in seeds:
        try:
            graphs.append(random_graph(seed))
        except (NoCall, WrongType) as error:
            untyped.append(Outcome(seed, UNTYPED, str(error)))
        except Exception as error:
            # A reference that fails is an outcome too.
            untyped.append(Outcome(seed, UNTYPED, f"{type(error).__name__}: {error}"))
    return graphs, untyped


Check = Callable[[Sequence[Graph]], Iterator[Outcome]]
"""Builds graphs and yields an outcome for each, in order."""


def outcomes(graphs: Sequence[Graph], check: Check | None = None) -> list[Outcome]:
    """Return an outcome for each graph, in order; `check_graphs` finds them without `check`."""
    if not graphs:
        return []
    found = _isolated(graphs, check or check_graphs)
    if len(found) == len(graphs):
        return found
    rest = graphs[len(found) :]
    if len(rest) == 1:
        return [*found, Outcome(rest[0].seed, DEAD, "the process ended")]
    if found:
        # The graph after the last one that ended was being run.
        return [*found, *outcomes(rest[:1], check), *outcomes(rest[1:], check)]
    half = len(rest) // 2
    return [*outcomes(rest[:half], check), *outcomes(rest[half:], check)]


def _isolated(graphs: Sequence[Graph], check: Check) -> list[Outcome]:
    """Return outcomes as far as a process came that builds and runs graphs."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, graphs, check))
    process.start()
    sender.close()
    found = []
    while True:
        try:
            found.append(receiver.recv())
        except EOFError:
            break
    process.join()
    return found


def _send(sender: Connection, graphs: Sequence[Graph], check: Check) -> None:
    for outcome in check(graphs):
        sender.send(outcome)


def check_graphs(graphs: Sequence[Graph]) -> Iterator[Outcome]:
    """Build graphs as one library, and yield an outcome for each."""
    functions = {ir.GlobalVar(graph.symbol): graph.function for graph in graphs}
    # Every second library checks its indices, so that a stray access is an outcome.
    checks = "bounds" if graphs[0].seed // len(graphs) % 2 else ""
    try:
        library = uir.build(ir.IRModule(functions), checks=checks)
    except Exception as error:
        if len(graphs) == 1:
            yield Outcome(graphs[0].seed, UNBUILT, f"{type(error).__name__}: {error}")
            return
        half = len(graphs) // 2
        yield from check_graphs(graphs[:half])
        yield from check_graphs(graphs[half:])
        return
    for graph in graphs:
        yield check_graph(graph, library)


def check_graph(graph: Graph, library: Any) -> Outcome:
    """Run a graph of a library, for all its arguments, and compare results."""
    kind = EQUAL
    for arguments, expected in zip(graph.arguments, graph.expected, strict=True):
        try:
            found = run(graph, library, arguments)
        except Exception as error:
            if isinstance(expected, Refusal) and _is_refused(graph, arguments, error):
                continue
            wanted = f", expected {expected.text}" if isinstance(expected, Refusal) else ""
            return Outcome(graph.seed, DIFFERS, f"{type(error).__name__}: {error}{wanted}")
        if isinstance(expected, Refusal):
            if not is_unneeded(graph.function, arguments, found):
                return Outcome(graph.seed, DIFFERS, f"no error, expected {expected.text}")
            continue
        pairs = list(zip(found, expected, strict=True))
        if all(difference(*pair) is None for pair in pairs):
            continue
        differences = unexplained(graph.function, arguments, found, expected)
        if any(one is not None for one in differences):
            return Outcome(graph.seed, DIFFERS, shown(differences, found, expected))
        kind = ROUNDING
    return Outcome(graph.seed, kind)


def _is_refused(graph: Graph, arguments: list[Any], error: Exception) -> bool:
    """Return whether an error of a call is one that the references have for these arguments."""
    names = errors(graph.function, arguments)
    return type(error).__name__ in names and STRIDES not in str(error)


def run(graph: Graph, library: Any, arguments: list[Any]) -> list[Any]:
    """Return what a function of a library computes, of arguments that lie as the graph says."""
    views = zip(arguments, graph.views, strict=True)
    found = library[graph.symbol](*(as_tensor(view_of(one, view)) for one, view in views))
    # An entry returns the only tensor of a tuple without the tuple.
    result = graph.function.body.result
    is_one = not isinstance(result, relay.Tuple) or len(result.fields) == 1
    return [as_array(tensor) for tensor in ([found] if is_one else list(found))]
