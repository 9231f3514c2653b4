"""The classes of authors that generated code registers, and the parts that they do not need.

In: the blocks in the author's files, and the types of the package.  Out: the includes that are
needed, and the classes from which generated ones derive.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.adoption.inplace.spare_members import holds_key_macro
from tschema.adoption.inplace.survey import Survey
from tschema.backends.base import Need
from tschema.ir.model import Schema
from tschema.regions.blocks import Block, MarkedFile, scan_comments

_WORDS_OF = {
    "tschema/layout_of.h": (b"LayoutOf<",),
    "tschema/release.h": (b"::Release(",),
    "tschema/structural.h": (b"::AttrVisitor", b"::SEqualReducer", b"::SHashReducer"),
    "utility": (b"std::move", b"std::forward"),
}
"""What generated functions name of the headers that they need."""


def ancestors_of(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return, by dotted name of a data class that a package registers, those of its ancestors."""
    return {
        f"{one.namespace}.{one.name}": tuple(
            f"{above.namespace}.{above.name}" for above in schema.ancestry(one)[:-1]
        )
        for one in schema.types()
        if one.is_registered
    }


def parents_of_generated(
    found: Survey, ancestors: Mapping[str, tuple[str, ...]], *, adopt: bool
) -> set[str]:
    """
    Return the classes from which one derives that tschema writes, and not its author.

    Parameters
    ----------
    ancestors
        Those of each class that generated code registers.
    adopt
        Whether classes in blocks without a region are about to be adopted.
    """
    parents: set[str] = set()
    for name, above in ancestors.items():
        if name in found.homes and not is_authors(found, name, adopt=adopt):
            parents.update(above)
    return parents


def is_authors(found: Survey, name: str, *, adopt: bool) -> bool:
    """
    Return whether the author wrote the class in a block.

    Parameters
    ----------
    name
        The dotted name of a class that has a block.
    adopt
        Whether classes in blocks without a region are about to be adopted.
    """
    path, written = found.homes[name]
    file = found.files[path]
    block = file.blocks[written]
    body = b"".join(file.lines[block.begin + 1 : block.end])
    is_new = adopt and block.region is None and block.digest is None and bool(body.strip())
    return is_new or _is_authors(file, block)


def needs_of(
    found: Survey,
    ancestors: Mapping[str, tuple[str, ...]],
    needs: Mapping[str, tuple[Need, ...]],
    files: Mapping[PurePosixPath, bytes],
) -> dict[str, tuple[Need, ...]]:
    """
    Return the needs of blocks; the file of an author's class includes the needs of its members.

    Parameters
    ----------
    ancestors
        Those of each class that generated code registers.
    needs
        The needs of a class that tschema writes, by dotted name.
    files
        The files, as they are to be.
    """
    chosen = dict(needs)
    marked = {path: scan_comments(str(path), data) for path, data in files.items()}
    for name in ancestors.keys() & found.homes.keys():
        path, written = found.homes[name]
        file = marked.get(path)
        block = file.blocks.get(written) if file is not None else None
        if file is not None and block is not None and _is_authors(file, block):
            region = block.region
            above = b"".join(file.lines[block.begin : region.start if region else block.end])
            chosen[name] = tuple(one for one in needs.get(name, ()) if _names(above, one.name))
    return chosen


def _is_authors(file: MarkedFile, block: Block) -> bool:
    """Return whether the region of a block has the macro that its author wrote."""
    region = block.region
    return region is not None and holds_key_macro(file.lines[region.start : region.stop])


def _names(text: bytes, header: str) -> bool:
    """Return whether generated lines name something of a header that members do not need."""
    return any(word in text for word in _WORDS_OF.get(header, ()))
