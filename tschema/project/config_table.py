"""Tables of the configuration file, key by key.

In: TOML.  Out: the values of keys, and a located error for each unknown or invalid one. It does not
know the keys.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath, PureWindowsPath

from tschema.diagnostics.conflict_markers import report_conflicts
from tschema.diagnostics.errors import Reporter, SchemaError
from tschema.diagnostics.helps import suggest, suggest_one_of
from tschema.diagnostics.source import SourceFile, Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Table = dict[str, object]

_HEADER = re.compile(r"\s*\[+\s*([\w.\-]+)\s*\]")
_CRATE_PATH = re.compile(r"crate(?:::[A-Za-z_][A-Za-z0-9_]*)*")
_KEY = re.compile(r"\s*[\"']?([\w.\-]+)[\"']?\s*=")
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_CPP_NAMESPACE = re.compile(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)*", re.ASCII)


_QUOTES = 'write it in quotes, such as `"toy.ir" = "acme::ir"`'


class TableReader:
    """Takes the known keys out of one table, and reports unknown and wrong ones."""

    def __init__(self, source: SourceFile, name: str, table: Table, reporter: Reporter) -> None:
        self._source = source
        self._name = name
        self._table = table
        self._reporter = reporter

    def error(self, code: str, key: str, message: str, help: str | None = None) -> None:
        """Report a fault of a key."""
        span = locate_key(self._source, self._name, key)
        self._reporter.error(code, message, span, help=help)

    def check_keys(self, known: Sequence[str]) -> None:
        """Report unknown keys."""
        where = f" of `[{self._name}]`" if self._name else ""
        for key in sorted(set(self._table) - set(known)):
            help = suggest_one_of(key, known, f"the keys{where} are")
            self.error("TS051", key, f"unknown key `{key}`{where}", help)

    def has_only(self, *keys: str) -> bool:
        """Return whether the table has some of the keys, and no other."""
        return bool(self._table) and set(self._table) <= set(keys)

    def table(self, key: str) -> TableReader | None:
        """Return the reader of a nested table, or None where it is left out."""
        if key not in self._table:
            return None
        value = self._table[key]
        if not isinstance(value, dict):
            self.error("TS052", key, f"`{key}` is not a table")
        name = f"{self._name}.{key}" if self._name else key
        return TableReader(self._source, name, as_table(value), self._reporter)

    def path(self, key: str, default: str | None = None) -> PurePosixPath:
        """Return an output path, which lies in the project's root."""
        return self._path(key, self._string(key, default))

    def package(self, key: str) -> str:
        """Return the name of a package."""
        name = self._string(key, None)
        is_reported = not name and self._table.get(key) != ""
        return name if is_reported else self._package(key, name)

    def crate_path(self, key: str) -> str:
        """Return the path of a module in Rust, from its crate; empty where it is left out."""
        path = self._string(key, "")
        if path and not _CRATE_PATH.fullmatch(path):
            self.error("TS052", key, f"`{path}` in `{key}` is not a path that starts with `crate`")
        return path

    def packages(self, key: str) -> tuple[str, ...]:
        """Return the names of packages; there may be none."""
        return tuple(self._package(key, name) for name in self._strings(key, []))

    def inputs(self, key: str) -> tuple[PurePosixPath, ...]:
        """Return paths of inputs, at least one."""
        paths = self._strings(key, None)
        if self._table.get(key) == []:
            self.error("TS052", key, f"`{key}` is empty", "name a folder of schema files")
        for path in paths:
            if is_outside(path):
                self.error("TS052", key, f"`{path}` in `{key}` is outside the project's root")
        return tuple(PurePosixPath(path) for path in paths)

    def choice(self, key: str, values: Sequence[str]) -> str:
        """Return one of some values, the first one where the key is left out."""
        value = self._string(key, values[0])
        if value in values:
            return value
        listed = " or ".join(f'`"{known}"`' for known in values)
        self.error("TS052", key, f"unknown {key} `{value}`", f"the {key} is {listed}")
        return values[0]

    def choices(
        self, key: str, known: Callable[[], Iterable[str]], default: Sequence[str]
    ) -> tuple[str, ...]:
        """Return some of the known values, which are not asked for without the key."""
        chosen = tuple(self._strings(key, list(default)))
        values = list(known()) if key in self._table else default
        listed = ", ".join(f'`"{value}"`' for value in values)
        for value in sorted(set(chosen) - set(values)):
            help = suggest(value, values) or f"`{key}` lists some of {listed}"
            self.error("TS052", key, f"unknown value `{value}` in `{key}`", help)
        return chosen

    def names(self, key: str) -> tuple[str, ...]:
        """Return texts of any form; there may be none."""
        return tuple(self._strings(key, []))

    def namespaces(self, key: str) -> dict[str, str]:
        """Return a table of dotted prefixes with namespaces of C++; it may be left out."""
        reader = self.table(key)
        return reader._namespaces() if reader else {}

    def _namespaces(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for prefix, namespace in self._table.items():
            if not _DOTTED.fullmatch(prefix) or isinstance(namespace, dict):
                self.error("TS052", prefix, f"`{prefix}` is not the prefix of type keys", _QUOTES)
            elif not isinstance(namespace, str) or not _CPP_NAMESPACE.fullmatch(namespace):
                message = f"`{namespace}` of `{prefix}` is not a namespace of C++"
                self.error("TS052", prefix, message, "write one such as `acme::ir`")
            else:
                found[prefix] = namespace
        return found

    def patterns(self, key: str, default: Sequence[str] = ()) -> tuple[str, ...]:
        """Return patterns of files below the project's root, at least one."""
        if default and key not in self._table:
            return tuple(default)
        return tuple(str(path) for path in self.inputs(key))

    def file(self, key: str) -> PurePosixPath | None:
        """Return the path of a file that may lie anywhere, or None where it is left out."""
        return PurePosixPath(self._string(key, None)) if key in self._table else None

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
        if is_outside(text):
            self.error(
                "TS053",
                key,
                f"output path `{text}` in `{key}` is outside the project's root",
                "an output path is relative to this file's folder, and stays below it",
            )
        return PurePosixPath(text)

    def _package(self, key: str, name: str) -> str:
        if not (name.isascii() and name.isidentifier()):
            self.error("TS052", key, f"`{name}` in `{key}` is not the name of a package")
        return name


def parse_toml(source: SourceFile, reporter: Reporter) -> Table:
    """Return the root table of a file; raise SchemaError if it is not TOML."""
    try:
        table: Table = tomllib.loads(source.text)
        return table
    except tomllib.TOMLDecodeError as error:
        if report_conflicts(source, reporter):
            raise SchemaError(reporter.sorted("error")) from error
        message, _, where = str(error).partition(" (at ")
        position = re.search(r"line (\d+), column (\d+)", where)
        line, column = map(int, position.groups()) if position else (source.text.count("\n") + 1, 1)
        span = Span(source, line, column, line, column + 1)
        reporter.error("TS050", f"not TOML: {message[:1].lower()}{message[1:]}", span)
    raise SchemaError(reporter.sorted("error"))


def as_table(value: object) -> Table:
    """Return a value as a table, an empty one if it is none."""
    return value if isinstance(value, dict) else {}


def is_outside(path: str) -> bool:
    """Return whether a path is absolute, or climbs out of the folder it is relative to."""
    depth, lowest = 0, 0
    for part in PurePosixPath(path).parts:
        depth += -1 if part == ".." else 1
        lowest = min(lowest, depth)
    return lowest < 0 or PurePosixPath(path).is_absolute() or bool(PureWindowsPath(path).anchor)


def locate_key(source: SourceFile, table: str, key: str) -> Span:
    """Return the place of a key of a table; without one, that of the table's header, or line 1."""
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
