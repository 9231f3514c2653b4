"""`tschema init`: begins in a repository that is there.

In: the arguments.  Out: one outcome.  It overwrites nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from tschema.cli.outcome import WRONG_INPUT, Outcome, Piece, counted, out, remark
from tschema.conflicts.git_setup import install_merge_driver
from tschema.output.disk import reported
from tschema.output.files import compare, write
from tschema.pipeline.init_project import Start, start_in
from tschema.pipeline.new_project import is_package_name
from tschema.pipeline.repository import Found, Repository, find_paths, look_at
from tschema.project.config import parse_config
from tschema.project.folders import find_config_file
from tschema.project.include_folders import folders_that_define

_CONFIG = PurePosixPath("tschema.toml")


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the written files, and the remaining steps."""
    root = options.folder.absolute()
    if not root.is_dir():
        yield Outcome(WRONG_INPUT, pieces=(remark(f"`{options.folder}` is not a folder"),))
        return
    taken = find_config_file(str(root))
    if taken is not None and Path(taken).parent == root.resolve():
        what = f"`{Path(taken).name}` configures tschema here already"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
        return
    progress("looking at the repository")
    paths = find_paths(root)
    classes, missing = _classes(root, paths)
    repository = look_at(root, paths, classes, folders_that_define(missing, root))
    package = options.package or next(iter(repository.packages()), root.name)
    if not is_package_name(package):
        what = f"`{package}` is not a valid package name: name one with `--package`"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
        return
    start = start_in(repository, package)
    if not options.dry_run:
        _write(repository, start)
    yield Outcome(pieces=tuple(_said(repository, start, is_dry=options.dry_run)))


def _classes(root: Path, paths: Sequence[PurePosixPath]) -> tuple[list[Found], set[str]]:
    """Return the classes that an import will find in a repository, and bases that it lacks."""
    from tschema.importer.headers import read_texts  # Takes long to import.
    from tschema.importer.headers.classes import unknown_bases
    from tschema.importer.headers.files import HEADERS, SOURCES, read_file

    files = [
        file
        for path in paths
        if path.suffix in HEADERS | SOURCES
        for file in read_file(root / path, path.as_posix(), Path(path))
    ]
    found = read_texts(files, "the repository").classes if files else ()
    classes = [
        Found(one.key, one.cpp_namespace or "", PurePosixPath(one.location.path))
        for one in found
        if one.key and one.location is not None
    ]
    return classes, {name for one in found for name in unknown_bases(one.unsaid)}


def _write(repository: Repository, start: Start) -> None:
    """Write the configuration last: while it is missing, the command can be run again."""
    root = repository.root
    files = {_CONFIG: start.config.encode()}
    with reported(root):
        (root / start.schema).mkdir(exist_ok=True)
    if repository.has_git:
        install_merge_driver(parse_config(root / _CONFIG, start.config))
    write(root, files, compare(files, {}), {})


def _said(repository: Repository, start: Start, *, is_dry: bool) -> Iterator[Piece]:
    """Yield the findings, the written files, and the remaining steps."""
    if repository.classes:
        files = {one.path for one in repository.classes}
        what = "header" if len(repository.headers()) == len(files) else "file"
        found = f"{counted(len(repository.classes), 'class', 'es')} with a type key"
        yield out(f"found {found} in {counted(len(files), what)}")
    verb = "would write" if is_dry else "wrote"
    yield out(f"{verb} {_CONFIG}:")
    yield out("".join(f"    {line}".rstrip() + "\n" for line in start.config.splitlines()))
    if repository.has_git:
        done = "would set up" if is_dry else "set up"
        yield out(f"{done} `tschema merge-driver` in .gitattributes and in the settings of git")
    yield out("next steps:")
    yield from (out(f"- {step}") for step in start.steps)
