"""C++, made in a second process beside the other languages, where there are two processors.

In: the JSON IR and a request.  Out: the files of the C++ backend, and their formatted text.  The
second process is a fork of this one and shares its state; if it fails, for any reason, its work is
done here.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.emit.format import Formatting
from tschema.emit.render import Renderer
from tschema.incremental.cache import Store
from tschema.ir.model import Schema
from tschema.pipeline.request import Request
from tschema.project.config import InPlaceTarget

__all__ = ["Beside"]

_MANY = 200
"""Types that are worth a process."""
_Made = tuple[dict[str, str], dict[str, str], dict[bytes, bytes]]
"""Texts by path, formatted texts by path, and what was worked out on the way."""


class Beside:
    """Renders and formats C++ in a process of its own, where it is worth one."""

    def __init__(self, schema: Schema, request: Request, renderer: Renderer, store: Store) -> None:
        """Begin, if there is much to do and nothing is known."""
        self._schema, self._request, self._renderer = schema, request, renderer
        self._store = store
        self.formatted: dict[PurePosixPath, str] = {}
        """The formatted text of what the fork has emitted."""
        target = request.targets().get("cpp")
        count = sum(len(space.types) for space in schema.namespaces)
        is_worth_it = target is not None and not isinstance(target, InPlaceTarget)
        is_worth_it = is_worth_it and count >= _MANY and store.is_empty() and _can_fork()
        self.languages = frozenset({"cpp"}) if is_worth_it else frozenset[str]()
        """What the other process sees to."""
        self._fork = _make_in_fork(self._make) if is_worth_it else None

    def __enter__(self) -> Beside:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Terminate the other process if it is still running."""
        if self._fork is not None:
            self._fork.close()

    def emitted(self) -> Iterator[Sequence[OutputFile]]:
        """Yield what the fork has emitted; what it has failed with is tried again here."""
        if self._fork is None:
            return
        made = self._fork.wait()
        if made is None:
            target = self._request.targets()["cpp"]
            yield load_backend("cpp")(self._schema, target, self._renderer)
            return
        texts, formatted, learnt = made
        for key, value in learnt.items():
            self._store.put(key, value)
        self.formatted = {PurePosixPath(path): text for path, text in formatted.items()}
        yield [OutputFile(PurePosixPath(path), "cpp", text) for path, text in texts.items()]

    def _make(self) -> _Made:
        """Return the texts, the formatted texts, and what was worked out on the way."""
        known = self._store.fresh()
        target = self._request.targets()["cpp"]
        files = load_backend("cpp")(self._schema, target, self._renderer)
        texts = {file.path: file.text for file in files}
        with Formatting(self._request.config.root, self._store) as formatting:
            formatted = {str(path): text for path, text in formatting.finish(texts)}
        learnt = {key: data for key, data in self._store.fresh().items() if key not in known}
        return {str(path): text for path, text in texts.items()}, formatted, learnt


def _can_fork() -> bool:
    """Return whether a second process can run beside this one."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    return len(os.sched_getaffinity(0)) > 1


class _Fork:
    """Another process, which makes something."""

    def __init__(self, child: int, read_end: int) -> None:
        self._child = child
        self._stream = os.fdopen(read_end, "rb")

    def wait(self) -> _Made | None:
        """Return what was made; None if the process has failed."""
        data = self._stream.read()
        if self.close() != 0:
            return None
        made: _Made = marshal.loads(data)
        return made

    def close(self) -> int:
        """Wait until the process ends, which it does when its pipe closes; return its status."""
        if self._stream.closed:
            return 0
        self._stream.close()
        return os.waitpid(self._child, 0)[1]


def _make_in_fork(make: Callable[[], _Made]) -> _Fork:
    """Begin to make something in another process."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read_end)
            with open(write_end, "wb") as stream:
                stream.write(marshal.dumps(make()))
            status = 0
        finally:
            # Nothing that the parent has in hand is for this process to end.
            os._exit(status)
    os.close(write_end)
    return _Fork(child, read_end)
