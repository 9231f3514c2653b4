"""Locations as text: the file and the line, or the node of a model."""

from __future__ import annotations

from uir_nodes.ir import Span

__all__ = ["source_text"]


def source_text(span: Span | None) -> str:
    """Return the line or the node that something was made from: `model.py:12`, or `conv1`.

    Parameters
    ----------
    span
        The location; line 0 is that of a node. None gives an empty text.
    """
    if span is None:
        return ""
    name = str(span.source_name.name)
    return f"{name}:{span.line}" if span.line else name
