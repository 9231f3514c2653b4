"""Ranges of seeds, with a log of what came of each batch, so that a later run goes on.

In: a range.  Out: a file of JSON lines, one for each batch: the number of graphs with each outcome,
the faults, how the C compiler optimized the batch (`compiler.py`), and the digest of the generator
that made its graphs (`generator.py`).
"""

from __future__ import annotations

import json
import os
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .batches import FAULTS, Outcome, graphs_of, outcomes
from .compiler import BATCH, compiler_of, level_of
from .generator import digest
from .onnx_oracle import compare_with_onnx
from .onnxruntime_oracle import AGAINST_ONNXRUNTIME, compare_with_onnxruntime, is_installed

__all__ = ["BATCH", "Campaign", "Check", "use_cache"]

AGAINST_ONNX = "against onnx"
"""The outcome of a call whose reference differs from ONNX's; the graph has one of its own."""
LOGGED = (*FAULTS, AGAINST_ONNX, AGAINST_ONNXRUNTIME)
"""The outcomes of which the log has more than a count."""

Check = Callable[[range], tuple[list[Outcome], Counter[str]]]


def use_cache(folder: Path) -> None:
    """Keep objects in a small cache of their own: no second run needs them."""
    os.environ["UIR_CACHE_DIR"] = str(folder)
    os.environ.setdefault("UIR_CACHE_LIMIT", str(64 << 20))


def check_random_graphs(batch: range) -> tuple[list[Outcome], Counter[str]]:
    """Return the outcomes of random graphs, and how many calls came out how against ONNX."""
    graphs, untyped = graphs_of(batch)
    found = [*untyped, *outcomes(graphs)]
    nodes: Counter[str] = Counter()
    for graph in graphs:
        try:
            counts, faults = compare_with_onnx(graph)
        except Exception as error:
            # One graph that the comparison is not up to must not end a campaign.
            found.append(Outcome(graph.seed, AGAINST_ONNX, f"{type(error).__name__}: {error}"))
            continue
        nodes.update(counts)
        found += [Outcome(graph.seed, AGAINST_ONNX, fault) for fault in faults]
    if is_installed():
        otherwise, counts = compare_with_onnxruntime(graphs)
        found += otherwise
        nodes.update({f"{kind} of onnxruntime": count for kind, count in counts.items()})
    return found, nodes


class Campaign:
    """One range of seeds and its log.

    Parameters
    ----------
    folder
        Where the log is.
    first, end
        The range.
    check
        Returns outcomes for the seeds of a batch, and counts of what else it compared.
    level
        Says how the batch of a first seed is compiled.
    """

    def __init__(
        self,
        folder: Path,
        first: int,
        end: int,
        check: Check | None = None,
        level: Callable[[int], str] = level_of,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.first, self.end = folder, first, end
        self.check, self.level = check or check_random_graphs, level
        self.path = folder / f"seeds-{first}-{end}.jsonl"
        self.lines = {line["first"]: line for line in _read(self.path)}
        if self.path.exists() and not self.path.read_bytes().endswith(b"\n"):
            self.path.open("a", encoding="utf-8").write("\n")

    def batches(self) -> Iterator[range]:
        """Yield the batches that the log does not have, then those in which a graph differed."""
        again = [first for first, line in self.lines.items() if line["faults"]]
        new = [one for one in range(self.first, self.end, BATCH) if one not in self.lines]
        for first in (*new, *again):
            yield range(first, min(first + BATCH, self.end))

    def run(self, batch: range) -> list[Outcome]:
        """Run a batch and append its line to the log."""
        before, level = _cpu_seconds(), self.level(batch.start)
        with compiler_of(level, self.folder):
            found, nodes = self.check(batch)
        line = {
            "first": batch.start,
            "generator": digest(),
            "level": level,
            "counts": dict(Counter(one.kind for one in found)),
            "nodes": dict(nodes),
            "seconds": round(_cpu_seconds() - before, 2),
            "faults": [one._asdict() for one in found if one.kind in LOGGED],
        }
        self.lines.pop(batch.start, None)
        self.lines[batch.start] = line
        with self.path.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        return found

    def counts(self, what: str = "counts") -> Counter[str]:
        """Return how many graphs came out how, or how many calls `nodes` of ONNX."""
        total: Counter[str] = Counter()
        for line in self.lines.values():
            total.update(line[what])
        return total

    def faults(self) -> list[dict[str, Any]]:
        """Return the graphs that differ, do not build or end the process."""
        return [fault for line in self.lines.values() for fault in line["faults"]]

    def progress(self) -> str:
        """Return a line: how far the range is, and how long the last batch took."""
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts().items()))
        last = next(reversed(self.lines.values()))
        faults = "".join(
            f"\n  {one['seed']} {one['kind']}: {one['text']}" for one in last["faults"]
        )
        batch = f"{last['first']} ({last['level']}) took {last['seconds']} s of CPU"
        return f"{self.first}:{self.end}: {counts}; batch {batch}{faults}"

    def summary(self) -> str:
        """Return how many graphs a minute of CPU takes, and the seeds of the faults."""
        seconds = sum(line["seconds"] for line in self.lines.values())
        pace = round(60 * self.counts().total() / max(seconds, 0.01))
        seeds = ", ".join(str(one["seed"]) for one in self.faults()) or "none"
        nodes = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts("nodes").items()))
        calls = f"calls against ONNX: {nodes}; " if nodes else ""
        return f"{pace} graphs a minute of CPU; {calls}to look at: {seeds}; log: {self.path}"


def _read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log; one that was cut short by the end of a run is left out."""
    if not path.exists():
        return []
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return lines


def _cpu_seconds() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)
