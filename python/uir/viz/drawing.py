"""Pictures as SVG: boxes for steps, lines for values, times of kernels."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..runtime.html import STYLE, fragment
from .layout import Places
from .steps import Flow, Step, Value

__all__ = ["Drawing"]

_BOX = (150.0, 34.0)
_GAP = (28.0, 44.0)
_MARGIN = 12.0
_MOST_LETTERS = 22

SVG_STYLE = """\
.uir-graph text { fill: var(--uir-text); font: 12px sans-serif; text-anchor: middle; }
.uir-graph .type, .uir-graph .time { font-size: 10px; fill: var(--uir-muted); }
.uir-graph .type { text-anchor: start; }
.uir-graph rect { fill: var(--uir-fill); stroke: var(--uir-line); rx: 5px; }
.uir-graph .input rect, .uir-graph .result rect { fill: none; stroke-dasharray: 4 3; }
.uir-graph .heat { fill: var(--uir-hot); stroke: none; }
.uir-graph path { fill: none; stroke: var(--uir-muted); }
"""


@dataclass(frozen=True)
class Drawing:
    """A picture, which notebooks show.

    Attributes
    ----------
    title
        The name of the function.
    flow, places
        The steps and values, and where they are.
    times
        The text and the share of the time of steps, by place.
    notes
        Lines below the picture.
    parts
        Pictures of called functions, which notebooks fold.
    """

    title: str
    flow: Flow
    places: Places
    times: Mapping[int, tuple[str, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    parts: tuple[Drawing, ...] = ()

    def to_svg(self) -> str:
        """Return the picture as the text of an SVG file.

        Returns
        -------
        text
            The file's text, without the pictures of called functions.
        """
        return self._svg(f"<style>{STYLE}{SVG_STYLE}</style>")

    def save(self, path: Path | str) -> None:
        """Write the picture to an SVG file.

        Parameters
        ----------
        path
            The file.
        """
        Path(path).write_text(self.to_svg(), "utf-8")

    def _repr_html_(self) -> str:
        """Return the picture and those of called functions, which are folded."""
        return fragment(f"<style>{SVG_STYLE}</style>{self._body()}")

    def _body(self) -> str:
        notes = "".join(f'<div class="muted">{html.escape(one)}</div>' for one in self.notes)
        parts = "".join(
            f"<details><summary>{html.escape(one.title)}</summary>{one._body()}</details>"
            for one in self.parts
        )
        return f"{self._svg('')}{notes}{parts}"

    def _svg(self, style: str) -> str:
        width = max((x for x, _ in self.places.boxes), default=0.0) * (_BOX[0] + _GAP[0])
        height = max((y for _, y in self.places.boxes), default=0.0) * (_BOX[1] + _GAP[1])
        size = (width + _BOX[0] + 2 * _MARGIN, height + _BOX[1] + 2 * _MARGIN)
        lines = "".join(self._lines())
        boxes = "".join(self._boxes())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="uir uir-graph" width="{size[0]:.0f}" '
            f'height="{size[1]:.0f}" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}">'
            f"{style}{lines}{boxes}</svg>"
        )

    def _lines(self) -> Iterator[str]:
        """Yield the lines of values, with their types below the boxes where they begin."""
        typed: set[tuple[int, str]] = set()
        for value, corners in zip(self.flow.values, self.places.lines, strict=True):
            points = self._points(value, [_centre(*corner) for corner in corners])
            title = html.escape(f"{value.type} of {self.flow.steps[value.source].name}")
            yield f'<g class="value"><title>{title}</title><path d="{_curve(points)}"/>'
            if (value.source, value.type) not in typed:
                typed.add((value.source, value.type))
                x, y = points[0]
                place = f'x="{x + 4:.1f}" y="{y + 12:.1f}"'
                yield f'<text class="type" {place}>{_cut(value.type)}</text>'
            yield "</g>"

    def _points(
        self, value: Value, corners: list[tuple[float, float]]
    ) -> list[tuple[float, float]]:
        """Return the corners of a line from the lower edge of a box to the upper one of another."""
        (x, y), (to_x, to_y) = (
            _centre(*self.places.boxes[one]) for one in (value.source, value.target)
        )
        half = _BOX[1] / 2
        return [(x, y + half), *corners, (to_x, to_y - half)]

    def _boxes(self) -> Iterator[str]:
        for place, step in enumerate(self.flow.steps):
            x, y = _centre(*self.places.boxes[place])
            rect = (
                f'x="{x - _BOX[0] / 2:.1f}" y="{y - _BOX[1] / 2:.1f}" '
                f'width="{_BOX[0]:.0f}" height="{_BOX[1]:.0f}"'
            )
            text, share = self.times.get(place, (_count_text(step), 0.0))
            heat = f'<rect class="heat" {rect} fill-opacity="{share:.2f}"/>' if share else ""
            name_y = y - 2 if text else y + 4
            below = f'<text class="time" x="{x:.1f}" y="{y + 12:.1f}">{html.escape(text)}</text>'
            yield (
                f'<g class="{step.kind}"><title>{html.escape(_title(step))}</title><rect {rect}/>'
                f'{heat}<text x="{x:.1f}" y="{name_y:.1f}">{_cut(step.name)}</text>'
                f"{below if text else ''}</g>"
            )


def _centre(column: float, layer: float) -> tuple[float, float]:
    """Return the centre of a box in pixels."""
    return (
        _MARGIN + _BOX[0] / 2 + column * (_BOX[0] + _GAP[0]),
        _MARGIN + _BOX[1] / 2 + layer * (_BOX[1] + _GAP[1]),
    )


def _curve(points: list[tuple[float, float]]) -> str:
    """Return a path that leaves and enters each point vertically."""
    (x, y), *others = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in others:
        middle = (y + to_y) / 2
        parts.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(parts)


def _cut(text: str) -> str:
    short = text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
    return html.escape(short)


def _count_text(step: Step) -> str:
    if step.members:
        return f"{len(step.members)} steps"
    return f"{step.constants} constant{'s' * (step.constants > 1)}" if step.constants else ""


def _title(step: Step) -> str:
    texts = [step.text, *(one.text for one in step.members), step.source]
    return "\n".join(text for text in texts if text)
