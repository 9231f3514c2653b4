"""Texts of programs as Markdown."""

from __future__ import annotations

__all__ = ["cell", "row_anchor", "sentence"]


def row_anchor(name: str) -> str:
    """Return the anchor of a row of a table, which comes before its first text."""
    return f'<a id="{name}"></a>'


def sentence(text: str) -> str:
    """Return a text that starts and ends as a sentence."""
    return text[:1].upper() + text[1:].removesuffix(".") + "."


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
