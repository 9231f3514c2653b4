"""Whether anything changed since a run: decided from contents, before anything else is imported.

In: the inputs and outputs of a run.  Out: one digest of all of them, kept in a file; for tschema
itself and the formatters it covers the change times.  This module imports nothing that takes time,
and believes nothing that it cannot check: if the file is missing, broken or different, there is a
full run.

The file is in `.tschema_cache/` beside the configuration, with an entry for each way to call the
command.  The folder can be deleted at any time; it ignores itself in git.
"""

from __future__ import annotations

import marshal
import os
import sys
import time

from tschema.project.folders import PACKAGE, templates_folder, walk
from tschema.project.programs import FORMATTERS, file_stamp, identify_program

try:
    from _blake2 import blake2b  # The same, but `hashlib` takes longer to import.
except ImportError:  # pragma: no cover
    from hashlib import blake2b

CACHE_FOLDER = ".tschema_cache"
TEMPORARY_SUFFIX = ".tschema-new"
"""Suffix of a file that is written beside the one that it replaces."""
JOURNAL = ".tschema-journal"
"""Name of the file, in the root of the outputs, that lists the files being put in place."""
_WATCHED_SUFFIXES = (
    *(".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"),
    *(".py", ".pyi", ".rs", ".md", TEMPORARY_SUFFIX),
)
"""Suffixes of files in the folders of the targets that may be generated, or have blocks."""

_DIGEST_BYTES = 20
_MAGIC = b"tschema run 3\n"
_TICK = 20_000_000
"""Nanoseconds by which a change time may lag behind the clock, and some more."""
_BORN = time.time_ns()
"""When this process took over the code of tschema, or soon after."""
_VARIABLES = ("RUSTUP_TOOLCHAIN", "RUSTUP_HOME")
_TOOLCHAIN_FILES = ("rust-toolchain", "rust-toolchain.toml")

# Not from `typing`, which takes longer to import than all of this to run.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Watch:
    """The inputs of a run, besides tschema itself; paths may be relative."""

    def __init__(
        self,
        files: Iterable[str] = (),
        sources: Iterable[str] = (),
        targets: Iterable[str] = (),
        packages: Iterable[str] = (),
        started: int = 0,
    ) -> None:
        """
        Name the inputs before they are read.

        Parameters
        ----------
        files
            Single files; that one is missing counts as well.
        sources
            Schema files, and folders of them.
        targets
            Folders of generated files, and of files that might be taken for generated ones.
        packages
            Packages whose place on Python's search path matters.
        started
            When the run began to read, in nanoseconds since the epoch.
        """
        self.files = tuple(sorted(set(files)))
        self.sources = tuple(sorted(set(sources)))
        self.targets = tuple(sorted(set(targets)))
        self.packages = tuple(sorted(set(packages)))
        self.started = started


class _YoungFileError(Exception):
    """A file may have changed while the run read it."""


def run_key(config: str, languages: Iterable[str] | None, out_dir: str | None) -> str:
    """Return how a run of `gen` was called, as far as the files that it makes depend on it."""
    chosen = "all" if languages is None else ",".join(sorted(set(languages)))
    return f"{config} {chosen} {os.path.abspath(out_dir) if out_dir else ''}"


def is_current(root: str, key: str) -> tuple[int, str] | None:
    """
    Decide whether a run would change nothing.

    Parameters
    ----------
    key
        How the command was called, as far as it matters to the result.

    Returns
    -------
    found
        The number of files that are up to date and the warnings of the run that made them; None if
        something changed, or nothing is known.
    """
    try:
        with open(_path(root, key), "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST_BYTES
    body = data[start:]
    if data[:start] != _MAGIC + content_digest(body):
        return None
    try:
        *known, lists, outputs, warnings = marshal.loads(body)
        found = _fingerprints(root, key, Watch(*lists), dict.fromkeys(outputs), None)
        if any(one != other for one, other in zip(found, known, strict=True)):
            return None
    except (OSError, ValueError, EOFError, TypeError):  # Also bytes of another Python.
        return None
    return len(outputs), warnings


def save(
    root: str, key: str, watch: Watch, outputs: Mapping[str, bytes], warnings: str = ""
) -> None:
    """
    Record the outputs that a run makes from its inputs.

    Nothing is noted where an input may have changed since the run began: its contents then need
    not be those that the run has read.

    Parameters
    ----------
    key
        How the command was called.
    watch
        The inputs of the run.
    outputs
        Digests of the files that it wrote, or would have written.
    warnings
        The warnings that a run repeats if nothing changed.
    """
    try:
        # The digest tells of tschema as it began, which files that changed since are not.
        if any(os.stat(path).st_ctime_ns >= _BORN - _TICK for path in _tool_files()):
            return
        digests = _fingerprints(root, key, watch, outputs, watch.started - _TICK)
        lists = (watch.files, watch.sources, watch.targets, watch.packages)
        body = marshal.dumps((*digests, lists, tuple(outputs), warnings))
    except (_YoungFileError, OSError):
        return
    if prepare_folder(root):
        write_atomically(_path(root, key), _MAGIC + content_digest(body) + body)


def content_digest(data: bytes) -> bytes:
    """Return the digest of a file that holds some bytes."""
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()


def prepare_folder(root: str) -> bool:
    """Make the folder of caches, which git ignores; return whether it is there."""
    folder = os.path.join(root, CACHE_FOLDER)
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, ".gitignore")):
            write_atomically(os.path.join(folder, ".gitignore"), b"# Made by tschema.\n*\n")
    except OSError:
        return False
    return True


def write_atomically(path: str, data: bytes) -> None:
    """Write an optional file: a failure is not an error."""
    temporary = f"{path}.tmp"  # Always the same, so that killed runs leave at most one.
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def tool_digest() -> bytes:
    """Return a digest of all of tschema, its dependencies and the formatters, as they began."""
    if not _began:
        _began.append(_tool())
    return _began[0]


_began: list[bytes] = []


def _tool() -> bytes:
    """Return the digest as it is."""
    state = _State(None)
    state.note(sys.version, sys.executable, *(f"{os.environ.get(name)}" for name in _VARIABLES))
    state.note(*map(identify_program, FORMATTERS))
    for folder in sys.path:
        if os.path.basename(folder) in ("site-packages", "dist-packages"):
            state.add_environment(folder)
    # To read them all takes longer than the rest of a run; Python trusts its byte code on less.
    state.note("\n".join(f"{path} {file_stamp(path)}" for path in _tool_files()))
    return state.digest()


class _State:
    """Takes names and contents into one digest."""

    def __init__(self, before: int | None) -> None:
        self._hash = blake2b(digest_size=_DIGEST_BYTES)
        self._before = before

    def note(self, *texts: str) -> None:
        """Take texts."""
        for text in texts:
            self.add(os.fsencode(text))

    def add(self, data: bytes | None) -> None:
        """Take bytes, or that there are none."""
        if data is None:
            self._hash.update(b"-")
        else:
            self._hash.update(b"%d:" % len(data))
            self._hash.update(data)

    def add_file(self, path: str, name: str) -> None:
        """Take a file, which may miss."""
        self.note(name)
        try:
            with open(path, "rb", buffering=0, opener=_open_at_once) as stream:
                self._check_age(os.fstat(stream.fileno()))
                self.add(content_digest(stream.read()))
        except (FileNotFoundError, NotADirectoryError):
            self.add(None)

    def add_environment(self, folder: str) -> None:
        """Take which packages are installed in which versions, and what redirects imports."""
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            return
        self.note(*(name for name in names if not name.endswith(".pyc")))
        for name in names:
            if name.endswith(".pth") or name.startswith("__editable__"):
                path = os.path.join(folder, name)
                if os.path.isfile(path):
                    self.add_file(path, name)

    def digest(self) -> bytes:
        """Return the digest."""
        return self._hash.digest()

    def _check_age(self, stat: os.stat_result) -> None:
        if self._before is not None and stat.st_ctime_ns >= self._before:
            raise _YoungFileError


def _fingerprints(
    root: str, key: str, watch: Watch, outputs: Mapping[str, bytes | None], before: int | None
) -> Iterator[bytes]:
    """Yield the digest of the inputs, then of everything; None means the file on disk."""
    state = _State(before)
    state.note(key)
    _began.append(_tool() if before is None else tool_digest())
    state.add(_began[-1])
    for package in watch.packages:
        places = (os.path.join(folder, package) for folder in sys.path)
        state.note(package, *filter(os.path.exists, places))
    for name in (*watch.files, *_toolchain_files(root)):
        state.add_file(os.path.join(root, name), name)
    for name in watch.sources:
        for path in _sources(os.path.join(root, name)):
            state.add_file(path, path)
        state.note("")
    yield state.digest()
    digests = {os.path.join(root, name): digest for name, digest in outputs.items()}
    found = {path for name in watch.targets for path in _targets(os.path.join(root, name))}
    for path in sorted(found.union(digests)):
        digest = digests.get(path)
        if digest is None:
            state.add_file(path, path)
        else:
            state.note(path)
            state.add(digest)
    yield state.digest()


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _sources(path: str) -> Iterator[str]:
    return iter([path]) if os.path.isfile(path) else walk(path, (".py",))


def _targets(path: str) -> Iterator[str]:
    return (
        iter([path]) if os.path.isfile(path) else walk(path, _WATCHED_SUFFIXES, ("tschema.toml",))
    )


def _tool_files() -> Iterator[str]:
    """Yield the sources and the templates of tschema."""
    yield from walk(PACKAGE, (".py",))
    yield from walk(templates_folder(), (".jinja",))


def _toolchain_files(root: str) -> list[str]:
    """Return the files that may choose the toolchain of a folder."""
    folders = [os.path.abspath(root)]
    while folders[-1] != os.path.dirname(folders[-1]):
        folders.append(os.path.dirname(folders[-1]))
    return [os.path.join(folder, name) for folder in folders for name in _TOOLCHAIN_FILES]


def _path(root: str, key: str) -> str:
    name = blake2b(key.encode(), digest_size=4).hexdigest()
    return os.path.join(root, CACHE_FOLDER, f"run-{name}")
