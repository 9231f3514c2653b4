"""The requests of an editor, answered by the modules beside this one.

In: parameters of the protocol.  Out: results of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from tschema.diagnostics.errors import SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.project import EditedProject
from tschema.editing.rename import renamed_texts
from tschema.editing.rename.target import Target, as_declared
from tschema.lsp import completion, edits, hints, hover, navigation, rename_followup, symbols
from tschema.lsp.actions import FIX_ALL, code_actions, resolve_action
from tschema.lsp.elements import at, word_at
from tschema.lsp.formatting import formatted
from tschema.lsp.garbage import collect_rarely
from tschema.lsp.positions import changed_lines
from tschema.lsp.project import Project
from tschema.lsp.renaming import rename_everywhere
from tschema.lsp.server import Place, SchemaServer


def serve() -> None:
    """Answer the editor at the standard streams until it leaves."""
    make_server().start_io()


def make_server() -> SchemaServer:
    """Return a server that knows every request, and has not started."""
    collect_rarely()
    server = SchemaServer()
    _add_documents(server)
    _add_texts(server)
    _add_navigation(server)
    _add_outlines(server)
    _add_edits(server)
    return server


def _add_documents(server: SchemaServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: SchemaServer, params: lsp.DidOpenTextDocumentParams) -> None:
        place = Place(ls, params.text_document.uri)
        ls.changed(place)
        if place.project is not None:
            ls.breaking.look(place.project)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: SchemaServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.changed(Place(ls, params.text_document.uri))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: SchemaServer, params: lsp.DidCloseTextDocumentParams) -> None:
        file = Path(to_fs_path(params.text_document.uri) or "")
        project = ls.project_of(file)
        if project is not None:
            project.close(ls.relative(file))
            ls.published.show(ls, project)
        ls.published.close(ls, file)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: SchemaServer, params: lsp.DidSaveTextDocumentParams) -> None:
        file = Path(to_fs_path(params.text_document.uri) or "")
        if file.name in ("tschema.toml", "pyproject.toml"):
            ls.projects.pop(file.parent, None)
        project = ls.project_of(file)
        if project is not None:
            ls.check_now(project)
            ls.breaking.look(project)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: SchemaServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        files = [Path(to_fs_path(change.uri) or "") for change in params.changes]
        found = {one.config.root: one for file in files if (one := ls.project_of(file))}
        for project in found.values():
            ls.check_now(project)


def _add_texts(server: SchemaServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=[".", "@", "(", "[", '"'], resolve_provider=True),
    )
    def complete(ls: SchemaServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        place = Place(ls, params.text_document.uri, params.position)
        file = place.schema_file
        if file is None:
            return []
        cursor = completion.Cursor(file, place.source, place.line, place.column)
        items = completion.complete(cursor, place.index)
        for item in items:
            if isinstance(item.data, dict):
                item.data["uri"] = place.uri
        return items

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(ls: SchemaServer, item: lsp.CompletionItem) -> lsp.CompletionItem:
        if isinstance(item.data, dict) and "uri" in item.data:
            source = SourceFile("", ls.text_of(item.data["uri"]))
            item.additional_text_edits = [*completion.resolve(item, source)]
        return item

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def show(ls: SchemaServer, params: lsp.HoverParams) -> lsp.Hover | None:
        place = Place(ls, params.text_document.uri, params.position)
        texts = [*_hover(place)]
        if not texts:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(texts))
        return lsp.Hover(content)


def _hover(place: Place) -> Iterator[str]:
    index = place.index
    targets = place.targets()
    if index is not None:
        yield from (hover.declaration(target, index) for target in targets[:3])
    file = place.schema_file
    if targets or file is None:
        return
    element = at(file, place.line, place.column)
    line = place.source.line(place.line)
    text = hover.word(element, file) if element is not None else None
    if text is None:
        cursor = completion.Cursor(file, place.source, place.line, place.column)
        call = completion.open_call(cursor.text_before())
        text = hover.keyword(word_at(line, place.column), call)
    if text is not None:
        yield text


def _add_navigation(server: SchemaServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def define(ls: SchemaServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        place = Place(ls, params.text_document.uri, params.position)
        project = place.project
        found = (navigation.declared_at(project, one) for one in place.targets()) if project else ()
        return [ls.location(project, span) for span in found if span and project]

    @server.feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION)
    def implement(ls: SchemaServer, params: lsp.ImplementationParams) -> list[lsp.Location]:
        place = Place(ls, params.text_document.uri, params.position)
        return [
            ls.location(place.project, span)
            for target in place.targets()
            if place.project
            for span in navigation.implementations(place.project, target)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def refer(ls: SchemaServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        place = Place(ls, params.text_document.uri, params.position)
        if place.project is None:
            return []
        targets = place.targets()
        own = [navigation.declared_at(place.project, one) for one in targets]
        try:
            found = (
                span
                for target in targets
                for span in navigation.references(place.project, target)
                if params.context.include_declaration or span not in own
            )
            return ls.locations(place.project, found)
        except SchemaError as error:
            raise JsonRpcInvalidParams(_first(error)) from None


def _add_outlines(server: SchemaServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(ls: SchemaServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        place = Place(ls, params.text_document.uri)
        file = place.schema_file
        return symbols.document_symbols(file, place.positions) if file else []

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def search(ls: SchemaServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return [
            lsp.WorkspaceSymbol(ls.location(project, span), name, kind, container_name=container)
            for project in ls.projects.values()
            for name, kind, container, span in symbols.workspace_symbols(
                project.declarations.files, params.query
            )
        ]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, symbols.LEGEND)
    def tokens(ls: SchemaServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        place = Place(ls, params.text_document.uri)
        file = place.schema_file
        return lsp.SemanticTokens(symbols.semantic_tokens(file, place.positions) if file else [])

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def offsets(ls: SchemaServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        place = Place(ls, params.text_document.uri)
        file = place.schema_file
        if file is None or place.index is None:
            return []
        first, last = params.range.start.line, params.range.end.line
        return [*hints.offset_hints(file, place.index, place.positions, first, last)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: SchemaServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        place = Place(ls, params.text_document.uri)
        file = place.schema_file
        if file is None or place.project is None or place.project.good is None:
            return []
        broken = ls.breaking.counts(place.project)
        found = hints.lenses(file, place.project.good, place.positions, broken, place.uri)
        return [*found]


def _add_edits(server: SchemaServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: SchemaServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        place = Place(ls, params.text_document.uri, params.position)
        word = word_at(place.source.line(place.line), place.column).rpartition(".")[2]
        first = place.source.line(place.line).find(word, max(0, place.column - len(word) - 1))
        if not place.targets() or first < 0:
            return None
        span = Span(place.source, place.line, first + 1, place.line, first + 1 + len(word))
        return place.positions.range(span)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(ls: SchemaServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        place = Place(ls, params.text_document.uri, params.position)
        return _renamed(ls, place, params.new_name)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True),
    )
    def act(ls: SchemaServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        place = Place(ls, params.text_document.uri)
        if place.project is None:
            return []
        return [*code_actions(place.project, place.path, params, place.positions, ls.version_of)]

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    def fix_all(ls: SchemaServer, action: lsp.CodeAction) -> lsp.CodeAction:
        if isinstance(action.data, str):
            place = Place(ls, action.data)
            if place.project is not None:
                action.edit = resolve_action(place.project, place.path, ls.version_of)
        return action

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def format(ls: SchemaServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        place = Place(ls, params.text_document.uri)
        if place.project is None or place.project.file(place.path) is None:
            return []
        text = formatted(place.source.text, place.file)
        return [*changed_lines(place.source.text, text)] if text is not None else []


def _renamed(ls: SchemaServer, place: Place, new: str) -> lsp.WorkspaceEdit | None:
    targets = place.targets()
    if place.project is None or not targets:
        return None
    if len(targets) > 1:
        listed = ", ".join(f"`{one.dotted}`" for one in targets)
        raise JsonRpcInvalidParams(f"this may be any of {listed}: rename in the schema")
    try:
        edited = place.project.looked_at()
        target = as_declared(edited.schema, targets[0])
        if ls.applies_edits():
            return _rename_first(ls, place.project, edited, target, new)
        renamed = rename_everywhere(edited, target, new)
    except SchemaError as error:
        raise JsonRpcInvalidParams(_first(error)) from None
    rename_followup.show(ls, place.project, renamed)
    root = place.project.config.root
    return edits.of_files(root, renamed.old, renamed.new, renamed.removed, ls.version_of)


def _rename_first(
    ls: SchemaServer, project: Project, edited: EditedProject, target: Target, new: str
) -> lsp.WorkspaceEdit:
    """Return the edit of schema files; that of generated files follows."""
    _names, data = renamed_texts(edited, target, new, project.file_index)
    texts = {path: one.decode() for path, one in data.items()}
    project.check_rename(edited, target, new, texts)
    ls.following.expect(rename_followup.Rename(edited, target, new, texts))
    files = edited.files()
    old = {PurePosixPath(path): files[path].source.text.encode() for path in data}
    changed = {PurePosixPath(path): one for path, one in data.items()}
    return edits.of_files(project.config.root, old, changed, (), ls.version_of)


def _first(error: SchemaError) -> str:
    one = error.diagnostics[0]
    return f"{one.span}: {one.message}" if one.span else one.message
