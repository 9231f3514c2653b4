"""What an editor shows for the words of the language, by the language server of pyright."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tschema.lsp import words

ROOT = Path(__file__).resolve().parents[4]
TYPES = [name for name in words.types() if name not in ("Any", "Optional", "Tuple", "Union")]
"""`typing` has names of its own for the others, and its own texts."""
TEXT = "from tschema import field, operator, ty\n" + "".join(f"ty.{name}\n" for name in TYPES)
FILE = ROOT / "schema" / "hover_probe.py"
"""Where the text would stand: nothing is written there."""


class Server:
    """A language server that answers one request at a time."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._count = 0

    def notify(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request; the server's own requests are answered with nothing."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" not in message and message.get("id") == self._count:
                return message["result"]
            if "method" in message and "id" in message:
                items = message["params"].get("items")
                answer: Any = None if items is None else [{} for _ in items]
                self._send({"id": message["id"], "result": answer})

    def hover(self, line: int, column: int) -> str:
        place = {"line": line, "character": column}
        found = self.ask("textDocument/hover", textDocument={"uri": FILE.as_uri()}, position=place)
        return str(found["contents"]["value"])

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._stdin.flush()

    def _receive(self) -> dict[str, Any]:
        size = 0
        while line := self._stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        message: dict[str, Any] = json.loads(self._stdout.read(size))
        return message


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    program = Path(sys.executable).parent / "pyright-langserver"
    with subprocess.Popen(
        [program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        server = Server(process.stdin, process.stdout)
        formats = {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
        server.ask("initialize", processId=None, rootUri=ROOT.as_uri(), capabilities=formats)
        server.notify("initialized")
        document = {"uri": FILE.as_uri(), "languageId": "python", "version": 1, "text": TEXT}
        server.notify("textDocument/didOpen", textDocument=document)
        yield server
        process.kill()


def test_a_type_shows_its_text(server: Server) -> None:
    for line, name in enumerate(TYPES, 1):
        shown = " ".join(server.hover(line, 4).split())
        assert " ".join(words.types()[name].split()) in shown, name


def test_functions_show_the_texts_of_their_options(server: Server) -> None:
    for column, options in (
        (TEXT.index("field"), words.field_options()),
        (TEXT.index("operator"), words.operator_options()),
    ):
        shown = " ".join(server.hover(0, column + 1).split())
        for name, text in options.items():
            assert text.partition(" One of ")[0] in shown, name
