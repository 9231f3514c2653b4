"""Formatting of generated text with the languages' formatters.

A text is split into units (`units.py`). The units that no earlier run has formatted go to the
formatter together, in one file per processor. The settings are tschema's own, independent of the
user and the machine, so that the same schema gives the same bytes everywhere; but the blocks that
go to a user's C++ files follow the `.clang-format` of the project.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from tschema.emit.cpp_classes import lay_out_class
from tschema.emit.table_rows import lay_out_rows
from tschema.emit.units import join_units, split_units, take_apart
from tschema.incremental.store import Store, make_key
from tschema.project.programs import find_program, identify_program

CLANG_STYLE = (
    "{BasedOnStyle: Google, ColumnLimit: 100, DerivePointerAlignment: false, "
    "PointerAlignment: Left}"
)
_CLANG_STYLE = f"{CLANG_STYLE[:-1]}, FixNamespaceComments: false, SortUsingDeclarations: false}}"
"""The same for emitted text, whose namespaces are named and whose names are sorted: each of the two
fixes costs a pass over the whole text."""
_RUFF_OPTIONS = ("--isolated", "--no-cache", "--line-length=100")
_RUSTFMT_SETTINGS = 'edition = "2021"\nmax_width = 100\n'

BLOCKS_FOLDER = "tschema-blocks"
"""The top folder of the files that hold blocks for the user's files; it is on no disk."""
_MODULE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;", re.MULTILINE)
_LEAST_LINES = 500
"""Lines of units that are worth a process of their own."""


class FormatError(Exception):
    """A formatter is missing, or refused generated text; its message says which and why."""


class _Formatter(Struct, frozen=True):
    program: str
    suffixes: frozenset[str]
    comment: str
    """What starts a comment."""
    blank_lines: int
    """Blank lines that the formatter leaves between two units at most."""
    processes: int
    """Processes that go faster than one."""
    settings: str
    arguments: Callable[[Path, list[PurePosixPath]], list[str]]
    """Given the temporary folder and the files in it."""
    origin: str
    """Where the program comes from."""
    lay_out: Callable[[str], str | None] = lambda _unit: None
    """What formats a unit in less time, where it can."""
    folder: str = ""
    """The top folder of the files that it formats; any if empty."""

    def formats(self, path: PurePosixPath) -> bool:
        """Return whether a file is one of its."""
        return path.suffix in self.suffixes and self.folder in ("", path.parts[0])


class _Run(Struct, frozen=True):
    formatter: _Formatter
    folder: Path
    process: subprocess.Popen[str]


class Formatting:
    """Formats files concurrently; a context manager that terminates its formatters on exit."""

    def __init__(
        self, root: Path, store: Store | None = None, cpp_style: Path | None = None
    ) -> None:
        """
        Format nothing yet.

        Parameters
        ----------
        root
            The project's root, whose `rust-toolchain.toml` picks the rustfmt.
        store
            What earlier runs have formatted.
        cpp_style
            The `.clang-format` that blocks of C++ follow; tschema's own style if None.
        """
        self._formatters = (*([_for_blocks(cpp_style)] if cpp_style else []), *_FORMATTERS)
        self._root = root
        self._store = Store() if store is None else store
        self._begun: set[PurePosixPath] = set()
        self._taken: dict[PurePosixPath, str] = {}
        self._jobs: list[_Job] = []
        self._folder = TemporaryDirectory(prefix="tschema-")

    def __enter__(self) -> Formatting:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Terminate the formatters that are still running."""
        for job in self._jobs:
            job.stop()
        self._folder.cleanup()

    def take(self, formatted: Mapping[PurePosixPath, str]) -> None:
        """Take files that are formatted already, which count as started."""
        self._taken.update(formatted)
        self._begun.update(formatted)

    def start(self, texts: Mapping[PurePosixPath, str]) -> None:
        """
        Start to format the files that are not started yet, and return at once.

        Parameters
        ----------
        texts
            The text of each file, with empty custom regions; the suffix of the path tells the
            language, and a language without a formatter is left as it is.

        Raises
        ------
        FormatError
            A path is not below the project.
        """
        unstarted = {path: text for path, text in texts.items() if path not in self._begun}
        self._begun.update(unstarted)
        for formatter in self._formatters:
            chosen = {path: unstarted[path] for path in unstarted if formatter.formats(path)}
            unstarted = {path: unstarted[path] for path in unstarted if path not in chosen}
            if chosen:
                job = _Job(formatter, chosen, self._root, self._store)
                self._jobs.append(job)
                job.start(Path(self._folder.name, str(len(self._jobs))))

    def finish(self, texts: Mapping[PurePosixPath, str]) -> Iterator[tuple[PurePosixPath, str]]:
        """
        Yield the formatted text of each file, as soon as the formatter of its language is done.

        Parameters
        ----------
        texts
            The files that are wanted, whether started or not, with the same texts.

        Raises
        ------
        FormatError
            Formatters are missing or failed; the message names all of them.
        """
        self.start(texts)
        yield from (item for item in self._taken.items() if item[0] in texts)
        languages = frozenset[str]().union(*(formatter.suffixes for formatter in _FORMATTERS))
        yield from ((path, text) for path, text in texts.items() if path.suffix not in languages)
        faults: list[str] = []
        for job in sorted(self._jobs, key=_Job.slowness):
            faults += job.wait()
            if not faults:
                yield from (item for item in job.finish().items() if item[0] in texts)
        if faults:
            raise FormatError("\n".join(dict.fromkeys(faults)))


def format_texts(
    texts: Mapping[PurePosixPath, str], root: Path, store: Store | None = None
) -> dict[PurePosixPath, str]:
    """Format files and wait for it; see `Formatting`."""
    with Formatting(root, store) as formatting:
        formatted = dict(formatting.finish(texts))
    return {path: formatted[path] for path in texts}


class _Job:
    """Formats the files of one language."""

    def __init__(
        self, formatter: _Formatter, texts: dict[PurePosixPath, str], root: Path, store: Store
    ) -> None:
        self._formatter = formatter
        self._program = find_program(formatter.program)
        self._faults: list[str] = []
        self._root = root
        self._store = store
        self._identity = f"{identify_program(formatter.program)}\n{formatter.settings}"
        self._parts = {path: take_apart(text, formatter.comment) for path, text in texts.items()}
        self._rows = frozenset[str]().union(*(part.rows for part in self._parts.values()))
        self._known: dict[str, str] = {}
        self._batches: list[tuple[Path, list[str]]] = []
        self._frames: list[tuple[Path, PurePosixPath, str]] = []
        self._runs: list[_Run] = []

    def slowness(self) -> int:
        """Return which jobs to wait for last."""
        return self._formatter.processes

    def start(self, folder: Path) -> None:
        """Write the texts to format below a folder, and start the formatter on them."""
        units = [unit for part in self._parts.values() for unit in part.units()]
        missing = [unit for unit in dict.fromkeys(units) if not self._is_known(unit)]
        frames = {path: part.frame for path, part in self._parts.items()}
        absent = {path: frame for path, frame in frames.items() if not self._is_known(frame)}
        for index, batch in enumerate(_deal(missing, self._formatter.processes)):
            place = folder / f"{self._formatter.program}{index}"
            name = PurePosixPath(f"units{min(self._formatter.suffixes)}")
            self._batches.append((place / name, batch))
            files = {name: join_units(batch, self._formatter.comment)} if batch else {}
            if index == 0:
                self._frames = [(place, path, frame) for path, frame in absent.items()]
                files.update(absent)
            if files and self._program is None:
                program, origin = self._formatter.program, self._formatter.origin
                self._faults.append(f"`{program}` is not found: {origin}")
            elif files and self._program:
                self._runs.append(self._run(self._program, place, files))

    def wait(self) -> list[str]:
        """Wait for the formatter; return its error messages, one of which may be its absence."""
        return [*self._faults, *(fault for run in self._runs if (fault := _finish(run)))]

    def stop(self) -> None:
        """End the formatter, whether it is done or not."""
        for run in self._runs:
            with run.process:
                run.process.kill()

    def finish(self) -> dict[PurePosixPath, str]:
        """Return the formatted texts, given that the formatter has succeeded."""
        for place, batch in self._batches:
            for unit, text in zip(batch, self._split(place) if batch else (), strict=True):
                self._learn(unit, text)
        for folder, path, frame in self._frames:
            self._learn(frame, Path(folder, path).read_bytes().decode())
        comment, blank_lines = self._formatter.comment, self._formatter.blank_lines
        return {
            path: part.put_together(self._known, comment, blank_lines)
            for path, part in self._parts.items()
        }

    def _is_known(self, text: str) -> bool:
        if text not in self._known:
            found = self._store.get(self._key(text))
            if found is not None:
                self._known[text] = found.decode()
            elif laid_out := (lay_out_rows if text in self._rows else self._formatter.lay_out)(
                text
            ):
                self._learn(text, laid_out)
        return text in self._known

    def _learn(self, text: str, formatted: str) -> None:
        self._known[text] = formatted
        self._store.put(self._key(text), formatted.encode())

    def _key(self, text: str) -> bytes:
        return make_key("format", self._identity, text)

    def _split(self, path: Path) -> list[str]:
        return split_units(path.read_bytes().decode(), self._formatter.comment)

    def _run(self, program: str, folder: Path, files: Mapping[PurePosixPath, str]) -> _Run:
        for path, text in files.items():
            target = folder / path
            if path.is_absolute() or ".." in path.parts:
                raise FormatError(f"`{path}` is not a path below the project")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        process = subprocess.Popen(
            [program, *self._formatter.arguments(folder, list(files))],
            cwd=self._root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        return _Run(self._formatter, folder, process)


def _deal(units: list[str], processes: int) -> list[list[str]]:
    """Share units out to processes: about the same number of characters to each."""
    lines = sum(unit.count("\n") for unit in units)
    hands: list[list[str]] = [[] for _ in range(max(1, min(processes, lines // _LEAST_LINES)))]
    sizes = [0] * len(hands)
    for unit in units:
        lightest = sizes.index(min(sizes))
        hands[lightest].append(unit)
        sizes[lightest] += len(unit)
    return hands


def _finish(run: _Run) -> str | None:
    """Wait for a formatter; return its error message, or None."""
    output, _ = run.process.communicate()
    if run.process.returncode == 0:
        return None
    said = output.replace(f"{run.folder}/", "").strip()
    return f"{run.formatter.program} failed on generated text:\n{said}"


def _clang_arguments(style: str) -> Callable[[Path, list[PurePosixPath]], list[str]]:
    def arguments(folder: Path, paths: list[PurePosixPath]) -> list[str]:
        listing = folder / "files.txt"
        listing.write_text("".join(f"{folder / path}\n" for path in paths), "utf-8")
        return ["-i", f"--style={style}", f"--files={listing}"]

    return arguments


def _for_blocks(style: Path) -> _Formatter:
    """Return the formatter of blocks in a user's C++ files, which follow a style of the user's."""
    return replace(
        _FORMATTERS[0],
        settings=style.read_text("utf-8", "replace"),
        arguments=_clang_arguments(f"file:{style}"),
        lay_out=lambda _unit: None,
        folder=BLOCKS_FOLDER,
    )


def _ruff_arguments(folder: Path, _paths: list[PurePosixPath]) -> list[str]:
    return ["format", *_RUFF_OPTIONS, "--target-version=py310", str(folder)]


def _rustfmt_arguments(folder: Path, paths: list[PurePosixPath]) -> list[str]:
    settings = folder / "rustfmt.toml"
    settings.write_text(_RUSTFMT_SETTINGS, "utf-8")
    reached = _submodules(folder, paths)
    for path in reached.difference(paths):
        # Not to be formatted this time, but rustfmt wants every module to be there.
        if path.name != "mod.rs" and path.parent / path.stem / "mod.rs" not in paths:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).touch()
    roots = sorted(set(paths) - reached)
    return ["--config-path", str(settings), *(str(folder / path) for path in roots)]


def _submodules(folder: Path, paths: list[PurePosixPath]) -> set[PurePosixPath]:
    """Return the files that rustfmt reaches from another one by itself, through `mod name;`."""
    reached: set[PurePosixPath] = set()
    for path in paths:
        home = path.parent if path.stem in ("mod", "lib", "main") else path.with_suffix("")
        for name in _MODULE.findall((folder / path).read_text("utf-8")):
            reached |= {home / f"{name}.rs", home / name / "mod.rs"}
    return reached


_FORMATTERS = (
    _Formatter(
        "clang-format",
        frozenset({".h", ".cc"}),
        "//",
        1,
        os.cpu_count() or 1,
        _CLANG_STYLE,
        _clang_arguments(_CLANG_STYLE),
        "it comes with tschema's dependency `clang-format`",
        lay_out_class,
    ),
    _Formatter(
        "ruff",
        frozenset({".py", ".pyi"}),
        "#",
        2,
        1,
        " ".join(_RUFF_OPTIONS),
        _ruff_arguments,
        "it comes with tschema's dependency `ruff`",
    ),
    _Formatter(
        "rustfmt",
        frozenset({".rs"}),
        "//",
        1,
        1,
        _RUSTFMT_SETTINGS,
        _rustfmt_arguments,
        "install Rust (https://rustup.rs), or leave Rust out with `--lang`",
    ),
)
