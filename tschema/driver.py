"""The whole flow of the command, from a configuration to files.

In: a `Request`.  Out: a `Plan` of what the files are to be, which `apply` writes.  Each stage takes
values and gives values; the driver alone knows them all, and it neither prints nor exits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath

from tschema import blocks, codec, output, packages, passes, placing, regions, state
from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.backends.memo import Memo
from tschema.cache import Store, make_key, open_store
from tschema.config import Config, InPlaceTarget, Target
from tschema.declarations import Declarations
from tschema.errors import Diagnostic, Reporter, SchemaError, render
from tschema.format import Formatting
from tschema.frontend import parse_files, read_files
from tschema.json_dump import Dumper
from tschema.lock import lock_for_reading
from tschema.model import Schema
from tschema.ownership import (
    check_distinct,
    check_owned,
    find_generated,
    is_below,
    is_made_by,
    is_wanted,
)
from tschema.record import members, record
from tschema.remembered import Remembered
from tschema.render import Renderer
from tschema.settled import Settled

__all__ = ["Plan", "Progress", "Request", "apply", "build_schema", "make_plan"]

Progress = Callable[[str], None]
"""Told of each stage as it begins."""

_FIRST = ("rust", "cpp", "python", "docs")
"""The languages in the order in which they are emitted: formatters go on meanwhile."""


@record
class Request:
    """What is to be generated."""

    config: Config
    languages: frozenset[str] | None = None
    """The targets to write; all that are configured if None."""
    paths: tuple[Path, ...] = ()
    """Schema files and folders whose outputs are wanted; all if empty."""
    out_dir: Path | None = None
    """The folder that output paths are relative to, instead of the project's root."""
    plugins: tuple[str, ...] = ()
    """Programs that give more files; see `plugin.py`."""
    adopt: bool = False
    """Whether lines added to generated text go to the custom regions."""

    @property
    def root(self) -> Path:
        """The folder that outputs go to."""
        return self.out_dir.absolute() if self.out_dir else self.config.root

    def targets(self) -> dict[str, Target]:
        """Return the targets to write, by language."""
        targets = self.config.targets()
        wanted = targets.keys() if self.languages is None else self.languages
        return {language: targets[language] for language in targets if language in wanted}


@record
class Plan:
    """What a run makes of the files on disk; nothing is written yet."""

    root: Path
    files: Mapping[PurePosixPath, bytes]
    """What is to be there."""
    old: Mapping[PurePosixPath, bytes]
    """What is there, of `files` and of outdated ones."""
    changes: output.Changes
    edits: tuple[regions.HandEdit, ...]
    """Hand edits of generated text, which `apply` throws away."""
    warnings: tuple[Diagnostic, ...]
    memory: _Memory
    """What `apply` notes for the next run."""


@record
class _Memory:
    """What a run depended on and worked out."""

    request: Request
    sealed: Mapping[PurePosixPath, blocks.MarkedFile]
    """The generated text of the files that this run has made anew."""
    started: int
    """When the run began to read, in nanoseconds since the epoch."""
    notes: Settled
    store: Store


@record
class _Made:
    """What a run has made, before it is held against what stands on disk."""

    sealed: dict[PurePosixPath, blocks.MarkedFile]
    settled: Mapping[PurePosixPath, bytes]
    """The files that are as they should be."""
    found: Mapping[PurePosixPath, bytes]
    """What is there, all of it."""
    placed: list[placing.Placed]
    remarks: list[Diagnostic]


def make_plan(request: Request, progress: Progress) -> Plan:
    """
    Work out everything that a run writes.

    Parameters
    ----------
    request
        What is to be generated.
    progress
        Told of each stage.

    Returns
    -------
    plan
        The files, and what changes.

    Raises
    ------
    SchemaError
        The schema, or a file to be written, is wrong.
    FormatError
        A formatter is missing or failed.
    PluginError
        A plugin crashed, or its answer is not understood.
    OutputError
        A file that is there cannot be read.
    """
    started = time.time_ns()
    progress("reading the schema")
    store = open_store(request.config.root)
    dumper = Dumper()
    schema, warnings = build_schema(request.config, store, dumper)
    notes = Settled(store)
    made = _make(schema, request, store, notes, dumper, progress)
    progress("comparing")
    merged, old = _merge(schema, request, made, notes)
    # The JSON IR first: whoever needs one file to stand for all takes it.
    files = dict(
        sorted(merged.files.items(), key=lambda one: (one[0] != request.config.ir, one[0]))
    )
    changes = output.compare(files, old, merged.interim)
    edits = tuple(merged.edits)
    memory = _Memory(request, made.sealed, started, notes, store)
    return Plan(request.root, files, old, changes, edits, warnings + tuple(made.remarks), memory)


def _make(
    schema: Schema,
    request: Request,
    store: Store,
    notes: Settled,
    dumper: Dumper,
    progress: Progress,
) -> _Made:
    """Render and format everything that does not stand as it should be."""
    progress("rendering")
    renderer = Renderer(remember=Memo(schema, store, dumper))
    placed = _place(schema, request, renderer)
    with Formatting(request.config.root, store) as formatting:
        texts: dict[PurePosixPath, str] = {}
        for files in chain(
            (one.emitted() for one in placed), _emit(schema, request, renderer, dumper)
        ):
            check_distinct([file.path for file in files], texts)
            emitted = {file.path: file.text for file in files}
            formatting.start(notes.add(emitted))
            texts |= emitted
        given, remarks = _run_plugins(schema, request, set(texts))
        progress("formatting")
        found = _read_standing({*texts, *given}, request)
        settled = notes.find(found)
        fresh = {path: text for path, text in texts.items() if path not in settled}
        sealed = _seal(formatting.finish(fresh))
    sealed |= {path: blocks.seal_blocks(str(path), text.encode()) for path, text in given.items()}
    return _Made(sealed, settled, found, placed, [*remarks])


def _read_standing(paths: set[PurePosixPath], request: Request) -> dict[PurePosixPath, bytes]:
    """Return what is there, and what it holds, as of one moment."""
    if not request.root.is_dir():
        # Whoever makes the folder from now on is noticed before anything is written.
        return {}
    with lock_for_reading(request.root):
        return output.read_outputs(request.root, [*paths, *_outdated(paths, request)])


def _merge(
    schema: Schema, request: Request, made: _Made, notes: Settled
) -> tuple[regions.Merge, dict[PurePosixPath, bytes]]:
    """Return what the files are to be, and what is there of them and of outdated ones."""
    pools = {
        file.path: made.sealed.pop(file.path).joined()
        for one in made.placed
        for file in one.output.pools
    }
    sealed = {path: file.joined() for path, file in made.sealed.items()}
    chosen = _choose(sealed, schema, request)
    settled = _choose(made.settled, schema, request)
    left_out = (made.sealed.keys() | made.settled.keys()) - chosen.keys()
    old = {path: data for path, data in made.found.items() if path not in left_out}
    check_owned(chosen, old)
    renamed = _renamed_blocks(schema)
    standing = regions.adopt(chosen, old, renamed) if request.adopt else old
    # A name that moves to another block may stand anywhere.
    skipped = notes.untouched(made.sealed) if not (renamed or request.adopt) else set()
    merged = regions.merge(
        {path: data for path, data in chosen.items() if path not in skipped},
        {path: data for path, data in standing.items() if path not in skipped},
        renamed,
        made.sealed,
    )
    merged.files |= {path: chosen[path] for path in skipped.intersection(chosen)}
    for one in made.placed:
        old |= _standing_files(one, request)
        made.remarks.extend(_fill(one, pools, request, merged))
    if merged.lost:
        raise SchemaError(merged.lost)
    merged.files |= settled
    return merged, old | settled


def apply(plan: Plan) -> None:
    """
    Write what a plan changes, and nothing else.

    Parameters
    ----------
    plan
        The plan; its hand edits are thrown away.

    Raises
    ------
    OutputError
        A file cannot be written, or lies outside the root.
    """
    if plan.changes:
        output.write(plan.root, plan.files, plan.changes, plan.old)
    _remember(plan, plan.memory)


def _remember(plan: Plan, memory: _Memory) -> None:
    """Note what the run depended on and worked out, so that the next one need not."""
    request, config = memory.request, memory.request.config
    memory.notes.note(plan.files, memory.sealed)
    memory.store.save(config.root)
    if request.paths or request.plugins:
        return
    imports = [packages.find_schema(package) for package in config.imports]
    watch = state.Watch(
        files=[
            config.file.name,
            *map(str, imports),
            *(str(folder / "tschema.toml") for path in imports for folder in path.parents),
        ],
        sources=map(str, config.schema),
        targets=(
            str(request.root / folder)
            for folder in (*_folders(request), *placing.searched_folders(request.targets()))
        ),
        packages=config.imports,
        started=memory.started,
    )
    out_dir = str(request.out_dir) if request.out_dir else None
    key = state.run_key(config.file.name, request.languages, out_dir)
    outputs = {str(plan.root / path): data for path, data in plan.files.items()}
    warnings = "".join(f"{render(warning)}\n" for warning in plan.warnings)
    state.save(str(config.root), key, watch, outputs, warnings)


def build_schema(
    config: Config, store: Store | None = None, dumper: Dumper | None = None
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """
    Read a project's declarations.

    Parameters
    ----------
    config
        The project.
    store
        What earlier runs have worked out.
    dumper
        Told of the texts of the declarations that are known.

    Returns
    -------
    schema
        The JSON IR.
    warnings
        What is worth a remark.

    Raises
    ------
    SchemaError
        The declarations are wrong; every fault is reported.
    """
    paths = {package: packages.find_schema(package) for package in config.imports}
    texts = {package: path.read_bytes() for package, path in paths.items()}
    imports = {package: codec.decode(texts[package], str(path)) for package, path in paths.items()}
    store, dumper = store or Store(), dumper or Dumper()
    reporter = Reporter()
    files = read_files(config.root, config.schema, config.package, reporter)
    digests = {package: make_key(text) for package, text in texts.items()}
    remembered = Remembered(config.package, files, digests, store)
    known = remembered.build(imports, dumper) if not reporter.diagnostics else None
    if known is not None:
        return known
    parsed = parse_files(files, store)
    declarations = Declarations(parsed.files, (*reporter.diagnostics, *parsed.diagnostics))
    schema, warnings = passes.build_schema(config.package, declarations, imports)
    remembered.note(schema, parsed.files, warnings, dumper)
    return schema, warnings


def _place(schema: Schema, request: Request, renderer: Renderer) -> list[placing.Placed]:
    """Find and emit the blocks of the targets that are written in place."""
    return [
        placing.place(schema, language, target, request.config.root, renderer)
        for language, target in request.targets().items()
        if isinstance(target, InPlaceTarget)
    ]


def _standing_files(placed: placing.Placed, request: Request) -> dict[PurePosixPath, bytes]:
    """Return what stands where the user's files with blocks are to be written."""
    if request.out_dir:
        return output.read_outputs(request.root, placed.survey.files)
    return {path: b"".join(file.lines) for path, file in placed.survey.files.items()}


def _fill(
    placed: placing.Placed,
    pools: Mapping[PurePosixPath, bytes],
    request: Request,
    merged: regions.Merge,
) -> tuple[Diagnostic, ...]:
    """Add the user's files of a language to what a run comes to; return what they miss."""
    filled, warnings = placing.fill(placed, pools, adopt=request.adopt)
    merged.files |= filled.files
    merged.edits += filled.edits
    merged.lost += filled.lost
    return warnings


def _emit(
    schema: Schema, request: Request, renderer: Renderer, dumper: Dumper
) -> Iterator[Sequence[OutputFile]]:
    """Run the backends, those whose formatter takes a while first; the JSON IR is an output too."""
    targets = request.targets()
    for language in sorted(targets, key=_FIRST.index):
        target = targets[language]
        if not isinstance(target, InPlaceTarget):
            yield load_backend(language)(schema, target, renderer)
    yield [OutputFile(request.config.ir, "json", codec.encode(schema, dumper).decode())]


def _run_plugins(
    schema: Schema, request: Request, taken: set[PurePosixPath]
) -> tuple[Mapping[PurePosixPath, str], tuple[Diagnostic, ...]]:
    """Return the files of plugins, which format their text themselves, and their warnings."""
    if not request.plugins:
        return {}, ()
    from tschema.plugin import run_plugins

    result = run_plugins(request.plugins, schema, request.config.root, taken)
    return result.files, result.warnings


def _seal(texts: Iterable[tuple[PurePosixPath, str]]) -> dict[PurePosixPath, blocks.MarkedFile]:
    try:
        return {path: blocks.seal_blocks(str(path), text.encode()) for path, text in texts}
    except SchemaError as error:
        raise AssertionError(f"a backend emits wrong markers\n{error}") from error


def _choose(
    files: Mapping[PurePosixPath, bytes], schema: Schema, request: Request
) -> dict[PurePosixPath, bytes]:
    """Return the files that are made from the schema files that the request names."""
    if not request.paths:
        return dict(files)
    known = [space.source for space in schema.namespaces]
    wanted = [_relative(path, request.config.root) for path in request.paths]
    reporter = Reporter()
    for path in wanted:
        if not any(is_below(source, path) for source in known):
            reporter.error("TS055", f"no schema file of `{schema.package}` at `{path}`", None)
    reporter.stop_on_error()
    return {path: data for path, data in files.items() if is_wanted(data, wanted)}


def _relative(path: Path, root: Path) -> str:
    path = path.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _outdated(files: Container[PurePosixPath], request: Request) -> list[PurePosixPath]:
    """Return the generated files in the targets' folders that nothing makes any more."""
    found = find_generated(request.root, _folders(request))
    wanted = [_relative(path, request.config.root) for path in request.paths]
    return [
        path
        for path, head in found.items()
        if path not in files
        and is_made_by(request.config, head)
        and (not wanted or is_wanted(head, wanted))
    ]


def _folders(request: Request) -> list[PurePosixPath]:
    return [
        value
        for target in request.targets().values()
        for name in members(type(target))
        if isinstance(value := getattr(target, name), PurePosixPath)
    ]


def _renamed_blocks(schema: Schema) -> dict[str, str]:
    """Return the new names of blocks with their old ones, for classes with `renamed_from`."""
    renamed: dict[str, str] = {}
    for namespace in schema.namespaces:
        for type_ in namespace.types:
            if type_.options.renamed_from:
                renamed[type_.name] = type_.options.renamed_from
                renamed[type_.ref] = type_.options.renamed_from.removesuffix("Node")
    return renamed
