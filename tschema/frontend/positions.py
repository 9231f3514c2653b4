"""Where a syntax node stands, for diagnostics only.

In: a parsed chunk and a node.  Out: a `Span`.  LibCST computes the positions of a whole tree at
once and slowly, so this happens on the first question, and never while all is well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from tschema.source import Place, SourceFile, Span

__all__ = ["DocLine", "Locator"]


@dataclass(frozen=True, slots=True, eq=False)
class DocLine:
    """A name that a docstring documents."""

    docstring: cst.BaseExpression
    line: int
    """0-based, from the line of the opening quotes."""
    name: str


class Locator:
    """Answers where the nodes of one chunk stand; a place holds the ordinal of its node."""

    def __init__(self, source: SourceFile, module: cst.Module, first_line: int) -> None:
        self._source = source
        self._module = module
        self._first_line = first_line
        self._nodes: list[cst.CSTNode | DocLine] = []
        self._ranges: Mapping[cst.CSTNode, CodeRange] | None = None

    def place(self, node: cst.CSTNode | DocLine) -> Place:
        """Return the place of a node, without computing it."""
        self._nodes.append(node)
        return Place(self.span, len(self._nodes) - 1)

    def span(self, ordinal: object) -> Span:
        """Return the span of a syntax node or of a line of a docstring, by its ordinal."""
        assert isinstance(ordinal, int)
        node = self._nodes[ordinal]
        return self._doc_span(node) if isinstance(node, DocLine) else self._span(node)

    def _span(self, node: cst.CSTNode) -> Span:
        code_range = self._resolve().get(node)
        if code_range is None:
            return Span(self._source, 1, 1, 1, 1)
        start, end = code_range.start, code_range.end
        return Span(
            self._source,
            start.line + self._first_line,
            start.column + 1,
            end.line + self._first_line,
            end.column + 1,
        )

    def _resolve(self) -> Mapping[cst.CSTNode, CodeRange]:
        if self._ranges is None:
            wrapper = MetadataWrapper(self._module, unsafe_skip_copy=True)
            try:
                self._ranges = wrapper.resolve(PositionProvider)
            except RecursionError:
                # Too deep for the provider; the file has to do as the place.
                self._ranges = {}
        return self._ranges

    def _doc_span(self, doc_line: DocLine) -> Span:
        docstring = self._span(doc_line.docstring)
        line = docstring.line + doc_line.line
        column = self._source.line(line).find(doc_line.name) + 1
        if line > docstring.end_line or not column:
            return docstring
        return Span(self._source, line, column, line, column + len(doc_line.name))
