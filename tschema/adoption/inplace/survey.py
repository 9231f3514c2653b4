"""The places of the blocks of declared classes in the user's files.

In: the files, and the schema's declarations.  Out: the position of each block.  It knows no disk.

A block has the name of its class; if two namespaces have such a class, the marker is qualified
(`// tschema: tir.VarNode`), or the namespace around it tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from tschema.adoption.inplace.block_namespaces import namespaces_of_blocks
from tschema.adoption.inplace.cpp_members import Aliases, find_aliases
from tschema.diagnostics.errors import Diagnostic, Note, Reporter, SchemaError
from tschema.diagnostics.helps import suggest
from tschema.diagnostics.source import Span
from tschema.regions.blocks import MarkedFile, scan_comments

MISSING = "TS068"
"""The code of the diagnostic of a class that has no block."""


class Declared(Struct, frozen=True):
    """A class or an enum that has a block in a language."""

    renamed_from: str | None = None
    """The old name of its block."""
    is_optional: bool = False
    """Whether the user may have written it by hand instead."""


class Survey(Struct):
    """The blocks that were found in files of the user's."""

    files: dict[PurePosixPath, MarkedFile] = field(default_factory=dict)
    """The files that have blocks."""
    homes: dict[str, tuple[PurePosixPath, str]] = field(default_factory=dict)
    """Dotted name of a class, namespace first, to its file and the name that its marker has."""
    gone: list[tuple[PurePosixPath, str]] = field(default_factory=list)
    """Blocks of classes that have left the schema."""
    defined: dict[str, PurePosixPath] = field(default_factory=dict)
    """The headers of classes that have no block, because they stay by hand."""

    def places(self) -> dict[str, PurePosixPath]:
        """Return the file of each class."""
        return self.defined | {name: path for name, (path, _) in self.homes.items()}

    def aliases(self) -> Aliases:
        """Return the aliases of namespaces that the files declare."""
        return {
            name: target
            for file in self.files.values()
            for name, target in find_aliases(file.joined()).items()
        }


def survey(
    files: Mapping[PurePosixPath, bytes],
    declared: Mapping[str, Declared],
    spaces: Mapping[str, str] | None = None,
) -> Survey:
    """
    Find the block of each declared class.

    Parameters
    ----------
    declared
        The declarations with a block, by dotted name, namespace first.
    spaces
        The C++ namespaces of the declarations that have one, which tell classes of one name apart.

    Raises
    ------
    SchemaError
        Markers are wrong, two files have the same block, a block names nothing that is declared,
        or a declared class has no block; every fault is reported.
    """
    surveyor = _Surveyor(declared, spaces or {})
    for path, data in files.items():
        surveyor.scan(path, data)
    surveyor.resolve()
    surveyor.check_missing()
    surveyor.reporter.stop_on_error()
    return surveyor.found


def names_with_blocks(
    files: Mapping[PurePosixPath, bytes], spaces: Mapping[str, str]
) -> frozenset[str]:
    """Return the dotted names that have a block, given names with their C++ namespaces."""
    surveyor = _Surveyor(dict.fromkeys(spaces, Declared()), spaces)
    for path, data in files.items():
        if b"tschema:" in data:
            surveyor.scan(path, data)
    return frozenset(surveyor.found.homes)


def report_missing(name: str, reporter: Reporter) -> None:
    """Report that something has no block."""
    short = name.rpartition(".")[2]
    reporter.error(
        MISSING,
        f"`{name}` has no block in the files that are written in place",
        None,
        help=f"add the lines `tschema: {short}` and `tschema: end`, as comments, to one of them; "
        "in C++ `tschema gen --adopt` puts a block around the class that is there",
    )


class _Surveyor:
    """Finds the blocks of declared classes, and collects faults."""

    def __init__(self, declared: Mapping[str, Declared], spaces: Mapping[str, str]) -> None:
        self.found = Survey()
        self.reporter = Reporter()
        self._declared = declared
        self._spaces = spaces
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        for name in declared:
            self._by_name[name.rpartition(".")[2]].append(name)
        self._unknown: list[tuple[PurePosixPath, str]] = []

    def scan(self, path: PurePosixPath, data: bytes) -> None:
        """Scan a file, and note the blocks whose names are declared."""
        try:
            file = scan_comments(str(path), data)
        except SchemaError as error:
            self.reporter.diagnostics += error.diagnostics
            return
        if file.blocks:
            self.found.files[path] = file
        for name in file.blocks:
            candidates = self._candidates(name)
            if len(candidates) > 1 and self._spaces:
                candidates = self._around(file, name, candidates) or candidates
            if len(candidates) == 1:
                self._settle(candidates[0], path, name)
            elif candidates:
                self._error_ambiguous(path, name, candidates)
            else:
                self._unknown.append((path, name))

    def resolve(self) -> None:
        """Resolve the blocks whose names are not declared."""
        renamed = {
            declared.renamed_from: name
            for name, declared in self._declared.items()
            if declared.renamed_from and name not in self.found.homes
        }
        for path, name in self._unknown:
            successor = renamed.get(name.rpartition(".")[2])
            if successor and successor not in self.found.homes:
                self.found.homes[successor] = path, name
            elif self.found.files[path].blocks[name].digest is not None:
                self.found.gone.append((path, name))
            else:
                self._error_unknown(path, name)

    def check_missing(self) -> None:
        """Report the classes without a block, except those that people may have written."""
        if self.reporter.diagnostics:
            return  # A block may miss because its markers are wrong.
        missing = [name for name in self._declared if name not in self.found.homes]
        for name in missing:
            if self._declared[name].is_optional:
                continue
            report_missing(name, self.reporter)

    def _candidates(self, name: str) -> list[str]:
        declared = self._by_name.get(name.rpartition(".")[2], [])
        return [one for one in declared if f".{one}".endswith(f".{name}")]

    def _around(self, file: MarkedFile, name: str, candidates: list[str]) -> list[str]:
        """Return the candidates whose namespace is around a block, if any."""
        there = namespaces_of_blocks(file).get(name, frozenset())
        return [one for one in candidates if self._spaces.get(one) in there]

    def _settle(self, full: str, path: PurePosixPath, name: str) -> None:
        if full not in self.found.homes:
            self.found.homes[full] = path, name
            return
        first_path, first_name = self.found.homes[full]
        note = Note("the first one is here", self._span(first_path, first_name))
        message = f"a second block `{name}`: a class has one"
        self.reporter.diagnostics.append(
            Diagnostic("TS062", "error", message, self._span(path, name), (note,))
        )

    def _error_ambiguous(self, path: PurePosixPath, name: str, candidates: list[str]) -> None:
        listed = " and ".join(f"`{one}`" for one in sorted(candidates))
        self.reporter.error(
            "TS060",
            f"block `{name}` may be {listed}",
            self._span(path, name),
            help="put the namespace, or the last part of it, before the name",
        )

    def _error_unknown(self, path: PurePosixPath, name: str) -> None:
        help = suggest(name.rpartition(".")[2], self._by_name)
        message = f"block `{name}` names nothing that the schema declares"
        self.reporter.error("TS060", message, self._span(path, name), help=help)

    def _span(self, path: PurePosixPath, name: str) -> Span:
        file = self.found.files[path]
        return file.span(file.blocks[name].begin)
