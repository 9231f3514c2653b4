"""Bodies that are missing, written where they belong; each one throws an error that names it.

In: a configuration and its schema.  Out: the new bytes of C++ files: of those that define the other
bodies of the same class or schema file, or of new ones; structural methods go to custom regions.
It writes nothing.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.backends.cpp.names import header_path, string_literal
from tschema.emit.format import format_texts
from tschema.ir.model import Namespace, Schema
from tschema.ir.spelling import spelled
from tschema.output.files import Rewrite
from tschema.output.ownership import header_sources
from tschema.project.config import Config, CppTarget
from tschema.verify.bodies import Body, definition_sites, required_bodies
from tschema.verify.custom import lacking_methods
from tschema.verify.homes import Home, find_homes
from tschema.verify.sources import CppFiles, read_sources

_SOURCES = (".cc", ".cpp", ".cxx")


class Stubbed(Struct, frozen=True):
    """The files to write, with their stubs."""

    rewrite: Rewrite
    bodies: tuple[str, ...]
    """The functions that get a body, for messages."""

    @property
    def created(self) -> list[PurePosixPath]:
        """New files, which the project's build has to compile."""
        return [path for path in self.rewrite.new if path not in self.rewrite.old]


def stub_project(config: Config, schema: Schema) -> Stubbed:
    """
    Write the bodies that a project misses.

    Raises
    ------
    SchemaError
        A C++ file cannot be read, or its markers are wrong.
    FormatError
        The formatter of C++ is missing or failed.
    """
    if config.cpp is None:
        return Stubbed(Rewrite({}, {}), ())
    schema = spelled(schema, "cpp")
    files = read_sources(config)
    homes = find_homes(config, schema, files)
    chosen = _Places(config, files, homes).choose(schema)
    regions = _lacking(schema, homes)
    texts = _in_regions(regions)
    old = {PurePosixPath(file.path): file.data for file in files.files}
    new = {path: data for path, data in texts.items() if data != old[path]}
    for path, bodies in chosen.items():
        new[path] = _with_bodies(old.get(path, b""), bodies, config)
    what = [body.what for bodies in chosen.values() for body, _ in bodies]
    what += [f"`{name}` of `{type_name}`" for type_name, _, names in regions for name in names]
    kept = {path: old[path] for path in new if path in old}
    return Stubbed(Rewrite(kept, new), tuple(what))


_Bodies = list[tuple[Body, str]]
"""Bodies with the include that each needs."""


class _Places:
    """Chooses the file of each missing body."""

    def __init__(self, config: Config, files: CppFiles, homes: Mapping[str, Home]) -> None:
        self._config = config
        self._files = files
        self._homes = homes
        self._sites = definition_sites(files)
        self._written = [
            PurePosixPath(file.path)
            for file in files.files
            if PurePosixPath(file.path).suffix in _SOURCES and not header_sources(file.data)
        ]

    def choose(self, schema: Schema) -> dict[PurePosixPath, _Bodies]:
        """Return the missing bodies of each file."""
        chosen: dict[PurePosixPath, _Bodies] = {}
        spaces = [(space, [*required_bodies(space, schema)]) for space in schema.namespaces]
        known = {space.source: self._standing(bodies) for space, bodies in spaces}
        for space, bodies in spaces:
            for body in bodies:
                is_known = body.home is None or body.home in self._homes
                if body.name not in self._sites and is_known:
                    path = self._place(body, bodies, space, known)
                    include = self._include(body, space, path)
                    chosen.setdefault(path, []).append((body, include))
        return chosen

    def _standing(self, bodies: Sequence[Body]) -> list[PurePosixPath]:
        """Return the hand-written sources that define some bodies, most often first."""
        counts: dict[PurePosixPath, int] = {}
        for body in bodies:
            for file, _ in self._sites.get(body.name, ()):
                path = PurePosixPath(file.path)
                if path in self._written:
                    counts[path] = counts.get(path, 0) + 1
        return sorted(counts, key=lambda path: -counts[path])

    def _place(
        self,
        body: Body,
        bodies: Sequence[Body],
        space: Namespace,
        known: Mapping[str, list[PurePosixPath]],
    ) -> PurePosixPath:
        same = [one for one in bodies if one.home is not None and one.home == body.home]
        beside = self._standing(same) or known[space.source]
        if not beside and not isinstance(self._config.cpp, CppTarget):
            beside = self._sources_of(body)
        return beside[0] if beside else self._new(space, known)

    def _sources_of(self, body: Body) -> list[PurePosixPath]:
        """Return the hand-written sources that go with the author's header of a class."""
        home = self._homes.get(body.home or "")
        if home is None:
            return []
        header = PurePosixPath(home.file.path)
        same = [path for path in self._written if path.stem == header.stem]
        data = {PurePosixPath(file.path): file.data for file in self._files.files}
        return sorted(same, key=lambda path: not _has_include(data[path], header.name))

    def _new(self, space: Namespace, known: Mapping[str, list[PurePosixPath]]) -> PurePosixPath:
        """Return the file for the bodies of a schema file that has none yet."""
        inner = space.name.split(".")[1:]
        name = f"{space.file}.cc"
        for source, paths in known.items():
            folders = PurePosixPath(source).parent.parts[1:]
            for path in paths:
                parts = path.parent.parts
                if parts[len(parts) - len(folders) :] == folders:
                    root = parts[: len(parts) - len(folders)]
                    return PurePosixPath(*root, *inner, name)
        home = next((one for key, one in self._homes.items() if key.startswith(space.name)), None)
        if not isinstance(self._config.cpp, CppTarget) and home is not None:
            return PurePosixPath(home.file.path).parent / name
        folder = next((one for one in ("cpp/src", "src") if (self._config.root / one).is_dir()), "")
        return PurePosixPath(folder, *inner, name)

    def _include(self, body: Body, space: Namespace, path: PurePosixPath) -> str:
        """Return what includes the declaration of a body."""
        if isinstance(self._config.cpp, CppTarget):
            return f"<{header_path(space)}>"
        header = PurePosixPath(self._homes[body.home].file.path) if body.home else None
        if header is None:
            wanted = f"/{header_path(space)}"
            found = (one.path for one in self._files.files if f"/{one.path}".endswith(wanted))
            header = PurePosixPath(next(found, header_path(space)))
        return f'"{_relative(header, path.parent)}"'


def _relative(path: PurePosixPath, folder: PurePosixPath) -> str:
    relative = os.path.relpath(path, folder).replace(os.sep, "/")
    return relative if relative.startswith("..") else f"./{relative}"


def _with_bodies(data: bytes, bodies: _Bodies, config: Config) -> bytes:
    """Return a source with more bodies, after those that it has."""
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    text = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    includes = dict.fromkeys(
        include for _, include in bodies if include not in text and not _is_included(data, include)
    )
    lines = "".join(f"#include {include}\n" for include in includes)
    text = _with_includes(text, lines) if text.strip() else f"// Hand-written bodies.\n{lines}"
    for namespace in dict.fromkeys(body.namespace for body, _ in bodies):
        added = _formatted(
            namespace, [one for one, _ in bodies if one.namespace == namespace], config
        )
        text = _appended(text, namespace, added)
    return text.encode("utf-8", "surrogateescape").replace(b"\n", newline)


def _is_included(data: bytes, include: str) -> bool:
    """Return whether a source includes a header of the author's already, by whichever path."""
    return include.startswith('"') and _has_include(data, PurePosixPath(include.strip('"')).name)


def _has_include(data: bytes, name: str) -> bool:
    pattern = rb'#[ \t]*include[ \t]*[<"](?:[^">\n]*/)?' + re.escape(name.encode()) + rb'[>"]'
    return re.search(pattern, data) is not None


def _with_includes(text: str, lines: str) -> str:
    """Put includes after the last one of a file."""
    if not lines:
        return text
    rows = text.splitlines(keepends=True)
    last = max((at for at, row in enumerate(rows) if row.startswith("#include")), default=None)
    if last is None:
        return f"{lines}\n{text}"
    return "".join([*rows[: last + 1], lines, *rows[last + 1 :]])


def _formatted(namespace: str, bodies: Sequence[Body], config: Config) -> str:
    """Return definitions as the formatter leaves them, without the namespace around them."""
    definitions = "\n".join(map(_definition, bodies))
    path = PurePosixPath("stub.cc")
    text = f"namespace {namespace} {{\n\n{definitions}\n}}  // namespace {namespace}\n"
    formatted = format_texts({path: text}, config.root)[path]
    head, tail = f"namespace {namespace} {{\n", f"}}  // namespace {namespace}\n"
    return formatted.removeprefix(head).removesuffix(tail).strip("\n")


def _definition(body: Body) -> str:
    message = string_literal(f"{body.what} has no body yet")
    return f"{body.head} {{\n  TVM_FFI_THROW(NotImplementedError) << {message};\n}}\n"


def _appended(text: str, namespace: str, definitions: str) -> str:
    """Put definitions at the end of the last part of a namespace, or in a part of their own."""
    closing = f"}}  // namespace {namespace}\n"
    text = text if text.endswith("\n") else f"{text}\n"
    if text.endswith(closing):
        inner = text.removesuffix(closing).rstrip("\n")
        return f"{inner}\n\n{definitions}\n\n{closing}"
    return f"{text}\nnamespace {namespace} {{\n\n{definitions}\n\n{closing}"


_Region = tuple[str, Home, Mapping[str, str]]
"""A data class, its block, and the signatures that its custom region lacks, by name."""


def _lacking(schema: Schema, homes: Mapping[str, Home]) -> list[_Region]:
    found: list[_Region] = []
    for space in schema.namespaces:
        for type_ in space.types:
            home = homes.get(f"{space.name}.{type_.name}")
            names = lacking_methods(type_, home) if home is not None else {}
            if home is not None and home.block.region is not None and names:
                found.append((type_.name, home, names))
    return found


def _in_regions(regions: Sequence[_Region]) -> dict[PurePosixPath, bytes]:
    """Return headers with methods at the end of custom regions."""
    lines: dict[PurePosixPath, list[bytes]] = {}
    for type_name, home, names in sorted(regions, key=lambda one: one[1].block.begin, reverse=True):
        path = PurePosixPath(home.file.path)
        rows = lines.setdefault(path, [*home.marked.lines])
        end = home.block.region.stop if home.block.region is not None else 0
        ending = b"\r\n" if rows[home.block.begin].endswith(b"\r\n") else b"\n"
        added = [row for text in names.items() for row in _method(type_name, *text)]
        rows[end:end] = [row.encode() + ending for row in added]
    return {path: b"".join(rows) for path, rows in lines.items()}


def _method(type_name: str, name: str, signature: str) -> Iterator[str]:
    message = string_literal(f"`{name}` of `{type_name}` has no body yet")
    yield f"  {signature} {{"
    yield f"    TVM_FFI_THROW(NotImplementedError) << {message};"
    yield "  }"
