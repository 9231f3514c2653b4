"""Whether the files that a run of `tschema gen` would write still compile.

In: a plan, and the commands that the project compiles with.  Out: the errors that are new, by class
and line.  The files are in a temporary view of the project; the project itself does not change.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from tschema.adoption.classes import definitions, left_by_hand
from tschema.adoption.compile_commands import (
    CompileCommand,
    default_command,
    find_database,
    nearest_command,
    read_database,
    toolchain_args,
)
from tschema.adoption.inplace.survey import names_with_blocks
from tschema.adoption.overlay import Overlay, overlay
from tschema.adoption.syntax_check import CompilerError, Place, UnknownCompiler, check_syntax
from tschema.diagnostics.errors import Diagnostic, Note, schema_error
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.model import Schema
from tschema.pipeline.run import Plan, build_schema
from tschema.project.config import InPlaceTarget
from tschema.project.cpp_sources import CPP_HEADERS
from tschema.project.include_folders import include_folders
from tschema.regions.blocks import scan_comments
from tschema.regions.cpp_lexer import lex

SOURCES = (".cc", ".cpp", ".cxx")
_HELP = (
    'make the schema agree with the class; with `register = "hand"` nothing is generated into '
    "the class"
)
_WORD = re.compile(r"\w+")


class Tried(Struct, frozen=True):
    """The outcome of a trial."""

    errors: tuple[Diagnostic, ...]
    """New ones."""
    unchecked: tuple[Diagnostic, ...]
    """The files that could not be checked."""
    checked: tuple[PurePosixPath, ...]
    """The files that compile."""
    left: Mapping[str, Diagnostic]
    """By dotted name of the data class, why a class would not compile that has had no block: it can
    stay by hand."""


class _Unit(Struct, frozen=True):
    """A file that is compiled by itself."""

    path: PurePosixPath
    command: CompileCommand
    is_new: bool

    @property
    def is_header(self) -> bool:
        return self.path.suffix not in SOURCES


class _Result(Struct, frozen=True):
    unit: _Unit
    after: Sequence[CompilerError] = ()
    before: Sequence[CompilerError] = ()
    """Those of the file as it is; none where it compiles as it is to be."""
    reason: str = ""
    """Why it cannot be checked."""


def try_plan(plan: Plan, database: Path | None, progress: Callable[[str], None]) -> Tried:
    """
    Check the syntax of each C++ file that a plan writes, before and after.

    A file in which only comments change, as those of its headers do, compiles as before; it is
    checked only if errors of other files are in it.

    Parameters
    ----------
    database
        A `compile_commands.json`; the one of the project, if it has one, by default.

    Raises
    ------
    SchemaError
        The project has no C++ that is written in place, the database cannot be read, or a compiler
        cannot be started.
    """
    config = plan.request.config
    if not isinstance(config.cpp, InPlaceTarget):
        what = f"`{config.file.name}` has no C++ that is written in place, which `--try` checks"
        raise schema_error("TS157", what, "check the syntax of generated files by the build itself")
    units = _units(plan, config.cpp, database)
    files = {path: plan.files[path] for path in plan.changes.written}
    same = _with_same_code(plan, config.cpp)
    suspects = [unit for unit in units if unit.path not in same]
    progress(f"checking the syntax of {len(suspects)} files")
    with overlay(config.root, files, plan.changes.removed) as view:
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            results = list(pool.map(lambda unit: _checked(unit, view), suspects))
            # A file with the same code may have had the errors that others show.
            named = _named_by_errors(results, view)
            included = [unit for unit in units if unit.path in same and unit.path in named]
            results += pool.map(lambda unit: _checked(unit, view), included)
        results += [_Result(unit) for unit in units if unit.path in same - named]
        return _judged(results, view, files, plan)


def _with_same_code(plan: Plan, target: InPlaceTarget) -> frozenset[PurePosixPath]:
    """
    Return the files in which only comments change; a compiler sees no difference in them.

    There are none if the code of a file changes that they may include.
    """
    kinds = (*SOURCES, *CPP_HEADERS)
    changed = [path for path in plan.changes.written if path in plan.old and path.suffix in kinds]
    same = frozenset(path for path in changed if _code(plan.old[path]) == _code(plan.files[path]))
    own_sources = {
        path for path in changed if path.suffix in SOURCES and path.is_relative_to(target.sidecar)
    }
    is_removed = any(path.suffix in kinds for path in plan.changes.removed)
    return frozenset() if is_removed or same | own_sources != {*changed} else same


def _code(data: bytes) -> list[tuple[str, bool]]:
    """Return the lexemes without comments, and whether each directly follows the one before."""
    stop = 0
    found: list[tuple[str, bool]] = []
    for lexeme in lex(data.decode("utf-8", "surrogateescape")):
        if lexeme.kind != "comment":
            found.append((lexeme.text, lexeme.start == stop))
            stop = lexeme.stop
    return found


def _named_by_errors(results: Iterable[_Result], view: Overlay) -> set[PurePosixPath]:
    """Return the files in which errors are, or which include those files."""
    places = (place for one in results for error in one.after for place in error.places)
    return {path for place in places if (path := view.relative(place.path)) is not None}


def _units(plan: Plan, target: InPlaceTarget, database: Path | None) -> list[_Unit]:
    """Return the headers and sources that change; sources of the sidecar include its headers."""
    config = plan.request.config
    written = [
        path
        for path in plan.changes.written
        if path.suffix in SOURCES
        or (path.suffix in CPP_HEADERS and not path.is_relative_to(target.sidecar))
    ]
    chosen = database or find_database(config.root)
    commands = read_database(chosen.absolute()) if chosen else []
    if not commands:
        commands = [default_command(config.root, include_folders(config.root, target))]
    extra = toolchain_args()
    units: list[_Unit] = []
    for path in written:
        command = nearest_command(config.root / path, commands)
        arguments = command.arguments
        if path.is_relative_to(target.sidecar):
            has_standard = any(one.startswith("-std=") for one in arguments)
            arguments += tuple(one for one in extra if not (has_standard and one[:5] == "-std="))
        units.append(_Unit(path, replace(command, arguments=arguments), path not in plan.old))
    return units


def _checked(unit: _Unit, view: Overlay) -> _Result:
    """Check a file as it is to be and, where that fails, as it is."""
    command = unit.command
    arguments = [view.shown(one) for one in command.arguments]
    directory = Path(view.shown(str(command.directory)))
    is_header = unit.is_header
    try:
        place = view.top / unit.path
        after = check_syntax(arguments, directory, place, is_header=is_header)
        if not after or unit.is_new:
            return _Result(unit, after)
        place = view.root / unit.path
        before = check_syntax(command.arguments, command.directory, place, is_header=is_header)
    except UnknownCompiler as error:
        return _Result(unit, reason=f"its compiler `{error}` has no `-fsyntax-only`")
    return _Result(unit, after, before)


def _judged(
    results: Sequence[_Result], view: Overlay, files: Mapping[PurePosixPath, bytes], plan: Plan
) -> Tried:
    """Separate new errors from earlier ones."""
    known = {_identity(error, view) for result in results for error in result.before}
    errors: dict[tuple[object, str], Diagnostic] = {}
    left: dict[str, Diagnostic] = {}
    unchecked: list[Diagnostic] = []
    checked: list[PurePosixPath] = []
    explain: _Explanation | None = None
    for result in results:
        new = [one for one in result.after if _identity(one, view) not in known]
        if result.before or result.reason or (result.after and not new):
            unchecked.append(_unchecked(result))
        elif new:
            explain = explain or _Explanation(view, files, plan)
            for key, diagnostic in explain.of(result.unit.path, new):
                errors.setdefault(key, diagnostic)
            left = explain.adoptable(new) | left
        else:
            checked.append(result.unit.path)
    return Tried(tuple(errors.values()), tuple(unchecked), tuple(checked), left)


def _identity(error: CompilerError, view: Overlay) -> tuple[object, str]:
    """Return the identity of an error before and after: lines move when others are added."""
    place = error.places[0].path if error.places else ""
    return view.relative(place) or place, error.text


def _unchecked(result: _Result) -> Diagnostic:
    path = result.unit.path
    reason = result.reason
    if result.before:
        reason = f"it does not compile as it is: {result.before[0].text}"
    elif result.after:
        reason = f"a header that it includes does not compile as it is: {result.after[0].text}"
    span = Span(SourceFile(str(path), ""), 1, 1, 1, 1)
    return Diagnostic("TS156", "warning", f"`{path}` was not checked: {reason}", span)


class _Explanation:
    """Finds the class and the line of an error."""

    def __init__(self, view: Overlay, files: Mapping[PurePosixPath, bytes], plan: Plan) -> None:
        self._view = view
        self._files = files
        schema, _warnings = build_schema(plan.request.config, plan.store)
        self._names = _names(schema)
        wanted = definitions(schema)
        had = names_with_blocks(plan.old, wanted)
        self._adopted: dict[str, list[str]] = {}
        for name in names_with_blocks(plan.files, wanted) - had - plan.request.left.keys():
            self._adopted.setdefault(name.rpartition(".")[2], []).append(name)

    def of(
        self, unit: PurePosixPath, errors: Sequence[CompilerError]
    ) -> Iterator[tuple[tuple[object, str], Diagnostic]]:
        """Yield a diagnostic for each class, with what tells equal ones of other files."""
        for error in errors:
            place = self._place(error)
            name, span = self._class_at(place) if place else (None, None)
            what = f"`{name}` would no longer compile" if name else f"`{unit}` would not compile"
            notes = [Note(f"found while compiling `{unit}`")]
            origin = str(unit)
            if error.places and self._view.relative(error.places[0].path) not in self._files:
                # Each file that includes a header of others has the error.
                origin = f"{error.places[0].path}:{error.places[0].line}"
                notes.append(Note(f"the error is at `{origin}`"))
            diagnostic = Diagnostic(
                "TS155", "error", f"{what}: {error.text}", span, tuple(notes), _HELP
            )
            yield (name or origin, error.text), diagnostic

    def adoptable(self, errors: Sequence[CompilerError]) -> dict[str, Diagnostic]:
        """Return why classes have to stay by hand, of those that the plan puts a block around."""
        left: dict[str, Diagnostic] = {}
        for error in errors:
            place = self._place(error)
            name, span = self._class_at(place) if place else (None, None)
            for home in self._adopted.get(name or "", ()):
                what = f"`{name}` stays by hand: it would no longer compile: {error.text}"
                left.setdefault(home, left_by_hand(what, span))
        return left

    def _place(self, error: CompilerError) -> Place | None:
        """Return the place of an error, or of what led to it, in a file that changes."""
        for one in error.places:
            path = self._view.relative(one.path)
            if path in self._files:
                return Place(str(path), one.line)
        return None

    def _class_at(self, place: Place) -> tuple[str | None, Span]:
        path = PurePosixPath(place.path)
        data = self._files[path]
        source = SourceFile(place.path, data.decode("utf-8", "replace"))
        text = source.line(place.line)
        first = len(text) - len(text.lstrip()) + 1
        span = Span(source, place.line, first, place.line, len(text) + 1)
        for name, block in scan_comments(place.path, data).blocks.items():
            if block.begin < place.line <= block.end + 1 and name != "file":
                return name.rpartition(".")[2], span
        return self._named_above(source, place.line), span

    def _named_above(self, source: SourceFile, line: int) -> str | None:
        """Return the data class that a generated line, or the nearest one above, is about."""
        for number in range(line, 0, -1):
            for word in _WORD.findall(source.line(number)):
                if word in self._names:
                    return self._names[word]
        return None


def _names(schema: Schema) -> dict[str, str]:
    """Return the data class for each name that generated code has of a class."""
    names: dict[str, str] = {}
    for type_ in schema.types():
        for table in ("Fields", "Methods", "Arguments", "Constructor"):
            names[f"k{type_.ref}{table}"] = type_.name
        names |= {type_.name: type_.name, type_.ref: type_.name}
    return names
