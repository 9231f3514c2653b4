"""The project's configuration: `tschema.toml`, or `[tool.tschema]` in `pyproject.toml`.

In: the path of the file.  Out: a `Config`, its paths relative to the file's folder, or
`SchemaError` with every fault of the file.  It reads only this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar

from msgspec import Struct, field

from tschema.diagnostics.errors import Reporter, schema_error
from tschema.diagnostics.explain import titles
from tschema.diagnostics.source import SourceFile, Span
from tschema.project.config_table import TableReader, as_table, locate_key, parse_toml
from tschema.project.folders import find_config_file

Mode = Literal["files", "in_place"]
"""How a target is written: `files` means that tschema owns whole files, `in_place` that it owns the
blocks which it finds in files of the user's."""
_MODES: tuple[Mode, ...] = ("files", "in_place")

TVM_FFI_RANGES = (">=0.1.13", ">=0.1.12")
"""Releases that a project may ask for: 0.1.12 lays out fewer types of fields as a schema does."""

_SOURCES = tuple(f"**/*{suffix}" for suffix in (".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"))
Level = Literal["source", "binary", "data"]
"""The uses that a change of declarations breaks: `source`, programs that use the package, once they
are compiled or run again; `binary`, libraries that were compiled against it; `data`, files it
saved."""
LEVELS: tuple[Level, ...] = ("source", "binary", "data")
_CHANGES = ("TS100", "TS150")
"""The first of the codes that are about changes, and the first behind them."""
_FURTHER_CPP = ("namespaces", "tvm_ffi")
"""Keys of `[cpp]` that are not those of its target."""
_T = TypeVar("_T", bound=Struct)


class CppTarget(Struct, frozen=True):
    """Where C++ goes."""

    mode: Mode
    include: PurePosixPath
    """Folder of `<package>/<ns>/<file>.h`."""
    source: PurePosixPath
    """Folder of `<ns>/<file>.cc`."""


class PythonTarget(Struct, frozen=True):
    """Where Python goes."""

    mode: Mode
    dir: PurePosixPath
    """Folder of the package `<package>_nodes`."""


class RustTarget(Struct, frozen=True):
    """Where Rust goes."""

    mode: Mode
    dir: PurePosixPath
    """Folder of `mod.rs`."""
    module: str = ""
    """Where the crate has the namespaces: `crate`; unknown if empty."""


class DocsTarget(Struct, frozen=True):
    """Where the node reference goes."""

    dir: PurePosixPath


class InPlaceTarget(Struct, frozen=True):
    """Where a language goes whose files are the user's."""

    mode: Literal["in_place"]
    files: tuple[str, ...]
    """Patterns of the files to look for blocks in: `python/toy/**/*.py`."""
    sidecar: PurePosixPath
    """Folder of tschema's own files, for declarations without a block."""


Target = CppTarget | PythonTarget | RustTarget | DocsTarget | InPlaceTarget


class VerifySettings(Struct, frozen=True):
    """What `tschema verify` looks at."""

    sources: tuple[str, ...] = _SOURCES
    """Patterns of the C++ files that people write; hidden folders and builds are left out."""
    library: PurePosixPath | None = None
    """The built library; the one that is found in the build folder if None."""


class BreakingSettings(Struct, frozen=True):
    """What `tschema breaking` reports."""

    levels: tuple[str, ...] = LEVELS
    """The levels that must not break."""
    ignore: tuple[str, ...] = ()
    """Codes of changes that are allowed."""
    unstable: tuple[str, ...] = ()
    """Patterns of the keys of declarations that may change in any way: `toy.draft.*`."""


class Config(Struct, frozen=True):
    """The settings of a project; paths are relative to `root`."""

    root: Path
    """Absolute folder of the configuration file."""
    file: Path
    """Absolute path of the configuration file."""
    package: str
    """First part of every type key, except keys that begin with one of `roots`."""
    schema: tuple[PurePosixPath, ...]
    """Folders and files of declarations."""
    imports: tuple[str, ...]
    """Installed packages whose schema is extended."""
    ir: PurePosixPath
    """The file of the JSON IR."""
    roots: tuple[str, ...] = ()
    """Further first parts of type keys; the folder of one has its name."""
    ignore: tuple[str, ...] = ()
    """Codes of warnings about declarations that are not shown."""
    cpp: CppTarget | InPlaceTarget | None = None
    cpp_namespaces: Mapping[str, str] = field(default_factory=dict)
    """Dotted prefix of type keys to its C++ namespace."""
    cpp_tvm_ffi: str = TVM_FFI_RANGES[0]
    """The releases of tvm-ffi that the C++ must compile with."""
    python: PythonTarget | InPlaceTarget | None = None
    rust: RustTarget | InPlaceTarget | None = None
    docs: DocsTarget | None = None
    verify: VerifySettings = field(default_factory=VerifySettings)
    breaking: BreakingSettings = field(default_factory=BreakingSettings)

    def targets(self) -> dict[str, Target]:
        """Return the targets that the file configures, by language."""
        pairs = {"cpp": self.cpp, "python": self.python, "rust": self.rust, "docs": self.docs}
        return {language: target for language, target in pairs.items() if target}

    def locate(self, key: str) -> Span:
        """Return where the file has a key outside of all tables of its own."""
        source = SourceFile(self.file.name, _read_text(self.file))
        return locate_key(source, _table(self.file), key)


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
    found = find_config_file(str(folder))
    if found is None:
        message = f"no `tschema.toml` in `{folder}` or above it"
        raise schema_error("TS050", message, "write one, or name one with `--config`")
    return Path(found)


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
        The settings of the file.

    Raises
    ------
    SchemaError
        The file cannot be read, is not TOML, has a key that is unknown, lacks one that is
        needed, or has a value that is wrong; every fault is reported.
    """
    return parse_config(path, _read_text(path.absolute()))


def parse_config(path: Path, text: str) -> Config:
    """
    Parse the text of a configuration file, which need not be there.

    Parameters
    ----------
    path
        Where the file is, or will be.

    Returns
    -------
    config
        The settings of the file.

    Raises
    ------
    SchemaError
        See `load_config`.
    """
    reporter = Reporter()
    path = path.absolute()
    source = SourceFile(path.name, text)
    root_table = parse_toml(source, reporter)
    prefix = _table(path)
    for part in filter(None, prefix.split(".")):
        root_table = as_table(root_table.get(part))
    config = _read_config(path, TableReader(source, prefix, root_table, reporter))
    reporter.stop_on_error()
    return config


def _read_config(path: Path, reader: TableReader) -> Config:
    reader.check_keys([key for key in Config.__struct_fields__[2:] if not key.startswith("cpp_")])
    cpp, docs, verify, breaking = map(reader.table, ("cpp", "docs", "verify", "breaking"))
    config = Config(
        root=path.parent,
        file=path,
        package=reader.package("package"),
        schema=reader.inputs("schema"),
        imports=reader.packages("imports"),
        ir=reader.path("ir", "generated/schema.json"),
        roots=reader.packages("roots"),
        ignore=reader.choices("ignore", titles, ()),
        cpp=_read_target(cpp, CppTarget, *_FURTHER_CPP),
        cpp_namespaces=cpp.namespaces("namespaces") if cpp else {},
        cpp_tvm_ffi=cpp.choice("tvm_ffi", TVM_FFI_RANGES) if cpp else TVM_FFI_RANGES[0],
        python=_read_target(reader.table("python"), PythonTarget),
        rust=_read_target(reader.table("rust"), RustTarget),
        docs=_read(docs, DocsTarget) if docs else None,
        verify=_read(verify, VerifySettings) if verify else VerifySettings(),
        breaking=_read(breaking, BreakingSettings) if breaking else BreakingSettings(),
    )
    for root in config.roots:
        if root == config.package or root in config.imports:
            reader.error("TS052", "roots", f"root `{root}` is the name of a package already")
    if config.package in config.imports:
        reader.error("TS052", "imports", f"package `{config.package}` imports itself")
    return config


_Read = Callable[[TableReader, str], object]
"""Reads the value of a key."""
_KEYS: Mapping[type[Struct], Mapping[str, _Read]] = {
    CppTarget: {"include": TableReader.path, "source": TableReader.path},
    PythonTarget: {"dir": TableReader.path},
    RustTarget: {"dir": TableReader.path, "module": TableReader.crate_path},
    InPlaceTarget: {"files": TableReader.patterns, "sidecar": TableReader.path},
    DocsTarget: {"dir": TableReader.path},
    VerifySettings: {
        "sources": lambda reader, key: reader.patterns(key, _SOURCES),
        "library": TableReader.file,
    },
    BreakingSettings: {
        "levels": lambda reader, key: reader.choices(key, lambda: LEVELS, LEVELS),
        "ignore": lambda reader, key: reader.choices(key, _codes_of_changes, ()),
        "unstable": TableReader.names,
    },
}
"""The keys of each table but the mode."""


def _read(reader: TableReader, settings: type[_T], *further: str, **known: object) -> _T:
    """Return the settings of a table, some of which are known; it may have further keys."""
    keys = _KEYS[settings]
    reader.check_keys((*known, *keys, *further))
    return settings(**known, **{key: read(reader, key) for key, read in keys.items()})


def _read_target(
    reader: TableReader | None, target: type[_T], *further: str
) -> _T | InPlaceTarget | None:
    """Return the target of a language, if its table has more than further keys."""
    if reader is None or reader.has_only(*further):
        return None
    mode = reader.choice("mode", _MODES)
    if mode == "in_place":
        return _read(reader, InPlaceTarget, *further, mode=mode)
    return _read(reader, target, *further, mode=mode)


def _codes_of_changes() -> list[str]:
    return [code for code in titles() if _CHANGES[0] <= code < _CHANGES[1]]


def _table(path: Path) -> str:
    """Return the table of a file that is the configuration; empty for all of the file."""
    return "tool.tschema" if path.name == "pyproject.toml" else ""


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise schema_error("TS050", f"cannot read `{path}`: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise schema_error("TS050", f"`{path}` is not UTF-8 at byte {error.start}") from error
