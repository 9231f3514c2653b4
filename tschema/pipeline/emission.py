"""Runs the backends, language by language.

In: the JSON IR, a request, and results of earlier runs.  Out: unformatted files.  It reads
and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import PurePosixPath
from typing import TypeVar

from msgspec import json, msgpack

from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.emit.format import Formatting, format_texts
from tschema.emit.render import Renderer
from tschema.incremental.background import Background, can_fork
from tschema.incremental.store import Store
from tschema.ir import codec
from tschema.ir.dependencies import Dependencies
from tschema.ir.model import Schema
from tschema.ir.spelling import spelled
from tschema.pipeline.request import Request
from tschema.project.config import InPlaceTarget

_T = TypeVar("_T")
_ORDER = ("rust", "cpp", "python", "docs")
"""The languages, the one whose formatter takes longest first: formatters run meanwhile."""
_MANY_TYPES = 200
"""Types of a cold run for which a second process pays."""


class RememberingRenderer(Renderer):
    """Renders only texts that neither this run nor an earlier one has rendered."""

    def __init__(self, schema: Schema, store: Store) -> None:
        """Take a schema, and results of earlier runs."""
        super().__init__()
        self._dependencies = Dependencies(schema)
        self._store = store

    def remembered(self, kind: str, sources: Iterable[str], make: Callable[[], str]) -> str:
        """Return the text of a file that is made from some schema files alone."""
        inputs = map(self._dependencies.of_file, sources)
        return self._store.task(f"render {kind}", inputs, lambda: make().encode()).decode()

    def part(self, kind: str, key: str, make: Callable[[], _T]) -> _T:
        """Return the result of `make` for one type alone, which JSON can hold."""
        inputs = [self._dependencies.of_type(key)]
        data = self._store.task(f"render {kind}", inputs, lambda: json.encode(make()))
        found: _T = json.decode(data)
        return found


def emit(
    schema: Schema,
    request: Request,
    renderer: Renderer,
    store: Store,
    formatting: Formatting | None = None,
) -> Iterator[Sequence[OutputFile]]:
    """
    Yield the files of each language, and the JSON IR.

    Parameters
    ----------
    request
        The outputs to generate; targets that are written in place are left out.
    formatting
        Takes the text that a second process has formatted; None starts no second process.
    """
    targets = request.targets()
    owned = [
        one for one in _ORDER if one in targets and not isinstance(targets[one], InPlaceTarget)
    ]

    def render(language: str) -> Sequence[OutputFile]:
        return load_backend(language)(spelled(schema, language), targets[language], renderer)

    def render_and_format_cpp() -> bytes:
        texts = {file.path: file.text for file in render("cpp")}
        formatted = format_texts(texts, request.config.root, store)
        return msgpack.encode({str(path): (texts[path], formatted[path]) for path in texts})

    with ExitStack() as processes:
        if formatting and "cpp" in owned and _is_much(schema, store):
            meanwhile = processes.enter_context(Background(store, render_and_format_cpp))
            yield from (render(language) for language in owned if language != "cpp")
            owned = ["cpp"]
            if (done := meanwhile.join()) is not None:
                yield _take_formatted(done, formatting)
                owned = []
        yield from map(render, owned)
    yield [OutputFile(request.config.ir, "json", codec.encode(schema).decode())]


def _take_formatted(done: bytes, formatting: Formatting) -> Sequence[OutputFile]:
    """Return the C++ files that a second process has rendered and formatted."""
    texts = msgpack.decode(done, type=dict[str, tuple[str, str]])
    files = [OutputFile(PurePosixPath(path), "cpp", text) for path, (text, _) in texts.items()]
    formatting.take({file.path: texts[str(file.path)][1] for file in files})
    return files


def _is_much(schema: Schema, store: Store) -> bool:
    n_types = sum(len(space.types) for space in schema.namespaces)
    return n_types >= _MANY_TYPES and store.is_empty() and can_fork()
