"""Compares chains of operators that are fused with the same ones that are not.

    python -m tests.differential.fusion (pairs | kinds | triples)[:FIRST:END]

builds the chains of a range, fifty to a library, once by the default pipeline and once without the
passes that fuse; `make fusion` runs all. A second run goes on where the first one stopped.

Both are compiled without `fma`, so that results have the same bits, but for sums: a loop over rows
adds in another order. Those may differ as much as errors of rounding make the references differ.
"""

from __future__ import annotations

import platform
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import uir
from uir import driver, ir, target, transform

from .batches import DIFFERS, EQUAL, ROUNDING, UNBUILT, Outcome, outcomes, run
from .campaign import Campaign, Check, use_cache
from .chains import Names, chain, kind_triples, pairs, sampled_triples
from .comparison import difference, explained
from .compiler import PLAIN
from .graphs import OPERATORS, Graph
from .values import is_float

__all__ = ["CHAINS", "UNFUSED", "check_fusion", "checked"]

UNFUSED = ["FuseOps", "FuseAttention", "FuseElementwise"]
# GCC 12 fails on vectors of 512 bits where it does not optimize.
ISA = "x86-64-v3" if platform.machine() == "x86_64" else "native"
MACHINE = target.Target("c", ISA)
# Fusion is a matter of passes: the compiler need not optimize.
FLAGS = [f"-march={ISA}", "-O0", "-ffp-contract=off"]
FOLDER = Path(__file__).resolve().parents[2] / "build" / "fusion"
CHAINS: dict[str, Callable[[], list[Names]]] = {
    "pairs": pairs,
    "kinds": kind_triples,
    "triples": sampled_triples,
}
UNMADE = "no such chain"
OPEN_SIGNS = ("max", "min", "maximum", "minimum", "clip", "relu", "max_pool", "topk")
"""Operators of which the sign of a zero is not said."""
UNORDERED = ("reduction", "row", "contraction", "window", "opaque")
"""Kinds of operators whose terms have no order that is kept."""


def check_fusion(graphs: Sequence[Graph]) -> Iterator[Outcome]:
    """Build graphs with fusion and without, and yield an outcome for each."""
    try:
        fused, unfused = library(graphs, []), library(graphs, UNFUSED)
    except Exception as error:
        if len(graphs) == 1:
            yield Outcome(graphs[0].seed, UNBUILT, f"{type(error).__name__}: {error}")
            return
        half = len(graphs) // 2
        yield from check_fusion(graphs[:half])
        yield from check_fusion(graphs[half:])
        return
    for graph in graphs:
        yield compared(graph, fused, unfused)


def library(graphs: Sequence[Graph], disabled: list[str]) -> Any:
    """Compile graphs as one library without some passes."""
    functions = {ir.GlobalVar(graph.symbol): graph.function for graph in graphs}
    with transform.PassContext(disabled_pass=disabled):
        module = uir.lower(ir.IRModule(functions), MACHINE)
    text, constants = target.emit_c(module, MACHINE), target.constant_bytes(module)
    return driver.compile_c(str(text), FLAGS, constants)


def compared(graph: Graph, fused: Any, unfused: Any) -> Outcome:
    """Run a graph of both libraries, for all its arguments, and compare the results."""
    kind = EQUAL
    for arguments, expected in zip(graph.arguments, graph.expected, strict=True):
        found = called(graph, fused, arguments)
        wanted = called(graph, unfused, arguments)
        if isinstance(found, str) or isinstance(wanted, str):
            if found != wanted:
                return Outcome(graph.seed, DIFFERS, f"{found!r}, unfused {wanted!r}")
            continue
        if all(map(same_bits, found, wanted)):
            continue
        kind = ROUNDING
        if has_order(graph):
            return Outcome(graph.seed, DIFFERS, "bits differ")
        if all(difference(*pair) is None for pair in zip(found, wanted, strict=True)):
            continue
        if not explained(graph.function, arguments, found, expected):
            return Outcome(graph.seed, DIFFERS, "values differ")
    return Outcome(graph.seed, kind)


def called(graph: Graph, built: Any, arguments: list[Any]) -> Any:
    """Return the results of a graph, or the text of its error."""
    try:
        return run(graph, built, arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def has_order(graph: Graph) -> bool:
    """Return whether each operator of a graph says every bit of its result."""
    return not any(
        name in OPEN_SIGNS or OPERATORS[name].traits["kind"] in UNORDERED for name in graph.names
    )


def same_bits(found: Any, wanted: Any) -> bool:
    """Return whether arrays have the same bits; one NaN is as good as another."""
    if (found.shape, found.dtype) != (wanted.shape, wanted.dtype):
        return False
    if not is_float(wanted.dtype):
        return bool((found == wanted).all())
    x, y = found.astype("float64"), wanted.astype("float64")
    return bool((np.isnan(x) & np.isnan(y) | (x == y) & (np.signbit(x) == np.signbit(y))).all())


def outcomes_of_chains(what: str) -> Check:
    """Return what checks the chains of `CHAINS` at some places."""
    every = CHAINS[what]()

    def check(places: range) -> tuple[list[Outcome], Counter[str]]:
        return checked([(place, every[place]) for place in places]), Counter()

    return check


def checked(numbered: Sequence[tuple[int, Names]]) -> list[Outcome]:
    """Return an outcome for each chain, in order."""
    made = {number: chain(number, names) for number, names in numbered}
    graphs = [one for one in made.values() if one is not None]
    found = {one.seed: one for one in outcomes(graphs, check_fusion)}
    return [
        found[number]._replace(text=f"{' '.join(names)}: {found[number].text}")
        if number in found
        else Outcome(number, UNMADE)
        for number, names in numbered
    ]


def main() -> int:
    """Run the chains that the argument names."""
    what, *limits = sys.argv[1].split(":")
    first, end = (int(one) for one in limits or (0, len(CHAINS[what]())))
    # Means of no elements: NumPy warns besides giving NaN.
    warnings.simplefilter("ignore", RuntimeWarning)
    use_cache(FOLDER / what / "cache")
    campaign = Campaign(FOLDER / what, first, end, outcomes_of_chains(what), lambda _: PLAIN)
    for batch in campaign.batches():
        campaign.run(batch)
        print(what, campaign.progress(), flush=True)
    print(what, campaign.summary())
    return 1 if campaign.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
