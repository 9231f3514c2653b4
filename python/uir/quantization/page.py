"""The page of a report: a picture of the errors of layers, and the table."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ..runtime.html import Bar, fragment, rows_table
from .differences import Difference
from .report import HEAD, LayerRow, Report, decibels_text

__all__ = ["report_html", "write_page"]

STEP, HEIGHT, LEFT, TOP = 16, 220, 48, 12
SVG_STYLE = """\
.uir-errors text { fill: var(--uir-muted); font: 11px sans-serif; }
.uir-errors line { stroke: var(--uir-line); } .uir-errors .limit { stroke: var(--uir-keyword); }
.uir-errors polyline { fill: none; stroke-width: 1.5; }
.uir-errors .alone { stroke: var(--uir-bar); fill: var(--uir-bar); }
.uir-errors .model { stroke: var(--uir-decorator); fill: var(--uir-decorator); }
.uir-errors polyline.alone, .uir-errors polyline.model { fill: none; }
.uir-errors .float { stroke: var(--uir-keyword); fill: none; }
"""


def write_page(report: Report, path: str | os.PathLike[str]) -> None:
    """Write a report as a page of HTML, which loads nothing.

    Parameters
    ----------
    report
        The report.
    path
        The file; its folder is created if missing.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    title = html.escape(report.title)
    head = f'<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>{title}'
    body = f"<body><h1>{title}</h1>{report_html(report)}</body>"
    text = f'<!doctype html><html lang="en"><head>{head}</title></head>{body}</html>\n'
    file.write_text(text, "utf-8", newline="\n")


def report_html(report: Report) -> str:
    """Return the picture and the table as a fragment of HTML."""
    best = max((height_of(row.alone) for row in report.layers), default=0.0) or 1.0
    errors = [(height_of(row.alone) / best if row.alone else 0.0) for row in report.layers]
    bars = [*errors, *(0.0 for _ in report.outputs)]
    rows: list[list[str | Bar]] = [
        [*cells[:2], Bar(share, cells[2]), *cells[3:]]
        for cells, share in zip(report.cells(), bars, strict=True)
    ]
    table = rows_table(report.summary, HEAD, rows)
    return f"<style>{SVG_STYLE}</style>{fragment(f'{picture(report)}{table}')}"


def height_of(found: Difference | None) -> float:
    """Return a ratio in dB from 0 to 100, which is also that of exact values."""
    return min(max(found.decibels, 0.0), 100.0) if found else 0.0


def picture(report: Report) -> str:
    """Return the ratios of layers, in order, as SVG; higher is better."""
    rows = report.layers
    found = [height_of(one) for row in rows for one in (row.alone, row.in_model) if one]
    top = 10 * math.ceil(max([*found, 10.0]) / 10)
    width = max(LEFT + STEP * len(rows) + 16, 320)
    parts = [*grid(top, width), limit(report.max_error, top, width)]
    parts += curve(report, "alone", lambda row: row.alone, top)
    parts += curve(report, "model", lambda row: row.in_model, top)
    label = "ratio of signal to noise of each layer in dB"
    legend = (
        f'<text x="{LEFT}" y="{TOP + HEIGHT + 16}">layers in order: alone '
        '<tspan class="alone">&#9632;</tspan>, in the model <tspan class="model">&#9632;</tspan>, '
        'in float32 <tspan class="float">&#9633;</tspan></text>'
    )
    size = f'width="{width}" height="{TOP + HEIGHT + 24}"'
    return (
        f'<svg class="uir-errors" role="img" aria-label="{label}" {size}>'
        f"{''.join(parts)}{legend}</svg>"
    )


def level(decibels: float, top: int) -> float:
    """Return the height of a ratio in the picture."""
    return round(TOP + HEIGHT * (1 - decibels / top), 1)


def grid(top: int, width: int) -> Iterator[str]:
    """Yield the lines of multiples of 10 dB."""
    for decibels in range(0, top + 1, 10):
        y = level(decibels, top)
        yield f'<line x1="{LEFT}" y1="{y}" x2="{width}" y2="{y}"/>'
        yield f'<text x="4" y="{y + 4}">{decibels} dB</text>'


def limit(max_error: float, top: int, width: int) -> str:
    """Return the line of the largest error."""
    decibels = -20 * math.log10(max_error) if 0 < max_error < 1 else 0.0
    if decibels > top:
        return ""
    y = level(decibels, top)
    return (
        f'<line class="limit" stroke-dasharray="5 4" x1="{LEFT}" y1="{y}" x2="{width}" y2="{y}"/>'
    )


def curve(
    report: Report, kind: str, value: Callable[[LayerRow], Difference | None], top: int
) -> Iterator[str]:
    """Yield the line and the points of one kind of errors."""
    points = [
        (LEFT + STEP * place + STEP // 2, level(height_of(one), top), row, one)
        for place, row in enumerate(report.layers)
        if (one := value(row)) is not None
    ]
    line = " ".join(f"{x},{y}" for x, y, _, _ in points)
    yield f'<polyline class="{kind}" points="{line}"/>'
    for x, y, row, one in points:
        name = html.escape(f"{row.operator} {row.name}: {decibels_text(one)}")
        style = kind if row.is_quantized else "float"
        yield f'<circle class="{style}" cx="{x}" cy="{y}" r="3"><title>{name}</title></circle>'
