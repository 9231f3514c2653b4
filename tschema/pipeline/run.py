"""The flow of `tschema gen`: parse, check, render, format, merge, write.

In: a `Request`.  Out: a `Plan` of the new contents of files, which `apply` writes.  Each stage
takes values and returns values, and the flow neither prints nor exits.

tschema owns all files of this flow.  A tool that also writes files of the user is an `Extension`:
it adds blocks to the emitted files, and compares the files on disk in its own way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Protocol

from msgspec import Struct

from tschema.backends.base import OutputFile
from tschema.diagnostics.errors import Diagnostic, grouped, render
from tschema.emit.format import Formatting
from tschema.emit.render import Renderer
from tschema.incremental import stamp
from tschema.incremental.store import Store, open_store
from tschema.ir.model import Schema
from tschema.output import files as output
from tschema.output.ownership import check_distinct
from tschema.pipeline.comparison import (
    Compared,
    Made,
    merge_made,
    read_standing,
    seal_emitted,
    seal_given,
)
from tschema.pipeline.emission import RememberingRenderer, emit
from tschema.pipeline.kept_files import KeptFiles
from tschema.pipeline.plugin import run_plugins
from tschema.pipeline.request import Request
from tschema.pipeline.schema import build_schema
from tschema.project import packages
from tschema.project.config import InPlaceTarget
from tschema.project.cpp_sources import CPP_STYLE, find_cpp_style
from tschema.regions.hand_edits import HandEdit

__all__ = ["Plan", "Progress", "Request", "apply", "build_schema", "make_plan"]

Progress = Callable[[str], None]
"""Told of each stage as it begins."""


class Plan(Struct, frozen=True):
    """The new state of the files on disk; nothing is written yet."""

    files: Mapping[PurePosixPath, bytes]
    """The files that are to exist."""
    old: Mapping[PurePosixPath, bytes]
    """The contents on disk, of `files` and of stale ones."""
    changes: output.Changes
    edits: tuple[HandEdit, ...]
    """Hand edits of generated text, which `apply` discards."""
    conflicts: tuple[Diagnostic, ...]
    """Conflicts that a merge of git has left in custom regions, for people to resolve."""
    warnings: tuple[Diagnostic, ...]
    request: Request
    kept_files: KeptFiles
    started: int
    """When the run began to read, in nanoseconds since the epoch."""
    store: Store


class Extension(Protocol):
    """The hooks by which a tool writes into files of the user during a run."""

    unmerged: Container[PurePosixPath]
    """Files that an earlier run cannot have finished."""

    def adapt(self, schema: Schema) -> Schema:
        """Return the schema without the classes that the user keeps by hand."""
        ...

    def emit(self, schema: Schema, renderer: Renderer) -> Iterable[Sequence[OutputFile]]:
        """Return the files to format for blocks of the user's files."""
        ...

    def compare(self, schema: Schema, made: Made) -> Compared:
        """Return the new and the current contents of all files."""
        ...


class _Run(Struct, frozen=True):
    """A run whose schema is known."""

    request: Request
    extension: Extension | None
    schema: Schema
    warnings: tuple[Diagnostic, ...]
    store: Store
    kept_files: KeptFiles
    started: int
    """When it began to read, in nanoseconds since the epoch."""


def make_plan(request: Request, progress: Progress, extension: Extension | None = None) -> Plan:
    """
    Work out everything that a run writes.

    Parameters
    ----------
    request
        The outputs to generate; targets that are written in place are left to `extension`.
    extension
        What writes into files of the user; None leaves them alone.

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
    ConflictsFound
        A file to be written has conflict markers, and `extension` is None.
    """
    run = _begin(request, progress, extension)
    progress("rendering")
    made = _make_files(run, progress)
    progress("comparing")
    if extension is not None:
        return _finish(run, extension.compare(run.schema, made))
    return _finish(run, merge_made(run.schema, request, made))


def _begin(request: Request, progress: Progress, extension: Extension | None) -> _Run:
    """Read the schema of a run."""
    started = time.time_ns()
    store = open_store(request.config.root)
    progress("reading the schema")
    schema, warnings = build_schema(request.config, store, request.texts)
    if extension is not None:
        schema = extension.adapt(schema)
    return _Run(request, extension, schema, warnings, store, KeptFiles(store), started)


def _make_files(run: _Run, progress: Progress) -> Made:
    """Render and format everything that is out of date."""
    request, schema, store, kept_files = run.request, run.schema, run.store, run.kept_files
    renderer = RememberingRenderer(schema, store)
    extension = run.extension
    blocks = extension.emit(schema, renderer) if extension else ()
    unmerged = extension.unmerged if extension else ()
    texts: dict[PurePosixPath, str] = {}
    with Formatting(request.config.root, store, find_cpp_style(request.config)) as formatting:
        for outputs in chain(blocks, emit(schema, request, renderer, store, formatting)):
            check_distinct([file.path for file in outputs], texts)
            pending = {file.path: file.text for file in outputs}
            formatting.start(kept_files.unknown(pending))
            texts |= pending
        given = run_plugins(request.plugins, schema, request.config.root, set(texts))
        progress("formatting")
        found = read_standing({*texts, *given.files}, request)
        kept = kept_files.find({path: found[path] for path in found if path not in unmerged})
        formatted = formatting.finish(
            {path: text for path, text in texts.items() if path not in kept}
        )
        sealed = seal_emitted(formatted)
    sealed |= seal_given(given.files)
    return Made(sealed, kept, found, given.warnings)


def _finish(run: _Run, compared: Compared) -> Plan:
    """Return the plan of a run."""
    # The JSON IR first: a caller that needs one file for all takes it.
    ir = run.request.config.ir
    merged, old = compared.merged, compared.old
    files = dict(sorted(merged.files.items(), key=lambda one: (one[0] != ir, one[0])))
    return Plan(
        files,
        old,
        output.compare(files, old, merged.interim),
        tuple(merged.edits),
        tuple(merged.conflicts),
        (*run.warnings, *compared.remarks),
        run.request,
        run.kept_files,
        run.started,
        run.store,
    )


def apply(plan: Plan) -> None:
    """
    Write the changes of a plan, and nothing else.

    Parameters
    ----------
    plan
        The plan, whose hand edits are discarded.

    Raises
    ------
    OutputError
        A file cannot be written, or lies outside the root.
    """
    root = plan.request.root
    if plan.changes or output.find_leftovers(root, plan.files):
        output.write(
            root, plan.files, plan.changes, plan.old, while_placed=lambda: _keep_results(plan)
        )
    else:
        _keep_results(plan)


def _keep_results(plan: Plan) -> None:
    """Keep results for the next run, as hints only: the disk need not have the files."""
    conflicted = {one.span.file.path for one in plan.conflicts if one.span}
    files = {path: data for path, data in plan.files.items() if str(path) not in conflicted}
    digests = plan.kept_files.note(files)
    plan.store.save(plan.request.config.root)
    if not conflicted:
        _stamp(plan, digests)


def _stamp(plan: Plan, digests: Mapping[PurePosixPath, bytes]) -> None:
    """Note the inputs of the run, so that the next one is known to change nothing."""
    request = plan.request
    if request.paths or request.plugins:
        return
    config = request.config
    imports = [*packages.find_imports(config).values()]
    watch = stamp.Watch(
        files=[
            config.file.name,
            *([CPP_STYLE] if isinstance(config.cpp, InPlaceTarget) else []),
            *map(str, imports),
            *(str(folder / "tschema.toml") for path in imports for folder in path.parents),
        ],
        sources=map(str, config.schema),
        targets=(
            str(request.root / folder)
            for folder in (*request.folders(), *request.searched_folders())
        ),
        packages=config.imports,
        started=plan.started,
    )
    out_dir = str(request.out_dir) if request.out_dir else None
    key = stamp.run_key(config.file.name, request.languages, out_dir)
    outputs = {str(plan.request.root / path): digest for path, digest in digests.items()}
    warnings = "".join(f"{render(warning)}\n" for warning in grouped(plan.warnings))
    stamp.save(str(config.root), key, watch, outputs, warnings)
