"""The schema file of each class: one for a header, or for a namespace where no header is known.

In: classes in an order in which each one comes after those that it names.  Out: their places.
Files that would import each other are split, so that no part needs a later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.importer.expressible import folders_of, reserved_folder, type_refs
from tschema.importer.project import Project
from tschema.importer.records import FoundClass, FoundEnum
from tschema.ir.keywords import is_path_name
from tschema.passes.reserved import EMITTED_FILES

OTHER_LIBRARIES = "other_libraries.py"
"""The file of classes whose keys begin with a prefix that the project does not name."""


class Plan(Struct, frozen=True):
    """Which schema file holds which declarations; paths are relative to the project's root."""

    files: Mapping[PurePosixPath, tuple[str, ...]]
    """For each file, the keys of its declarations, in order."""
    homes: Mapping[str, PurePosixPath]
    """For each key, its file."""


def plan_files(
    classes: Sequence[FoundClass],
    enums: Iterable[FoundEnum],
    project: Project,
    known: Mapping[str, PurePosixPath],
) -> Plan:
    """
    Give each declaration a file.

    Parameters
    ----------
    classes
        In order, those that others need first.
    known
        The files of earlier declarations, by key.
    """
    planner = _Planner(project, known)
    planner.find_main(found.key or "" for found in classes)
    for enum in enums:
        planner.add(enum.key, enum.header, ())
    for found in classes:
        planner.add(found.key or "", found.header, tuple(needed_keys(found)))
    return planner.plan()


def needed_keys(found: FoundClass) -> Iterator[str]:
    """Yield the keys of the classes and enums that a class names."""
    if found.parent:
        yield found.parent
    for ref in type_refs(found):
        yield from (one.key for one in ref.walk() if one.key and one.kind in ("node", "enum"))


class _Planner:
    """Files as they fill.

    A file may be split into parts, each of which needs only earlier ones: a declaration goes into
    the first part of its file that comes after all parts of other files that it needs.
    """

    def __init__(self, project: Project, known: Mapping[str, PurePosixPath]) -> None:
        self._folder = project.schema
        self._package = project.config.package
        self._roots = frozenset(project.config.roots)
        self._main: tuple[str, ...] = ()
        self._known = known
        self._base: dict[str, PurePosixPath] = {}
        self._needs: dict[str, tuple[str, ...]] = {}

    def add(self, key: str, header: str | None, needs: tuple[str, ...]) -> None:
        self._base[key] = self._known.get(key) or self._own_path(key, header)
        self._needs[key] = needs

    def _own_path(self, key: str, header: str | None) -> PurePosixPath:
        if self._is_own(key) and reserved_folder(key, self._package) is None:
            return self._folder / _base_path(key, header, self._package)
        return self._folder.joinpath(*self._main, OTHER_LIBRARIES)

    def _is_own(self, key: str) -> bool:
        return key.partition(".")[0] in {self._package, *self._roots}

    def find_main(self, keys: Iterable[str]) -> None:
        """Find the folder for classes of other libraries: that of the most frequent first part."""
        firsts = [key.partition(".")[0] for key in keys if self._is_own(key)]
        firsts = [one for one in firsts if one == self._package or is_path_name(one)]
        most = max(sorted(set(firsts)), key=firsts.count, default=self._package)
        self._main = () if most == self._package else (most,)

    def plan(self) -> Plan:
        self._keep_apart()
        together = _components(self._file_needs())
        parts = self._parts(together)
        files: dict[PurePosixPath, list[str]] = {}
        homes: dict[str, PurePosixPath] = {}
        named: dict[tuple[PurePosixPath, int], PurePosixPath] = {}
        taken = set(self._base.values())
        for key, base in self._base.items():
            part = (base, parts[key])
            if part not in named:
                is_first = all(one != base for one, _ in named)
                named[part] = base if is_first else _part_path(base, key, taken)
                taken.add(named[part])
            homes[key] = named[part]
            files.setdefault(named[part], []).append(key)
        return Plan({path: tuple(files[path]) for path in sorted(files)}, homes)

    def _keep_apart(self) -> None:
        """Rename files that have the name of a folder beside them, which the language refuses."""
        folders = {folder for base in self._base.values() for folder in base.parents}
        for key, base in self._base.items():
            if base.with_suffix("") in folders and key not in self._known:
                self._base[key] = base.with_name(f"{base.stem}_classes.py")

    def _file_needs(self) -> dict[PurePosixPath, set[PurePosixPath]]:
        needs: dict[PurePosixPath, set[PurePosixPath]] = {
            base: set() for base in self._base.values()
        }
        for key, base in self._base.items():
            needs[base] |= {self._base[one] for one in self._needs[key] if one in self._base}
        return needs

    def _parts(self, together: Mapping[PurePosixPath, int]) -> dict[str, int]:
        """Return, for each declaration, the part of its file that holds it."""
        parts: dict[str, int] = {}
        for key, base in self._base.items():
            part = 0
            for needed in self._needs[key]:
                other = self._base.get(needed)
                if other is not None and together[other] == together[base] and needed in parts:
                    part = max(part, parts[needed] + (other != base))
            # An earlier declaration stays in its part.
            parts[key] = 0 if key in self._known else part
        return parts


def _base_path(key: str, header: str | None, package: str) -> PurePosixPath:
    """Return the file of a declaration, from its namespace and its header."""
    below = folders_of(key, package)
    last = key.split(".")[-2] if "." in key else package
    stem = PurePosixPath(header).stem if header else last
    stem = re.sub(r"\W", "_", stem)
    if stem in EMITTED_FILES or stem == "__init__" or not is_path_name(stem):
        stem += "_types"
    return PurePosixPath(*below, f"{stem}.py")


def _part_path(base: PurePosixPath, key: str, taken: set[PurePosixPath]) -> PurePosixPath:
    """Return the file of a later part, which its first declaration names."""
    name = key.rpartition(".")[2]
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    path = base.with_name(f"{stem}.py")
    while path in taken:
        path = path.with_name(f"{path.stem}_{base.stem}.py")
    return path


def _components(needs: Mapping[PurePosixPath, set[PurePosixPath]]) -> dict[PurePosixPath, int]:
    """Return for each file a number that it shares with those which it needs and that need it.

    Tarjan's algorithm.
    """
    number: dict[PurePosixPath, int] = {}
    low: dict[PurePosixPath, int] = {}
    component: dict[PurePosixPath, int] = {}
    stack: list[PurePosixPath] = []

    def visit(path: PurePosixPath) -> None:
        number[path] = low[path] = len(number)
        stack.append(path)
        for needed in sorted(needs[path]):
            if needed not in number:
                visit(needed)
            if needed not in component:
                low[path] = min(low[path], low[needed])
        if low[path] == number[path]:
            at = stack.index(path)
            component.update(dict.fromkeys(stack[at:], number[path]))
            del stack[at:]

    for path in sorted(needs):
        if path not in number:
            visit(path)
    return component
