"""The locations of the blocks of data classes.

In: a schema and the C++ files of its project.  Out: a `Home` for each generated class, by its
dotted name, and for reference classes of which something is written by hand, by their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Reporter, SchemaError
from tschema.diagnostics.source import Span
from tschema.ir.model import Namespace, Schema, Type
from tschema.project.config import Config, CppTarget
from tschema.regions.blocks import Block, MarkedFile, scan, scan_comments
from tschema.verify.sources import CppFile, CppFiles


class Home(Struct, frozen=True):
    """The block of a class."""

    file: CppFile
    marked: MarkedFile
    """The same file, cut into lines."""
    block: Block

    def marker(self) -> Span:
        """Return the place of the marker that names the block."""
        return self.marked.span(self.block.begin)

    def custom_begin(self) -> Span:
        """Return where the custom region begins; the block, if it has none."""
        region = self.block.region
        return self.marked.span(region.start - 1) if region is not None else self.marker()


def header_path(target: CppTarget, space: Namespace) -> PurePosixPath:
    """Return the header of a schema file, in a project whose files are tschema's."""
    return target.include / space.name.replace(".", "/") / f"{space.file}.h"


def find_homes(config: Config, schema: Schema, files: CppFiles) -> dict[str, Home]:
    """
    Find the blocks of the data classes.

    Raises
    ------
    SchemaError
        The markers of a file are wrong; those of every file are reported.
    """
    cpp = config.cpp
    if isinstance(cpp, CppTarget):
        marked = _marked(files, scan)
        found = _in_headers(cpp, schema, marked)
    else:
        # An example in a comment or a string of the user's is not a block.
        marked = _marked(files, scan_comments)
        found = _by_markers(schema, marked)
    by_path = {file.path: file for file in files.files}
    return {
        name: Home(by_path[path], marked[path], marked[path].blocks[written])
        for name, path, written in found
    }


def is_by_hand(type_: Type) -> bool:
    """Return whether something of the reference class is written by hand."""
    return "hand" in (type_.options.ref, type_.options.ref_init)


def _marked(files: CppFiles, cut: Callable[[str, bytes], MarkedFile]) -> dict[str, MarkedFile]:
    reporter = Reporter()
    marked: dict[str, MarkedFile] = {}
    for file in files.files:
        try:
            marked[file.path] = cut(file.path, file.data)
        except SchemaError as error:
            reporter.diagnostics += error.diagnostics
    reporter.stop_on_error()
    return marked


def _in_headers(
    target: CppTarget, schema: Schema, marked: Mapping[str, MarkedFile]
) -> Iterator[tuple[str, str, str]]:
    """Yield dotted name, file and block of the classes in headers of tschema's own."""
    for space in schema.namespaces:
        path = str(header_path(target, space))
        for type_ in space.types:
            if path in marked and type_.name in marked[path].blocks:
                yield f"{space.name}.{type_.name}", path, type_.name
            if path in marked and type_.stem in marked[path].blocks and is_by_hand(type_):
                yield type_.key, path, type_.stem


def _by_markers(schema: Schema, marked: Mapping[str, MarkedFile]) -> Iterator[tuple[str, str, str]]:
    """Yield dotted name, file and block of the classes that markers name, in full or in part."""
    names = [f"{space.name}.{type_.name}" for space in schema.namespaces for type_ in space.types]
    names += [type_.key for type_ in schema.types() if is_by_hand(type_)]
    for path, file in marked.items():
        for written in file.blocks:
            candidates = [name for name in names if f".{name}".endswith(f".{written}")]
            if len(candidates) == 1:
                yield candidates[0], path, written
