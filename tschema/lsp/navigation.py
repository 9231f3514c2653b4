"""From a position in any file to declarations, and from declarations to places.

In: a project and positions.  Out: targets and spans.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.diagnostics.source import SourceFile, Span
from tschema.editing.rename import find_references, find_uses
from tschema.editing.rename.file_index import FileIndex
from tschema.editing.rename.names import names_of
from tschema.editing.rename.target import Target
from tschema.ir.declarations import FileDecl
from tschema.lsp import foreign
from tschema.lsp.elements import Element, at, elements, meaning, word_at
from tschema.lsp.index import SchemaIndex
from tschema.lsp.project import Project
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import read_files


def targets_at(project: Project, source: SourceFile, line: int, column: int) -> list[Target]:
    """Return the declarations that a position in a file of the project may mean."""
    index = project.index(source.path)
    if index is None:
        return []
    file = project.file(source.path)
    if file is None:
        return foreign.targets_at(source.path, source.text, line, column, index)
    dotted = _dotted(project, file, index, line, column)
    return [index.targets[dotted]] if dotted is not None else []


def _dotted(
    project: Project, file: FileDecl, index: SchemaIndex, line: int, column: int
) -> str | None:
    """Return the name of the declaration that an element means, or a word of a doc."""
    element = at(file, line, column)
    found = meaning(element, file, index) if element is not None else None
    if found is not None or element is not None:
        return found
    member = _member(project.file_index(file), index, line, column)
    if member is not None:
        return member
    word = word_at(file.source.line(line), column)
    key = index.docs.resolve(word, file) if word else None
    if key is None:
        return None
    rest = word.replace("::", ".").split(".")[key[1] :]
    dotted = ".".join([key[0], *rest])
    return dotted if dotted in index.targets else None


def _member(file: FileIndex, index: SchemaIndex, line: int, column: int) -> str | None:
    """Return the name of a member or a parameter that the doc of its owner mentions."""
    if line > len(file.line_starts):
        return None
    before = file.file.source.line(line)[: column - 1]
    offset = file.line_starts[line - 1] + len(before.encode())
    for text in file.syntax.texts:
        data = text.raw.encode()
        if not text.start <= offset <= text.start + len(data):
            continue
        place = len(data[: offset - text.start].decode())
        for one in file.mentions(text):
            if one.kind != "see_also" and one.start <= place <= one.start + len(one.name):
                # A method's own parameter hides a member of that name.
                is_own = file.syntax.definition(text.owner, one.name) is not None
                depths = range(len(text.owner), len(text.owner) - 1 if is_own else 0, -1)
                owners = (text.owner[:depth] for depth in depths)
                names = (".".join([file.file.namespace, *each, one.name]) for each in owners)
                return next((name for name in names if name in index.targets), None)
    return None


def declared_at(project: Project, target: Target) -> Span | None:
    """Return where a target is declared; None for those of other packages."""
    file = project.file(target.space.source)
    index = project.index(target.space.source)
    if file is None or index is None:
        return None
    target = index.target_of_operator(target)
    found = (one for one in elements(file) if _declares(one, target, file, index))
    return next((one.place.span() for one in found), None)


def _declares(element: Element, target: Target, file: FileDecl, index: SchemaIndex) -> bool:
    if element.kind in ("type", "import", "value", "option"):
        return False
    dotted = meaning(element, file, index)
    return dotted is not None and index.targets[dotted].dotted == target.dotted


def implementations(project: Project, target: Target) -> Iterator[Span]:
    """Yield the generated blocks of a class or an enum, in all languages."""
    index = project.index(target.space.source)
    if index is None:
        return
    type_ = index.schema.find_type(target.key)
    names = {type_.name, type_.ref} if type_ else {target.key.rpartition(".")[2]}
    root = str(project.config.root)
    for path, data in read_files(root, (".h", ".hpp", ".cuh", ".py", ".rs"), PROJECT_MARKS):
        yield from foreign.block_places(path, data, names, target.space.source)


def references(project: Project, target: Target) -> Iterator[Span]:
    """
    Yield the places that name a declaration: in schema files, generated and other code.

    Raises
    ------
    SchemaError
        The declarations are wrong.
    """
    edited = project.looked_at()
    names = names_of(edited, target, f"{target.name}_")
    yield from find_references(edited, names, project.file_index)
    yield from find_uses(project.code, edited.schema, target, names)
