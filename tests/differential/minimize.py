"""Makes a graph that differs as small as it can be, and writes it as script with its arguments."""

from __future__ import annotations

import numpy as np

import uir
from uir import ir
from uir.relay.dimensions import Dimensions
from uir.runtime import numpy_dtype
from uir.testing import reduce

from .batches import EQUAL, ROUNDING, Outcome, outcomes
from .calls import Skipped, result_of
from .evaluation import Array, WrongType, values_of
from .graphs import Graph

__all__ = ["minimal", "report"]


def minimal(graph: Graph) -> tuple[Graph, Outcome]:
    """Return the smallest graph that comes out as this one, and its outcome; itself if equal."""
    for size in range(len(graph.arguments)):
        one = graph._replace(
            arguments=graph.arguments[size : size + 1], expected=graph.expected[size : size + 1]
        )
        outcome = outcomes([one])[0]
        if outcome.kind not in (EQUAL, ROUNDING):
            return _minimal(one, outcome)
    return graph, outcome


def _minimal(graph: Graph, outcome: Outcome) -> tuple[Graph, Outcome]:
    values = values_of(graph.function, graph.arguments[0])

    def again(module: ir.IRModule) -> Graph | None:
        """Return the graph of a smaller module, with the values that its parameters had."""
        function = module.lookup("main")
        if any(one.name not in values for one in function.params):
            return None
        arguments = [_fitting(values[one.name], one.type_annotation) for one in function.params]
        try:
            expected = result_of(function, arguments)
        except (Skipped, WrongType):
            return None
        views = ["compact" for _ in arguments]
        return Graph(graph.seed, function, graph.names, [arguments], [expected], views)

    def shows(module: ir.IRModule) -> bool:
        candidate = again(module)
        return candidate is not None and outcomes([candidate])[0].kind == outcome.kind

    main = ir.IRModule({ir.GlobalVar("main"): graph.function})
    try:
        found = again(reduce(main, shows, attempts=300))
    except ValueError:
        # It differs as its arguments lie in memory alone.
        return graph, outcome
    assert found is not None, "the smallest module shows the fault"
    return found, outcomes([found])[0]


def _fitting(array: Array, type_: ir.TensorType) -> Array:
    """Return the first elements of an array, as many as a type has, in its data type."""
    dimensions = Dimensions()
    sizes = [int(dim.value) if isinstance(dim, ir.IntImm) else None for dim in type_.shape]
    cut = array[tuple(slice(size) for size in sizes)]
    dimensions.match(cut.shape, type_.shape, "the argument")
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(cut.astype(numpy_dtype(type_.dtype))).reshape(cut.shape)


def report(graph: Graph, outcome: Outcome) -> str:
    """Return a graph as script, with its seed, its arguments and what came of it."""
    module = ir.IRModule({ir.GlobalVar("main"): graph.function})
    lines = [f"seed {graph.seed}: {outcome.kind}: {outcome.text}", uir.script.print(module)]
    for param, array in zip(graph.function.params, graph.arguments[0], strict=True):
        lines.append(f"{param.name} = np.array({array.tolist()}, {str(array.dtype)!r})")
    return "\n".join(lines)
