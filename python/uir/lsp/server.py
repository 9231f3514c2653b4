"""The state of the server: the open scripts, and their diagnostics.

In: texts of an editor.  Out: notifications of diagnostics, and the names and programs that answers
need.  Those of a text that does not parse are of its last version that did.
"""

from __future__ import annotations

from importlib.metadata import version

from lsprotocol import types as lsp
from msgspec import Struct
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from tschema.diagnostics.source import SourceFile
from tschema.lsp.positions import Positions

from .detect import is_script
from .diagnostics import converted
from .names import Names, Word
from .names_reader import NamesReader
from .program import Program, read_program

__all__ = ["OpenScript", "ScriptServer"]


class OpenScript(Struct, frozen=True):
    """An open text: its names and its program, each of the last version that has them."""

    reader: NamesReader
    names: Names
    program: Program


def opened(program: Program, last: OpenScript | None) -> OpenScript:
    """Return the names and the program of a text after a change."""
    reader = last.reader if last is not None else NamesReader()
    try:
        names = reader.read(program.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        names = last.names if last is not None else Names((), (), {})
    if program.value is None and last is not None:
        program = last.program
    return OpenScript(reader, names, program)


class ScriptServer(LanguageServer):
    """A server with the scripts that are open."""

    def __init__(self) -> None:
        super().__init__("uir", version("uir"))
        self.scripts: dict[str, OpenScript] = {}

    def positions(self) -> Positions:
        """Return how the client counts columns."""
        return Positions(self.workspace.position_codec)

    def changed(self, uri: str) -> None:
        """Read a text, and show its diagnostics; a file of Python programs has none."""
        document = self.workspace.get_text_document(uri)
        path = to_fs_path(uri) or uri
        if not is_script(document.source, document.language_id, path):
            self.closed(uri)
            return
        program = read_program(SourceFile(path, document.source))
        self._publish(uri, [*converted(program, uri, self.positions())], document.version)
        self.scripts[uri] = opened(program, self.scripts.get(uri))

    def word_at(self, uri: str, position: lsp.Position) -> Word | None:
        """Return the name at a position of a text."""
        found = self.scripts.get(uri)
        return found.names.at(*self.place(uri, position)) if found else None

    def place(self, uri: str, position: lsp.Position) -> tuple[int, int]:
        """Return the line and the column of a position, 1-based."""
        text = self.workspace.get_text_document(uri).source
        line = SourceFile("", text).line(position.line + 1)
        return position.line + 1, self.positions().column(line, position.character)

    def line_before(self, uri: str, position: lsp.Position) -> tuple[int, str]:
        """Return the number of a line, 1-based, and its text up to a position."""
        line, column = self.place(uri, position)
        text = self.workspace.get_text_document(uri).source
        return line, SourceFile("", text).line(line)[: column - 1]

    def closed(self, uri: str) -> None:
        """Forget a text, and show nothing more of it."""
        if self.scripts.pop(uri, None) is not None:
            self._publish(uri, [], None)

    def _publish(self, uri: str, shown: list[lsp.Diagnostic], version: int | None) -> None:
        params = lsp.PublishDiagnosticsParams(uri, shown, version)
        self.text_document_publish_diagnostics(params)
