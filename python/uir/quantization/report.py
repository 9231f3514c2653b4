"""The errors of the layers of a quantized model, as text and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .differences import Difference

__all__ = ["LayerRow", "OutputRow", "Report", "decibels_text"]

HEAD = ("layer", "operator", "alone", "cosine", "in the model", "result")


@dataclass(frozen=True)
class LayerRow:
    """A layer.

    Attributes
    ----------
    name, operator
        The node.
    alone
        The error of the layer's result if this layer alone is quantized; None if not measured.
    in_model
        The error of its result in the quantized model; None if not measured.
    reason
        Why it stays in float32; empty if it is quantized.
    """

    name: str
    operator: str
    alone: Difference | None
    in_model: Difference | None
    reason: str = ""

    @property
    def is_quantized(self) -> bool:
        """Whether the layer computes with integers."""
        return not self.reason


@dataclass(frozen=True)
class OutputRow:
    """A result of the model.

    Attributes
    ----------
    name
        Its name.
    in_model
        Its error in the quantized model.
    """

    name: str
    in_model: Difference


@dataclass(frozen=True)
class Report:
    """The layers and the results of a quantized model.

    Attributes
    ----------
    title
        How the model is quantized.
    layers
        The layers, in order.
    outputs
        The results of float32; none without calibration data.
    calls
        How many calls are measured; 0 if errors are those of weights alone.
    max_error
        The largest relative error of a quantized layer.
    """

    title: str
    layers: tuple[LayerRow, ...]
    outputs: tuple[OutputRow, ...]
    calls: int
    max_error: float

    @property
    def summary(self) -> str:
        """One line about the whole model."""
        count = sum(row.is_quantized for row in self.layers)
        measured = f"{self.calls} calls" if self.calls != 1 else "1 call"
        where = f"errors of {measured}" if self.calls else "errors of the weights"
        return f"{self.title}: {count} of {len(self.layers)} layers quantized, {where}"

    def cells(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of the table.

        Yields
        ------
        row
            The texts of a layer, or of a result of the model.
        """
        for row in self.layers:
            result = "quantized" if row.is_quantized else f"float32: {row.reason}"
            cosine = "" if row.alone is None else f"{row.alone.cosine:.6f}"
            errors = (decibels_text(row.alone), cosine, decibels_text(row.in_model))
            yield (row.name, row.operator, *errors, result)
        for output in self.outputs:
            error = output.in_model
            yield (output.name, "output", "", f"{error.cosine:.6f}", decibels_text(error), "")

    def __str__(self) -> str:
        """Return the table; `alone` and `in the model` are ratios of signal to noise in dB."""
        rows = [HEAD, *self.cells()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )
        return "\n".join([*lines, "", self.summary])

    def to_dict(self) -> dict[str, object]:
        """Return the report as values of JSON; an infinite ratio is null.

        Returns
        -------
        dict[str, object]
            The title, the settings, the layers and the results, with their errors.
        """
        return {
            "title": self.title,
            "call_count": self.calls,
            "max_error": self.max_error,
            "layers": [
                {
                    "name": row.name,
                    "operator": row.operator,
                    "quantized": row.is_quantized,
                    "reason": row.reason,
                    "alone": values_of(row.alone),
                    "in_model": values_of(row.in_model),
                }
                for row in self.layers
            ],
            "outputs": [
                {"name": one.name, "in_model": values_of(one.in_model)} for one in self.outputs
            ],
        }


def decibels_text(found: Difference | None) -> str:
    """Return a ratio with its unit; empty if it is not measured."""
    if found is None:
        return ""
    return "exact" if found.decibels == math.inf else f"{found.decibels:.1f} dB"


def values_of(found: Difference | None) -> dict[str, float | None] | None:
    """Return an error as values of JSON, which has no infinity."""
    if found is None:
        return None
    values = {
        "relative_error": found.relative,
        "decibels": found.decibels,
        "cosine": found.cosine,
    }
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
