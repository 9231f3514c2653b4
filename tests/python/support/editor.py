"""An editor: a client of the protocol that talks to a server over its standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

_T = TypeVar("_T")
_LONG = 600.0
"""Seconds; a machine may be busy, or stopped for a while."""


class Editor:
    """Opens files, types and asks, as a user does."""

    def __init__(self, program: str, applies_edits: bool = False) -> None:
        """
        Start the server `PROGRAM lsp`.

        Parameters
        ----------
        applies_edits
            Whether the server may ask for edits.
        """
        self._loop = asyncio.new_event_loop()
        self.client = LanguageClient("editor", "1")
        self.texts: dict[Path, str] = {}
        self.shown: dict[Path, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self.asked: list[list[Path]] = []
        """The files of each edit that the server has asked for."""
        self._versions: dict[Path, int] = {}
        self._published = asyncio.Event()
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda params: self._show(params)
        )
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(
            lambda params: self.messages.append(params.message)
        )
        self.client.feature(lsp.WORKSPACE_APPLY_EDIT)(lambda params: self._apply_asked(params))
        self.wait(self._start(program, applies_edits))

    async def _start(self, program: str, applies_edits: bool) -> None:
        await self.client.start_io(sys.executable, "-m", program, "lsp")
        workspace = lsp.WorkspaceClientCapabilities(apply_edit=applies_edits)
        able = lsp.ClientCapabilities(workspace=workspace)
        params = lsp.InitializeParams(able, process_id=None, root_uri=None)
        found = await self.client.initialize_async(params)
        self.capabilities = found.capabilities
        self.client.initialized(lsp.InitializedParams())

    def close(self) -> None:
        """Leave, as the protocol wants it."""
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client.stop())
        self._loop.close()

    def wait(self, what: Awaitable[_T]) -> _T:
        return self._loop.run_until_complete(asyncio.wait_for(what, _LONG))

    def _show(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.shown[path_of(params.uri)] = [*params.diagnostics]
        self._published.set()

    # -- Documents --------------------------------------------------------------------------

    def open(self, path: Path, language: str = "python") -> None:
        self.texts[path] = path.read_text()
        self._versions[path] = 1
        item = lsp.TextDocumentItem(path.as_uri(), language, 1, self.texts[path])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, path: Path, old: str, new: str) -> None:
        """Replace a text, which is there once, as an editor reports it."""
        text = self.texts[path]
        assert text.count(old) == 1, old
        start = text.index(old)
        place = lsp.Range(position(text, start), position(text, start + len(old)))
        self.texts[path] = text.replace(old, new)
        self._change(path, lsp.TextDocumentContentChangePartial(place, new))

    def _change(self, path: Path, change: Any) -> None:
        self._versions[path] += 1
        document = lsp.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def save(self, path: Path) -> None:
        path.write_text(self.texts[path])
        params = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri()))
        self.client.text_document_did_save(params)

    def _apply_asked(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        self.asked.append(self.apply(params.edit))
        self._published.set()
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def until(self, is_shown: Callable[[], bool]) -> None:
        """Wait until diagnostics, or edits that the server asks for, are as expected."""

        async def published() -> None:
            while not is_shown():
                self._published.clear()
                await self._published.wait()

        try:
            self.wait(published())
        except asyncio.TimeoutError:
            raise AssertionError(self.shown) from None

    def codes(self, path: Path) -> list[str]:
        return [str(one.code) for one in self.shown.get(path, ())]

    # -- Edits ------------------------------------------------------------------------------

    def apply(self, edit: lsp.WorkspaceEdit) -> list[Path]:
        """Apply an edit, save every file, and return the files."""
        paths = []
        for change in edit.document_changes or ():
            if isinstance(change, lsp.CreateFile):
                path_of(change.uri).touch()
            elif isinstance(change, lsp.DeleteFile):
                path_of(change.uri).unlink()
            elif isinstance(change, lsp.TextDocumentEdit):
                paths.append(self._apply(change))
        return paths

    def _apply(self, change: lsp.TextDocumentEdit) -> Path:
        path = path_of(change.text_document.uri)
        text = edited(self.texts.get(path, path.read_text()), change.edits)
        if path in self.texts:
            assert change.text_document.version == self._versions[path]
            self.texts[path] = text
            self._change(path, lsp.TextDocumentContentChangeWholeDocument(text))
            self.save(path)
        path.write_text(text)
        return path

    # -- Requests ---------------------------------------------------------------------------

    def at(self, path: Path, text: str, behind: bool = False) -> dict[str, Any]:
        """Return the parameters of a place: where a text begins, or behind its end."""
        content = self.texts.get(path) or path.read_text()
        assert text in content, text
        offset = content.index(text) + len(text) * behind
        return {
            "text_document": lsp.TextDocumentIdentifier(path.as_uri()),
            "position": position(content, offset),
        }

    def hover(self, path: Path, text: str) -> str:
        found = self.wait(
            self.client.text_document_hover_async(lsp.HoverParams(**self.at(path, text)))
        )
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    def complete(self, path: Path, behind: str) -> dict[str, lsp.CompletionItem]:
        params = lsp.CompletionParams(**self.at(path, behind, behind=True))
        found = self.wait(self.client.text_document_completion_async(params))
        assert isinstance(found, list | tuple)
        return {item.label: item for item in found}

    def definition(self, path: Path, text: str) -> list[str]:
        params = lsp.DefinitionParams(**self.at(path, text))
        return self._places(self.wait(self.client.text_document_definition_async(params)))

    def implementation(self, path: Path, text: str) -> list[str]:
        params = lsp.ImplementationParams(**self.at(path, text))
        return self._places(self.wait(self.client.text_document_implementation_async(params)))

    def references(self, path: Path, text: str) -> list[str]:
        context = lsp.ReferenceContext(include_declaration=True)
        params = lsp.ReferenceParams(context, **self.at(path, text))
        return self._places(self.wait(self.client.text_document_references_async(params)))

    def _places(self, found: object) -> list[str]:
        """Return locations as `name:line: the text there`."""
        assert isinstance(found, list | tuple)
        return [self._place(one) for one in found]

    def _place(self, one: lsp.Location) -> str:
        path = path_of(one.uri)
        line = (self.texts.get(path) or path.read_text()).split("\n")[one.range.start.line]
        text = line[one.range.start.character : one.range.end.character]
        return f"{path.name}:{one.range.start.line + 1}: {text}"

    def rename(self, path: Path, text: str, new: str) -> lsp.WorkspaceEdit:
        params = lsp.RenameParams(new_name=new, **self.at(path, text))
        found = self.wait(self.client.text_document_rename_async(params))
        assert found is not None
        return found

    def actions(self, path: Path, only: list[str] | None = None) -> list[lsp.CodeAction]:
        end = position(self.texts[path], len(self.texts[path]))
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(path.as_uri()),
            lsp.Range(lsp.Position(0, 0), end),
            lsp.CodeActionContext(self.shown.get(path, []), only),  # type: ignore[arg-type]
        )
        found = self.wait(self.client.text_document_code_action_async(params))
        assert found is not None
        return [one for one in found if isinstance(one, lsp.CodeAction)]


def path_of(uri: str) -> Path:
    return Path(uri.removeprefix("file://"))


def position(text: str, offset: int) -> lsp.Position:
    """Return the position of an offset, with columns in units of UTF-16."""
    before = text[:offset]
    last = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(last.encode("utf-16-le")) // 2)


def edited(text: str, edits: Any) -> str:
    """Return a text with edits applied, the last one first."""
    offsets = [
        (offset_of(text, edit.range.start), offset_of(text, edit.range.end), edit.new_text)
        for edit in edits
    ]
    for start, end, new in sorted(offsets, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def offset_of(text: str, place: lsp.Position) -> int:
    lines = text.split("\n")
    if place.line >= len(lines):
        return len(text)
    units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
    return sum(len(line) + 1 for line in lines[: place.line]) + len(units.decode("utf-16-le"))
