"""`tschema import`: writes schema files of what existing code declares.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from tschema.cli.changed_files import diff, planned
from tschema.cli.outcome import DONE, FOUND, WRONG_INPUT, Outcome, Piece, counted, out, remark
from tschema.importer.disagreement import alone, diagnose, differing, keyless
from tschema.importer.importing import Imported, import_schema
from tschema.importer.project import Project, check_roots, new_project, project_of
from tschema.importer.sources import Sources, find_all, without_other_libraries
from tschema.output.files import compare, write
from tschema.project.config import load_config
from tschema.project.folders import find_config_file

_SHOWN = 10
"""Classes of each list that are shown unless all are asked for."""


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the written files, and the declarations that the schema language cannot express."""
    if not options.registries and not options.headers:
        what = "name what to import, with `--registry` or `--headers`"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
        return
    progress("reading the sources")
    sources = find_all(options.registries, options.headers, options.python, options.keys)
    project = _project(options, sources)
    config = project.config
    sources = without_other_libraries(sources, {config.package, *config.roots})
    check_roots(project, sources.wanted)
    progress("writing schema files")
    imported = import_schema(sources.found, sources.wanted.__contains__, project)
    yield _outcome(options, project, sources, imported)


def _project(options: argparse.Namespace, sources: Sources) -> Project:
    """Return the project that the arguments name, the nearest one, or a new one."""
    path = options.config or find_config_file(str(Path.cwd()))
    out_dir = options.out.absolute() if options.out else None
    if path is None:
        root = Path.cwd()
        folder = _relative(out_dir, root) if out_dir else PurePosixPath("schema")
        wanted = (one for one in sources.found.classes if one.key in sources.wanted)
        return new_project(root, sources.name, wanted, folder)
    config = load_config(Path(path))
    return project_of(config, _relative(out_dir, config.root) if out_dir else None)


def _relative(folder: Path, root: Path) -> PurePosixPath:
    return PurePosixPath(os.path.relpath(folder, root))


def _outcome(
    options: argparse.Namespace, project: Project, sources: Sources, imported: Imported
) -> Outcome:
    new = {path: project.encode(path, text) for path, text in imported.files.items()}
    if project.new_config is not None:
        new[PurePosixPath(project.config.file.name)] = project.new_config.encode()
    old = {path: project.encode(path, text) for path, text in project.files.items() if path in new}
    changes = compare(new, old)
    warnings = tuple(diagnose(sources.differences, Path.cwd()))
    if options.diff:
        return Outcome(FOUND if changes else DONE, warnings, (diff(changes, old, new),))
    report = tuple(_report(imported, sources, is_long=options.verbose))
    if options.check:
        stale = tuple(out(f"{path} is out of date") for path in changes.written)
        return Outcome(FOUND if changes else DONE, warnings, (*stale, *report))
    if options.dry_run:
        return Outcome(DONE, warnings, (*planned(changes), *report))
    write(project.config.root, new, changes, old)
    wrote = f"wrote {counted(len(changes.written), 'file')}"
    done = wrote if changes.written else "everything is up to date"
    return Outcome(DONE, warnings, (out(done), *report))


def _report(imported: Imported, sources: Sources, is_long: bool) -> Iterator[Piece]:
    agreed, described = imported.agreement, imported.described
    yield out(
        f"{len(sources.wanted)} classes: {len(imported.declared)} declared, "
        f"{len(described)} described, "
        + (f"{len(imported.opaque)} opaque, " if imported.opaque else "")
        + f"{len(imported.unsaid)} not; {len(agreed.exact)} layouts exact, "
        f"{len(agreed.unchecked)} of unknown size, {len(agreed.different)} different"
    )
    for title, reasons in (
        ("neither declared nor described", imported.unsaid),
        ("opaque: read through the registry, without a layout", imported.opaque),
        ("described, and not to be emitted", described),
        ("declared without", imported.omitted),
        ("with another layout", agreed.different),
        ("with differences between registry and headers", differing(sources.differences)),
        ("in the registry alone", alone(sources.differences, "registry")),
        ("in the headers alone", alone(sources.differences, "headers")),
        ("without a type key", keyless(sources.found)),
        ("left out, as no header and no root of keys has them", dict.fromkeys(sources.foreign, ())),
        ("not understood", dict.fromkeys(sources.found.unsaid, ())),
    ):
        yield from _listed(title, reasons, is_long)


def _listed(title: str, reasons: Mapping[str, tuple[str, ...]], is_long: bool) -> Iterator[Piece]:
    if not reasons:
        return
    yield out(f"\n{title}:")
    shown = list(reasons.items()) if is_long else list(reasons.items())[:_SHOWN]
    for key, texts in shown:
        yield out(f"  {key}: {'; '.join(texts)}" if texts else f"  {key}")
    rest = len(reasons) - len(shown)
    if rest:
        yield out(f"  and {rest} more, which `--verbose` lists")
