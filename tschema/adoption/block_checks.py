"""Checks of the places of blocks in files that are written in place.

In: the blocks that were found, and the declarations of the schema.  Out: errors, at the markers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from tschema.adoption.classes import headers_without_blocks
from tschema.adoption.inplace.block_namespaces import namespaces_of_blocks
from tschema.adoption.inplace.survey import Survey, report_missing
from tschema.diagnostics.errors import Diagnostic, Note, Reporter
from tschema.diagnostics.source import Span
from tschema.ir.model import Schema
from tschema.project.config import InPlaceTarget


def check_namespaces(found: Survey, wanted: Mapping[str, str]) -> None:
    """Report blocks outside of the namespace that generated code finds their class in."""
    reporter = Reporter()
    around = {
        path: namespaces_of_blocks(file)
        for path, file in found.files.items()
        if path.suffix != ".inl"  # It is included inside of a namespace.
    }
    for name, (path, written) in found.homes.items():
        there = around.get(path, {}).get(written)
        if there is not None and name in wanted and wanted[name] not in there:
            where = max(there, key=len)
            reporter.error(
                "TS161",
                f"block `{written}` stands "
                + (f"in namespace `{where}`" if where else "outside of any namespace")
                + f", and its class is in `{wanted[name]}`",
                _marker(found, name),
                help="move the block there, or say where it is: `cpp_namespace` of the class, "
                "`[cpp.namespaces]` of the configuration",
            )
    reporter.stop_on_error()


def check_defined(
    schema: Schema, found: Survey, read_others: Callable[[], Mapping[PurePosixPath, bytes]]
) -> None:
    """Report enums that have neither a block nor a definition."""
    places = found.places()
    missing = [
        enum.key for space in schema.namespaces for enum in space.enums if enum.key not in places
    ]
    if missing:
        # A source may define one for its own classes.
        elsewhere = headers_without_blocks(read_others(), schema, places)
        missing = [name for name in missing if name not in elsewhere]
    reporter = Reporter()
    for name in missing:
        report_missing(name, reporter)
    reporter.stop_on_error()


def check_modules(found: Survey, target: InPlaceTarget) -> None:
    """Report blocks that Python or Rust cannot name by the modules that they are in."""
    reporter = Reporter()
    _check_below(found, target, reporter)
    _check_names(found, reporter)
    reporter.stop_on_error()


def _check_below(found: Survey, target: InPlaceTarget, reporter: Reporter) -> None:
    """Report files from which the sidecar's modules have no relative name."""
    base = target.sidecar.parent
    for path, file in found.files.items():
        if not path.is_relative_to(base):
            first = next(iter(file.blocks.values()))
            reporter.error(
                "TS068",
                f"a block stands outside `{base}`, the folder that the sidecar is in",
                file.span(first.begin),
                help="its module and the sidecar's name each other relative to that folder",
            )


def _check_names(found: Survey, reporter: Reporter) -> None:
    """Report two classes of one name in one module: the second would take the first one's place."""
    named: dict[tuple[PurePosixPath, str], str] = {}
    for full, (path, _) in found.homes.items():
        space, _, name = full.rpartition(".")
        first = named.setdefault((path, name), full)
        if first != full:
            message = f"`{name}` of `{space}` and that of `{first.rpartition('.')[0]}` are one name"
            note = Note("the other one is here", _marker(found, first))
            reporter.diagnostics.append(
                Diagnostic(
                    "TS022",
                    "error",
                    f"{message} in module `{path}`",
                    _marker(found, full),
                    (note,),
                    "move one of the blocks to another file",
                )
            )


def _marker(found: Survey, full: str) -> Span:
    """Return the place of the marker that names a class."""
    path, written = found.homes[full]
    file = found.files[path]
    return file.span(file.blocks[written].begin)
