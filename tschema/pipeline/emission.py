"""Runs the backends, language by language.

In: the JSON IR, a request, and results of earlier runs.  Out: unformatted files.  It reads
and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TypeVar

from msgspec import json

from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.emit.format import Formatting
from tschema.emit.render import Renderer
from tschema.incremental.background import Background, can_fork
from tschema.incremental.store import Store
from tschema.ir import codec
from tschema.ir.dependencies import Dependencies
from tschema.ir.model import Schema
from tschema.pipeline.request import Request
from tschema.project.config import InPlaceTarget

__all__ = ["RenderedTexts", "emit"]

_T = TypeVar("_T")
_ORDER = ("rust", "cpp", "python", "docs")
"""The languages, the one whose formatter takes longest first: formatters run meanwhile."""
_MANY_TYPES = 200
"""Types of a cold run for which a second process pays."""


class RenderedTexts:
    """Texts that this run and earlier ones have rendered, of files and of single types."""

    def __init__(self, schema: Schema, store: Store) -> None:
        """Take a schema, and results of earlier runs."""
        self._dependencies = Dependencies(schema)
        self._store = store

    def text(self, kind: str, sources: Iterable[str], make: Callable[[], str]) -> str:
        """Return the text of a file that is made from some schema files alone."""
        inputs = map(self._dependencies.of_file, sources)
        return self._store.task(f"render {kind}", inputs, lambda: make().encode()).decode()

    def part(self, kind: str, key: str, make: Callable[[], _T]) -> _T:
        """Return what is made from one type alone, which JSON can hold."""
        inputs = [self._dependencies.of_type(key)]
        data = self._store.task(f"render {kind}", inputs, lambda: json.encode(make()))
        found: _T = json.decode(data)
        return found


def emit(
    schema: Schema, request: Request, renderer: Renderer, store: Store
) -> Iterator[Sequence[OutputFile]]:
    """
    Yield the files of each language, and the JSON IR.

    Parameters
    ----------
    schema
        The JSON IR.
    request
        What is to be generated; targets that are written in place are left out.
    renderer
        Renders the templates.
    store
        Results of earlier runs.
    """
    targets = request.targets()
    owned = [
        one for one in _ORDER if one in targets and not isinstance(targets[one], InPlaceTarget)
    ]

    def render(language: str) -> Sequence[OutputFile]:
        return load_backend(language)(schema, targets[language], renderer)

    def render_and_format_cpp() -> None:
        texts = {file.path: file.text for file in render("cpp")}
        with Formatting(request.config.root, store) as formatting:
            list(formatting.finish(texts))

    with ExitStack() as processes:
        if "cpp" in owned and _is_much(schema, store):
            # What this finds is found in the store when it is the turn of C++, the last one.
            meanwhile = processes.enter_context(Background(store, render_and_format_cpp))
            owned.remove("cpp")
            yield from map(render, owned)
            meanwhile.join()
            owned = ["cpp"]
        yield from map(render, owned)
    yield [OutputFile(request.config.ir, "json", codec.encode(schema).decode())]


def _is_much(schema: Schema, store: Store) -> bool:
    n_types = sum(len(space.types) for space in schema.namespaces)
    return n_types >= _MANY_TYPES and store.is_empty() and can_fork()
