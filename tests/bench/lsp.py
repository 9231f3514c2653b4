"""How long an editor waits for `tschema lsp` and `uir lsp` after a key press.

Prints `lsp.diagnostics.500`, `lsp.completion.500`, `lsp.hover.500`, `lsp.hints.500`,
`lsp.references.500` and `lsp.rename.500` of a class with 57 places, and `lsp.field_references.500`
and `lsp.field_rename.500` of a field with more than 1,000, in a project of 500 types with its
generated files; and `lsp.script...` in a script of 500 statements, with `tokens` and `outline` in
place of `hints`, references and renames. They are in milliseconds: the median time from a change of
one line to the answer, over the standard streams. The editor makes edits that the server asks for,
so that the answer to a rename has the schema files, and generated files follow. The peer is the
language server of pyright on the same files, which knows Python alone. Our answers must take less
than 50 ms, the peer where pyright has none.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from many_types import write_project
from report import report

COUNT = 500
ROUNDS = 30
FIELD = "fourth: ty.DataType\n    fif"
"""A field's name, which every class of the project has."""
LIMIT = 50.0
"""Milliseconds in which an answer seems immediate."""
FOLDER = Path(__file__).resolve().parents[2] / "build" / "bench" / "lsp"
FILE = FOLDER / "schema" / "part0" / "nodes0.py"
SCRIPT = FOLDER / "kernels.py"
SCRIPTS = Path(sysconfig.get_path("scripts"))

CAPABILITIES = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


class Server:
    """A language server that is asked one thing at a time."""

    def __init__(self, file: Path, *command: str) -> None:
        """Start a server, and open a file."""
        self._process = subprocess.Popen(
            command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin: IO[bytes] = self._process.stdin
        self._stdout: IO[bytes] = self._process.stdout
        self._count = 0
        self._uri = file.as_uri()
        self.text = file.read_text()
        folder = {"uri": FOLDER.as_uri(), "name": "many"}
        self.ask(
            "initialize",
            processId=None,
            rootUri=FOLDER.as_uri(),
            workspaceFolders=[folder],
            capabilities=CAPABILITIES,
        )
        self.notify("initialized")
        document = {"uri": self._uri, "languageId": "python", "version": 0, "text": self.text}
        self.notify("textDocument/didOpen", textDocument=document)
        self.diagnostics()

    def change(self, version: int, old: str, new: str) -> None:
        """Replace a line that is there once."""
        before = self.text.partition(old)[0]
        line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
        self.text = self.text.replace(old, new)
        place = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + len(old)},
        }
        document = {"uri": self._uri, "version": version}
        changes = [{"range": place, "text": new}]
        self.notify("textDocument/didChange", textDocument=document, contentChanges=changes)

    def diagnostics(self) -> None:
        """Wait for the diagnostics of the file."""
        while self._receive().get("method") != "textDocument/publishDiagnostics":
            pass

    def at(self, method: str, text: str, **params: Any) -> Any:
        """Ask about the end of a text."""
        before = self.text.partition(text)[0] + text
        column = len(before) - before.rfind("\n") - 1
        place = {"line": before.count("\n"), "character": column}
        return self.ask(method, textDocument={"uri": self._uri}, position=place, **params)

    def of_file(self, method: str) -> Any:
        """Ask about the whole file."""
        return self.ask(method, textDocument={"uri": self._uri})

    def hints(self) -> Any:
        """Ask for the hints of a screen."""
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}}
        return self.ask("textDocument/inlayHint", textDocument={"uri": self._uri}, range=place)

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" not in message and message.get("id") == self._count:
                return message["result"]

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._stdin.flush()

    def _receive(self) -> dict[str, Any]:
        """Return a message; the server's own requests are answered with nothing."""
        size = 0
        while line := self._stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        message: dict[str, Any] = json.loads(self._stdout.read(size))
        if "method" in message and "id" in message:
            items = message["params"].get("items")
            answer: Any = None if items is None else [{} for _ in items]
            self._send({"id": message["id"], "result": answer})
        return message


def main() -> None:
    """Measure, and print."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_project(FOLDER, COUNT)
    subprocess.run([sys.executable, "-m", "tschema", "gen"], cwd=FOLDER, check=True)
    SCRIPT.write_text(script())
    pyright = (str(SCRIPTS / "pyright-langserver"), "--stdio")
    ours = of_schema(Server(FILE, sys.executable, "-m", "tschema", "lsp"), has_hints=True)
    peer = of_schema(Server(FILE, *pyright), has_hints=False)
    for name, milliseconds in ours.items():
        report(f"lsp.{name}.{COUNT}", milliseconds, peer.get(name, LIMIT), "ms")
    ours = of_script(Server(SCRIPT, sys.executable, "-m", "uir", "lsp"), has_tokens=True)
    peer = of_script(Server(SCRIPT, *pyright), has_tokens=False)
    for name, milliseconds in ours.items():
        report(f"lsp.script.{name}.{COUNT}", milliseconds, peer.get(name, LIMIT), "ms")


def of_schema(server: Server, *, has_hints: bool) -> dict[str, float]:
    """Return the median milliseconds to each kind of answer in a schema file."""
    asked = {
        "diagnostics": server.diagnostics,
        "completion": lambda: server.at("textDocument/completion", "fifth: ty."),
        "hover": lambda: server.at("textDocument/hover", "class Kind7No"),
    }
    if has_hints:
        asked["hints"] = server.hints
    context = {"includeDeclaration": True}
    for kind, place, new in (("", "class Kind7No", "OtherNode"), ("field_", FIELD, "other")):
        asked[f"{kind}references"] = partial(
            server.at, "textDocument/references", place, context=context
        )
        asked[f"{kind}rename"] = partial(server.at, "textDocument/rename", place, newName=new)
    return answers(server, asked, "The node that does the 7th thing of the package")


def of_script(server: Server, *, has_tokens: bool) -> dict[str, float]:
    """Return the median milliseconds to each kind of answer in a script."""
    asked = {
        "diagnostics": server.diagnostics,
        "completion": lambda: server.at("textDocument/completion", "= tir."),
        "hover": lambda: server.at("textDocument/hover", "# The seventh.\n        for i"),
        "outline": lambda: server.of_file("textDocument/documentSymbol"),
    }
    if has_tokens:
        asked["tokens"] = lambda: server.of_file("textDocument/semanticTokens/full")
    return answers(server, asked, "# Many kernels")


def script() -> str:
    """Return a module of functions with 500 statements together."""
    functions = [
        f"""
    @tir.prim_func
    def kernel{number}(A: tir.Buffer((16, 16), "float32"), B: tir.Buffer((16, 16), "float32")):
        {"# The seventh." if number == 7 else "# Another one."}
        for i in range(16):
            for j in range(16):
                x: tir.float32 = tir.exp(A[i, j])
                if i < j:
                    B[i, j] = x + {number}.5
"""
        for number in range(COUNT // 5)
    ]
    return f"# Many kernels.\n@uir.script.ir_module\nclass Module:{''.join(functions)}"


def answers(server: Server, asked: dict[str, Callable[[], Any]], head: str) -> dict[str, float]:
    """Return the median milliseconds from a change of the line of `head` to each answer."""
    found: dict[str, list[float]] = {name: [] for name in asked}
    version = 0
    for _ in range(ROUNDS):
        for name, ask in asked.items():
            # Keys follow each other sooner than a check of all files begins.
            time.sleep(0.1)
            version += 1
            begin = time.perf_counter()
            server.change(version, *key_press(head, version))
            ask()
            found[name].append(1e3 * (time.perf_counter() - begin))
    server.close()
    return {name: statistics.median(times) for name, times in found.items()}


def key_press(head: str, version: int) -> tuple[str, str]:
    """Return the end of a text before and after the press of one more dot."""
    return f"{head}{'.' * version}\n", f"{head}{'.' * (version + 1)}\n"


if __name__ == "__main__":
    main()
