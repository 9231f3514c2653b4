"""The whole flow of the command, from a configuration to files.

In: a `Request`.  Out: a `Plan` of what the files are to be, which `apply` writes.  Each stage takes
values and gives values; the driver alone knows them all, and it neither prints nor exits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath

from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.backends.memo import Memo
from tschema.diagnostics.errors import Diagnostic, SchemaError, render
from tschema.emit.format import Formatting
from tschema.emit.render import Renderer
from tschema.incremental import stamp as state
from tschema.incremental.cache import Store, open_store
from tschema.ir import codec
from tschema.ir.json_dump import Dumper
from tschema.ir.model import Schema
from tschema.output import files as output
from tschema.output.ownership import check_distinct
from tschema.pipeline import in_place as placing
from tschema.pipeline.beside import Beside
from tschema.pipeline.merge import Made, merge_made, read_standing
from tschema.pipeline.request import Request
from tschema.pipeline.schema import build_schema
from tschema.pipeline.settled import Settled
from tschema.project import packages
from tschema.project.config import InPlaceTarget
from tschema.record import record
from tschema.regions import blocks
from tschema.regions import merge as regions
from tschema.regions.marked_file import MarkedFile

__all__ = ["Plan", "Progress", "Request", "apply", "build_schema", "make_plan"]

Progress = Callable[[str], None]
"""Told of each stage as it begins."""

_FIRST = ("rust", "cpp", "python", "docs")
"""The languages in the order in which they are emitted: formatters go on meanwhile."""


@record
class Plan:
    """What a run makes of the files on disk; nothing is written yet."""

    root: Path
    files: Mapping[PurePosixPath, bytes]
    """What is to be there."""
    old: Mapping[PurePosixPath, bytes]
    """The contents on disk, of `files` and of stale ones."""
    changes: output.Changes
    edits: tuple[regions.HandEdit, ...]
    """Hand edits of generated text, which `apply` discards."""
    warnings: tuple[Diagnostic, ...]
    memory: _Memory
    """What `apply` notes for the next run."""


@record
class _Memory:
    """What a run depended on and worked out."""

    request: Request
    sealed: Mapping[PurePosixPath, MarkedFile]
    """The generated text of the files that this run has made anew."""
    started: int
    """When the run began to read, in nanoseconds since the epoch."""
    notes: Settled
    store: Store


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
    merged, old = merge_made(schema, request, made, notes)
    # The JSON IR first: a caller that needs one file for all takes it.
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
) -> Made:
    """Render and format everything that does not stand as it should be."""
    progress("rendering")
    renderer = Renderer(remember=Memo(schema, store, dumper))
    placed = _place(schema, request, renderer)
    with (
        Beside(schema, request, renderer, store) as beside,
        Formatting(request.config.root, store) as formatting,
    ):
        texts: dict[PurePosixPath, str] = {}
        for files in chain(
            (one.emitted() for one in placed),
            _emit(schema, request, renderer, dumper, beside.languages),
            beside.emitted(),
        ):
            check_distinct([file.path for file in files], texts)
            emitted = {file.path: file.text for file in files}
            new = notes.add(emitted)
            formatting.start({path: new[path] for path in new if path not in beside.formatted})
            texts |= emitted
        given, remarks = _run_plugins(schema, request, set(texts))
        progress("formatting")
        found = read_standing({*texts, *given}, request)
        settled = notes.find(found)
        fresh = {path: text for path, text in texts.items() if path not in settled}
        rest = {path: text for path, text in fresh.items() if path not in beside.formatted}
        done = ((path, beside.formatted[path]) for path in fresh if path not in rest)
        sealed = _seal(chain(formatting.finish(rest), done))
    sealed |= {path: blocks.seal_blocks(str(path), text.encode()) for path, text in given.items()}
    return Made(sealed, settled, found, placed, [*remarks])


def apply(plan: Plan) -> None:
    """
    Write what a plan changes, and nothing else.

    Parameters
    ----------
    plan
        The plan, whose hand edits are discarded.

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
            for folder in (*request.folders(), *placing.searched_folders(request.targets()))
        ),
        packages=config.imports,
        started=memory.started,
    )
    out_dir = str(request.out_dir) if request.out_dir else None
    key = state.run_key(config.file.name, request.languages, out_dir)
    outputs = {str(plan.root / path): data for path, data in plan.files.items()}
    warnings = "".join(f"{render(warning)}\n" for warning in plan.warnings)
    state.save(str(config.root), key, watch, outputs, warnings)


def _place(schema: Schema, request: Request, renderer: Renderer) -> list[placing.Placed]:
    """Find and emit the blocks of the targets that are written in place."""
    return [
        placing.place(schema, language, target, request.config.root, renderer)
        for language, target in request.targets().items()
        if isinstance(target, InPlaceTarget)
    ]


def _emit(
    schema: Schema,
    request: Request,
    renderer: Renderer,
    dumper: Dumper,
    left_out: Container[str] = (),
) -> Iterator[Sequence[OutputFile]]:
    """Run the backends, those whose formatter takes a while first; the JSON IR is an output too."""
    targets = request.targets()
    for language in sorted(targets, key=_FIRST.index):
        target = targets[language]
        if not isinstance(target, InPlaceTarget) and language not in left_out:
            yield load_backend(language)(schema, target, renderer)
    yield [OutputFile(request.config.ir, "json", codec.encode(schema, dumper).decode())]


def _run_plugins(
    schema: Schema, request: Request, taken: set[PurePosixPath]
) -> tuple[Mapping[PurePosixPath, str], tuple[Diagnostic, ...]]:
    """Return the files of plugins, which format their text themselves, and their warnings."""
    if not request.plugins:
        return {}, ()
    from tschema.pipeline.plugin import run_plugins

    result = run_plugins(request.plugins, schema, request.config.root, taken)
    return result.files, result.warnings


def _seal(texts: Iterable[tuple[PurePosixPath, str]]) -> dict[PurePosixPath, MarkedFile]:
    try:
        return {path: blocks.seal_blocks(str(path), text.encode()) for path, text in texts}
    except SchemaError as error:
        raise AssertionError(f"a backend emits wrong markers\n{error}") from error
