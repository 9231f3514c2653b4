"""The project's configuration: `tschema.toml`, or `[tool.tschema]` in `pyproject.toml`.

In: the path of the file.  Out: a `Config`, its paths relative to the file's folder, or
`SchemaError` with every fault of the file.  It knows no schema and looks at no other file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Literal, TypeVar

from tschema.errors import Reporter, SchemaError, suggest
from tschema.source import SourceFile, Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "Config",
    "CppTarget",
    "DocsTarget",
    "Mode",
    "PythonTarget",
    "RustTarget",
    "Target",
    "find_config",
    "load_config",
]

FILE_NAMES = ("tschema.toml", "pyproject.toml")

Mode = Literal["files"]
"""How a target is written: `files` means that tschema owns whole files."""

_Table = dict[str, object]
_HEADER = re.compile(r"\s*\[+\s*([\w.\-]+)\s*\]")
_KEY = re.compile(r"\s*([\w.\-]+)\s*=")
_T = TypeVar("_T")


@dataclass(frozen=True)
class CppTarget:
    """Where C++ goes."""

    mode: Mode
    include: PurePosixPath
    """Folder of `<package>/<ns>/<file>.h`."""
    source: PurePosixPath
    """Folder of `<ns>/<file>.cc`."""


@dataclass(frozen=True)
class PythonTarget:
    """Where Python goes."""

    mode: Mode
    dir: PurePosixPath
    """Folder of the package `<package>_nodes`."""


@dataclass(frozen=True)
class RustTarget:
    """Where Rust goes."""

    mode: Mode
    dir: PurePosixPath
    """Folder of `mod.rs`."""


@dataclass(frozen=True)
class DocsTarget:
    """Where the node reference goes."""

    dir: PurePosixPath


Target = CppTarget | PythonTarget | RustTarget | DocsTarget


@dataclass(frozen=True)
class Config:
    """What a project says about itself; paths are relative to `root`."""

    root: Path
    """Absolute folder of the configuration file."""
    file: Path
    """Absolute path of the configuration file."""
    package: str
    """First part of every type key."""
    schema: tuple[PurePosixPath, ...]
    """Folders and files of declarations."""
    imports: tuple[str, ...]
    """Installed packages whose schema is extended."""
    ir: PurePosixPath
    """The file of the JSON IR."""
    cpp: CppTarget | None = None
    python: PythonTarget | None = None
    rust: RustTarget | None = None
    docs: DocsTarget | None = None

    def targets(self) -> dict[str, Target]:
        """Return the targets that the file configures, by language."""
        pairs = {"cpp": self.cpp, "python": self.python, "rust": self.rust, "docs": self.docs}
        return {language: target for language, target in pairs.items() if target}


def find_config(folder: Path) -> Path:
    """
    Find the configuration of the project that a folder belongs to.

    Parameters
    ----------
    folder
        Where to start; the search goes up to the root of the file system.

    Returns
    -------
    path
        The nearest `tschema.toml`, or `pyproject.toml` with a `[tool.tschema]` table.

    Raises
    ------
    SchemaError
        There is none.
    """
    for parent in (folder.resolve(), *folder.resolve().parents):
        for name in FILE_NAMES:
            if _is_config(parent / name):
                return parent / name
    reporter = Reporter()
    reporter.error(
        "TS050",
        f"no `tschema.toml` in `{folder}` or above it",
        None,
        help="write one, or name one with `--config`",
    )
    raise SchemaError(reporter.sorted("error"))


def load_config(path: Path) -> Config:
    """
    Read a configuration file.

    Parameters
    ----------
    path
        A `tschema.toml`, or a `pyproject.toml` with a `[tool.tschema]` table.

    Returns
    -------
    config
        What it says.

    Raises
    ------
    SchemaError
        The file cannot be read, is not TOML, has a key that is unknown, lacks one that is
        needed, or has a value that is wrong; every fault is reported.
    """
    reporter = Reporter()
    path = path.absolute()
    text = _read_text(path, reporter)
    source = SourceFile(path.name, text)
    root_table = _parse_toml(source, reporter)
    prefix = "tool.tschema" if path.name == "pyproject.toml" else ""
    for part in filter(None, prefix.split(".")):
        root_table = _as_table(root_table.get(part))
    config = _read_config(path, _Reader(source, prefix, root_table, reporter))
    reporter.stop_on_error()
    return config


class _Reader:
    """Takes the known keys out of one table, and reports what is left or wrong."""

    def __init__(self, source: SourceFile, name: str, table: _Table, reporter: Reporter) -> None:
        self._source = source
        self._name = name
        self._table = table
        self._reporter = reporter

    def error(self, code: str, key: str, message: str, help: str | None = None) -> None:
        """Report a fault of a key."""
        span = _locate(self._source, self._name, key)
        self._reporter.error(code, message, span, help=help)

    def check_keys(self, known: Iterable[str]) -> None:
        """Report keys that nobody knows."""
        known = list(known)
        where = f" of `[{self._name}]`" if self._name else ""
        for key in sorted(set(self._table) - set(known)):
            listed = ", ".join(f"`{name}`" for name in known)
            help = suggest(key, known) or f"the keys{where} are {listed}"
            self.error("TS051", key, f"unknown key `{key}`{where}", help)

    def table(self, key: str) -> _Reader | None:
        """Return the reader of a nested table, or None where it is left out."""
        if key not in self._table:
            return None
        value = self._table[key]
        if not isinstance(value, dict):
            self.error("TS052", key, f"`{key}` is not a table")
        name = f"{self._name}.{key}" if self._name else key
        return _Reader(self._source, name, _as_table(value), self._reporter)

    def path(self, key: str, default: str | None = None) -> PurePosixPath:
        """Return an output path, which lies in the project's root."""
        return self._path(key, self._string(key, default))

    def package(self, key: str) -> str:
        """Return the name of a package."""
        return self._package(key, self._string(key, None))

    def packages(self, key: str) -> tuple[str, ...]:
        """Return the names of packages; there may be none."""
        return tuple(self._package(key, name) for name in self._strings(key, []))

    def inputs(self, key: str) -> tuple[PurePosixPath, ...]:
        """Return paths of inputs, at least one."""
        paths = self._strings(key, None)
        if self._table.get(key) == []:
            self.error("TS052", key, f"`{key}` is empty", "name a folder of schema files")
        for path in paths:
            if _is_outside(path):
                self.error("TS052", key, f"`{path}` in `{key}` is outside the project's root")
        return tuple(PurePosixPath(path) for path in paths)

    def mode(self) -> Mode:
        """Return how the target is written."""
        value = self._string("mode", "files")
        if value != "files":
            self.error("TS052", "mode", f"unknown mode `{value}`", 'the mode is `"files"`')
        return "files"

    def _string(self, key: str, default: str | None) -> str:
        value = self._get(key, default)
        if isinstance(value, str):
            return value
        self.error("TS052", key, f"`{key}` is not a string")
        return ""

    def _strings(self, key: str, default: list[str] | None) -> list[str]:
        value = self._get(key, default)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        if value != "":
            self.error("TS052", key, f"`{key}` is not a list of strings")
        return []

    def _get(self, key: str, default: object) -> object:
        if key not in self._table and default is None:
            where = f"`[{self._name}]`" if self._name else "the configuration"
            self.error("TS052", "", f"{where} lacks the key `{key}`")
            return ""
        return self._table.get(key, default)

    def _path(self, key: str, text: str) -> PurePosixPath:
        if _is_outside(text):
            self.error(
                "TS053",
                key,
                f"output path `{text}` in `{key}` is outside the project's root",
                "an output path is relative to this file's folder, and stays below it",
            )
        return PurePosixPath(text)

    def _package(self, key: str, name: str) -> str:
        if name and not (name.isascii() and name.isidentifier()):
            self.error("TS052", key, f"`{name}` in `{key}` is not the name of a package")
        return name


def _read_config(path: Path, reader: _Reader) -> Config:
    reader.check_keys(["package", "schema", "imports", "ir", "cpp", "python", "rust", "docs"])
    config = Config(
        root=path.parent,
        file=path,
        package=reader.package("package"),
        schema=reader.inputs("schema"),
        imports=reader.packages("imports"),
        ir=reader.path("ir", "generated/schema.json"),
        cpp=_optional(reader.table("cpp"), _read_cpp),
        python=_optional(reader.table("python"), _read_python),
        rust=_optional(reader.table("rust"), _read_rust),
        docs=_optional(reader.table("docs"), _read_docs),
    )
    if config.package in config.imports:
        reader.error("TS052", "imports", f"package `{config.package}` imports itself")
    return config


def _read_cpp(reader: _Reader) -> CppTarget:
    reader.check_keys(["mode", "include", "source"])
    return CppTarget(reader.mode(), reader.path("include"), reader.path("source"))


def _read_python(reader: _Reader) -> PythonTarget:
    reader.check_keys(["mode", "dir"])
    return PythonTarget(reader.mode(), reader.path("dir"))


def _read_rust(reader: _Reader) -> RustTarget:
    reader.check_keys(["mode", "dir"])
    return RustTarget(reader.mode(), reader.path("dir"))


def _read_docs(reader: _Reader) -> DocsTarget:
    reader.check_keys(["dir"])
    return DocsTarget(reader.path("dir"))


def _optional(reader: _Reader | None, read: Callable[[_Reader], _T]) -> _T | None:
    return read(reader) if reader else None


def _is_config(path: Path) -> bool:
    if not path.is_file():
        return False
    if path.name == "tschema.toml":
        return True
    text = path.read_text("utf-8", "replace")
    return re.search(r"^\s*\[+\s*tool\.tschema\b", text, re.MULTILINE) is not None


def _read_text(path: Path, reporter: Reporter) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        reporter.error("TS050", f"cannot read `{path}`: {error.strerror}", None)
    except UnicodeDecodeError as error:
        reporter.error("TS050", f"`{path}` is not UTF-8 at byte {error.start}", None)
    raise SchemaError(reporter.sorted("error"))


def _parse_toml(source: SourceFile, reporter: Reporter) -> _Table:
    try:
        table: _Table = tomllib.loads(source.text)
        return table
    except tomllib.TOMLDecodeError as error:
        message, _, where = str(error).partition(" (at ")
        position = re.search(r"line (\d+), column (\d+)", where)
        line, column = map(int, position.groups()) if position else (source.text.count("\n") + 1, 1)
        span = Span(source, line, column, line, column + 1)
        reporter.error("TS050", f"not TOML: {message[:1].lower()}{message[1:]}", span)
    raise SchemaError(reporter.sorted("error"))


def _as_table(value: object) -> _Table:
    return value if isinstance(value, dict) else {}


def _is_outside(path: str) -> bool:
    """Return whether a path is absolute, or climbs out of the folder it is relative to."""
    depth, lowest = 0, 0
    for part in PurePosixPath(path).parts:
        depth += -1 if part == ".." else 1
        lowest = min(lowest, depth)
    return lowest < 0 or PurePosixPath(path).is_absolute() or bool(PureWindowsPath(path).anchor)


def _locate(source: SourceFile, table: str, key: str) -> Span:
    """Return where a key of a table stands; its table's header, or line 1, at the least."""
    wanted = f"{table}.{key}".strip(".")
    current, found = "", Span(source, 1, 1, 1, 2)
    for number, line in enumerate(source.text.split("\n"), 1):
        match = _HEADER.match(line) or _KEY.match(line)
        if match is None:
            continue
        name = match[1] if match.re is _HEADER else f"{current}.{match[1]}".lstrip(".")
        span = Span(source, number, match.start(1) + 1, number, match.end(1) + 1)
        if name == wanted:
            return span
        if match.re is _HEADER:
            current = name
            found = span if name == table else found
    return found
