"""The outline of a schema file, its semantic tokens, and the declarations of a project by name.

In: parsed schema files.  Out: symbols and tokens of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from tschema.diagnostics.source import Span
from tschema.ir.declarations import FileDecl
from tschema.lsp.elements import DECLARATIONS, ElementKind, elements
from tschema.lsp.positions import Positions
from tschema.lsp.tokens import Token, encoded, order

_SYMBOLS: dict[ElementKind, lsp.SymbolKind] = {
    "class": lsp.SymbolKind.Class,
    "enum": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember,
    "field": lsp.SymbolKind.Field,
    "method": lsp.SymbolKind.Method,
    "function": lsp.SymbolKind.Function,
}
_TOKENS: dict[ElementKind, lsp.SemanticTokenTypes] = {
    "class": lsp.SemanticTokenTypes.Class,
    "enum": lsp.SemanticTokenTypes.Enum,
    "member": lsp.SemanticTokenTypes.EnumMember,
    "option": lsp.SemanticTokenTypes.Decorator,
    "field": lsp.SemanticTokenTypes.Property,
    "method": lsp.SemanticTokenTypes.Method,
    "function": lsp.SemanticTokenTypes.Function,
    "parameter": lsp.SemanticTokenTypes.Parameter,
    "type": lsp.SemanticTokenTypes.Type,
}
_NAMES = [*dict.fromkeys(_TOKENS.values())]
LEGEND = lsp.SemanticTokensLegend(
    [one.value for one in _NAMES], [lsp.SemanticTokenModifiers.Declaration.value]
)
"""The types and the modifier of tokens, which tokens name by their index."""


def document_symbols(file: FileDecl, positions: Positions) -> list[lsp.DocumentSymbol]:
    """Return the declarations of a file, members below their class."""
    symbols: list[lsp.DocumentSymbol] = []
    by_name: dict[str, lsp.DocumentSymbol] = {}
    for element in elements(file):
        if element.kind not in _SYMBOLS:
            continue
        place = positions.range(element.place.span())
        made = lsp.DocumentSymbol(element.name, _SYMBOLS[element.kind], place, place, children=[])
        owner = by_name.get(element.owner[0]) if element.owner else None
        if owner is None:
            symbols.append(made)
            by_name[element.name] = made
        else:
            owner.children = [*(owner.children or ()), made]
            # The lines between the members belong to the class too.
            owner.range = lsp.Range(owner.range.start, max(owner.range.end, place.end, key=order))
    return symbols


def workspace_symbols(
    files: Iterable[FileDecl], query: str
) -> Iterator[tuple[str, lsp.SymbolKind, str, Span]]:
    """
    Yield the declarations whose names have the letters of a query, in its order.

    Yields
    ------
    name, kind, container, span
        A declaration, and the namespace or the class around it.
    """
    for file in files:
        for element in elements(file):
            if element.kind in _SYMBOLS and is_like(element.name, query):
                container = ".".join([file.namespace, *element.owner])
                yield element.name, _SYMBOLS[element.kind], container, element.place.span()


def is_like(name: str, query: str) -> bool:
    """Return whether a name has the letters of a query, in its order, in any case."""
    rest = iter(name.lower())
    return all(letter in rest for letter in query.lower())


def semantic_tokens(file: FileDecl, positions: Positions) -> list[int]:
    """Return the tokens of a file as the protocol encodes them: five numbers for each."""
    return encoded(_tokens(file, positions))


def _tokens(file: FileDecl, positions: Positions) -> Iterator[Token]:
    for element in elements(file):
        if element.kind in _TOKENS:
            kind = _NAMES.index(_TOKENS[element.kind])
            modifiers = int(element.kind in DECLARATIONS)
            yield positions.range(element.place.span()), kind, modifiers
