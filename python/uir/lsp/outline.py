"""The outline of a script, and its semantic tokens.

In: the names of a text.  Out: symbols and tokens of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from tschema.lsp.positions import Positions
from tschema.lsp.tokens import Token, encoded

from .names import Names, Word
from .scopes import Definition, Kind

__all__ = ["LEGEND", "document_symbols", "semantic_tokens"]

_SYMBOLS: dict[Kind, lsp.SymbolKind] = {
    "module": lsp.SymbolKind.Module,
    "function": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Variable,
}
_DEFINED: dict[Kind, lsp.SemanticTokenTypes] = {
    "module": lsp.SemanticTokenTypes.Class,
    "function": lsp.SemanticTokenTypes.Function,
    "parameter": lsp.SemanticTokenTypes.Parameter,
    "variable": lsp.SemanticTokenTypes.Variable,
}
_ROLES: dict[str, lsp.SemanticTokenTypes] = {
    "package": lsp.SemanticTokenTypes.Namespace,
    "decorator": lsp.SemanticTokenTypes.Decorator,
    "type": lsp.SemanticTokenTypes.Type,
    "call": lsp.SemanticTokenTypes.Function,
    "member": lsp.SemanticTokenTypes.Property,
}
_TYPES = [*dict.fromkeys([*_DEFINED.values(), *_ROLES.values()])]
LEGEND = lsp.SemanticTokensLegend(
    [one.value for one in _TYPES], [lsp.SemanticTokenModifiers.Declaration.value]
)
"""The types and the modifier of tokens, which tokens name by their index."""


def document_symbols(names: Names, positions: Positions) -> list[lsp.DocumentSymbol]:
    """Return modules, functions, and the declarations outside functions."""
    symbols: list[lsp.DocumentSymbol] = []
    made: dict[Definition, lsp.DocumentSymbol] = {}
    for one in names.definitions:
        is_local = one.owner is not None and one.owner.kind == "function"
        if one.kind not in _SYMBOLS or is_local:
            continue
        whole, name = positions.range(one.extent), positions.range(one.span)
        made[one] = lsp.DocumentSymbol(one.name, _SYMBOLS[one.kind], whole, name, children=[])
        around = made[one.owner].children if one.owner in made else symbols
        assert isinstance(around, list)
        around.append(made[one])
    return symbols


def semantic_tokens(names: Names, positions: Positions) -> list[int]:
    """Return the tokens of a text as the protocol encodes them: five numbers for each."""
    return encoded(_tokens(names, positions))


def _tokens(names: Names, positions: Positions) -> Iterator[Token]:
    for word in names.words:
        yield positions.range(word.span), _TYPES.index(_type(word)), int(word.role == "definition")


def _type(word: Word) -> lsp.SemanticTokenTypes:
    return _DEFINED[word.definition.kind] if word.definition else _ROLES[word.role]
