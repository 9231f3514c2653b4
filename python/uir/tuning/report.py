"""A page about the results of searches: gains, curves, and the choices before and after."""

from __future__ import annotations

import difflib
import html
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from ..runtime.html import Bar, fragment, rows_table
from .context import Context
from .database import Row
from .result import tuned_chains, tuned_kernels
from .shares import KernelTime

__all__ = ["report_page"]

_WIDTH, _HEIGHT = 480, 100


def report_page(rows: Sequence[Row], context: Context, times: Mapping[str, KernelTime]) -> str:
    """Return a page of HTML, which loads nothing from elsewhere.

    Parameters
    ----------
    rows
        The rows of one context.
    context
        The context.
    times
        The shares of kernels by hash, and how near they were to the peak of the machine.

    Returns
    -------
    page
        The gain of each kernel, its share of the time, and how near it is to the peak of the
        machine; then for each the outcomes of its candidates, the best time after each of them, and
        the lines of its trace that changed.
    """
    names = {row.kernel: row.name for row in rows}
    gains = {one.kernel: one.gain for one in (*tuned_chains(rows), *tuned_kernels(rows))}
    order = sorted(names, key=lambda kernel: -gains.get(kernel, 1.0))
    where = f"{context.processor}, {context.isa}, {context.cores} cores, {context.compiler}"
    largest = max(gains.values(), default=1.0)
    table = rows_table(
        where,
        ["kernel", "hash", "gain", "share of the time", "of the peak, before", "after"],
        [
            (
                names[one],
                one,
                Bar(gains.get(one, 1.0) / largest, f"{gains.get(one, 1.0):.2f}"),
                *_nearness(times.get(one), gains.get(one, 1.0)),
            )
            for one in order
        ],
    )
    parts = [_kernel(names[one], [row for row in rows if row.kernel == one]) for one in order]
    body = fragment("<h1>Tuned kernels</h1>" + table + "".join(parts))
    head = '<meta charset="utf-8"><title>Tuned kernels</title>'
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>\n"


def _nearness(time: KernelTime | None, gain: float) -> tuple[str, str, str]:
    """Return the share of a kernel, and its nearness to the peak before and after the search."""
    if time is None:
        return "", "", ""
    if time.peak is None:
        return f"{time.share:.1%}", "", ""
    return f"{time.share:.1%}", f"{time.peak:.0%}", f"{time.peak * gain:.0%}"


def _kernel(name: str, rows: Sequence[Row]) -> str:
    search = [row for row in rows if row.series == "search"]
    counts = Counter(row.reason if row.outcome == "ok" else row.outcome for row in search)
    said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    title = f"<h2>{html.escape(name)}</h2><div>{html.escape(said)}</div>"
    return title + _curve(search) + "".join(_changes(rows))


def _curve(rows: Sequence[Row]) -> str:
    """Return the best time after each candidate, as a drawing from 0 to the recipes' time."""
    times = [row.ratio if row.ratio and row.reason == "faster" else 1.0 for row in rows]
    best = list(accumulate([1.0, *times], min))
    step = _WIDTH / max(len(best) - 1, 1)
    points = " ".join(
        f"{place * step:.1f},{_HEIGHT * (1 - time):.1f}" for place, time in enumerate(best)
    )
    line = f'<polyline points="{points}" fill="none" stroke="var(--uir-bar)" stroke-width="2"/>'
    box = f'viewBox="0 -4 {_WIDTH} {_HEIGHT + 8}" width="{_WIDTH}" height="{_HEIGHT + 8}"'
    return f"<svg {box}>{line}</svg>"


def _changes(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the changed lines of the confirmed trace."""
    for one in (*tuned_chains(rows), *tuned_kernels(rows)):
        before = next(row.against for row in rows if row.series == "confirm")
        lines = difflib.unified_diff(before, one.trace, "before", "after", lineterm="", n=0)
        yield f"<pre>{html.escape(chr(10).join(lines))}</pre>"
