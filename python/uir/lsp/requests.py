"""The requests of an editor, answered by the modules beside this one.

In: parameters of the protocol.  Out: results of the protocol.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from tschema.lsp.garbage import collect_rarely, keep_all

from .completion import completions
from .hover import hover
from .outline import LEGEND, document_symbols, semantic_tokens
from .server import ScriptServer

__all__ = ["make_server", "serve"]


def serve() -> None:
    """Answer the editor at the standard streams until it leaves."""
    collect_rarely()
    server = make_server()
    keep_all()
    server.start_io()


def make_server() -> ScriptServer:
    """Return a server that knows every request, and has not started."""
    server = ScriptServer()
    _add_documents(server)
    _add_names(server)
    _add_outlines(server)
    return server


def _add_documents(server: ScriptServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: ScriptServer, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: ScriptServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: ScriptServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)


def _add_names(server: ScriptServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def show(ls: ScriptServer, params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        found = ls.scripts.get(uri)
        if found is None:
            return None
        text = hover(found.names, found.program, *ls.place(uri, params.position))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    def complete(ls: ScriptServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        uri = params.text_document.uri
        found = ls.scripts.get(uri)
        return completions(found.names, *ls.line_before(uri, params.position)) if found else []

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def define(ls: ScriptServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        word = ls.word_at(uri, params.position)
        if word is None or word.definition is None:
            return []
        return [lsp.Location(uri, ls.positions().range(word.definition.span))]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def refer(ls: ScriptServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        word = ls.word_at(uri, params.position)
        if word is None or word.definition is None:
            return []
        return [
            lsp.Location(uri, ls.positions().range(one.span))
            for one in ls.scripts[uri].names.words
            if one.definition is word.definition
            if params.context.include_declaration or one.role != "definition"
        ]


def _add_outlines(server: ScriptServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(ls: ScriptServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = ls.scripts.get(params.text_document.uri)
        return document_symbols(found.names, ls.positions()) if found else []

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def tokens(ls: ScriptServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        found = ls.scripts.get(params.text_document.uri)
        return lsp.SemanticTokens(semantic_tokens(found.names, ls.positions()) if found else [])
