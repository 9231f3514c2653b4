"""The way back from adoption: blocks of C++ classes become plain code again.

In: a configuration, its JSON IR, and names of classes.  Out: the author's files without the markers
of their blocks; no other line changes.  It reads, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from tschema.adoption.in_place import find_files
from tschema.backends.base import reference_home
from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest
from tschema.ir.model import Schema, Type
from tschema.output import files as output
from tschema.project.config import Config, InPlaceTarget
from tschema.regions.blocks import BOM, MarkedFile, scan_comments


def unadopt(
    config: Config, schema: Schema, names: Sequence[str]
) -> tuple[output.Rewrite, list[str]]:
    """
    Take the markers of classes out, of the data class and of its reference class.

    Parameters
    ----------
    names
        Data classes or type keys.

    Returns
    -------
    rewrite
        The author's files.
    blocks
        The names of the blocks that are gone.

    Raises
    ------
    SchemaError
        A name is unknown, or generated code registers the class.
    OutputError
        A file cannot be read.
    """
    reporter = Reporter()
    wanted = {name for one in names for name in _blocks(one, schema, reporter)}
    reporter.stop_on_error()
    target = config.cpp
    paths = find_files(config.root, "cpp", target) if isinstance(target, InPlaceTarget) else []
    old: dict[PurePosixPath, bytes] = {}
    new: dict[PurePosixPath, bytes] = {}
    gone: list[str] = []
    for path, data in output.read_outputs(config.root, paths).items():
        file = scan_comments(str(path), data)
        found = [name for name in file.blocks if name in wanted]
        if found:
            old[path], new[path] = data, _without_markers(file, found)
            gone += found
    return output.Rewrite(old, new), gone


def _blocks(name: str, schema: Schema, reporter: Reporter) -> Sequence[str]:
    """Return the names that markers of a class may have."""
    type_ = next(
        (one for one in schema.types() if name in (one.key, one.name, _dotted(one))),
        None,
    )
    if type_ is None:
        help = suggest(name, [one.name for one in schema.types()])
        reporter.error("TS095", f"the schema declares no class `{name}`", None, help=help)
        return ()
    if type_.is_registered:
        reporter.error(
            "TS095",
            f"generated code registers `{type_.name}`, and nothing else does",
            None,
            help=f'write `register = "hand"` in `{type_.name}`, and its `ObjectDef` chain in C++',
        )
        return ()
    homes = (_dotted(type_), reference_home(type_))
    return [one for home in homes for one in (home, home.rpartition(".")[2])]


def _dotted(type_: Type) -> str:
    return f"{type_.namespace}.{type_.name}"


def _without_markers(file: MarkedFile, names: Sequence[str]) -> bytes:
    """Return a file without the markers of some blocks."""
    dropped: set[int] = set()
    for name in names:
        block = file.blocks[name]
        region = block.region
        dropped |= {block.begin, block.end}
        dropped |= {region.start - 1, region.stop} if region is not None else set()
    lines = [line for index, line in enumerate(file.lines) if index not in dropped]
    mark = BOM if 0 in dropped and file.lines[0].startswith(BOM) else b""
    return mark + b"".join(lines)
