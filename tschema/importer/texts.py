"""The texts of schema files after an import.

In: the declarations, and the found classes.  Out: new files, and existing files with their missing
declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from tschema.emit.format import Formatting
from tschema.importer.changes import ClassChanges, NewClass
from tschema.importer.plan import OTHER_LIBRARIES, needed_keys
from tschema.importer.updates import class_changes
from tschema.importer.writer import (
    Declarations,
    FileNames,
    language_names,
    write_declaration,
    write_file,
)
from tschema.incremental.store import Store

Texts = dict[PurePosixPath, str]


def schema_texts(declarations: Declarations, store: Store) -> Texts:
    """Return the files that an import writes, and those that it changes.

    Parameters
    ----------
    declarations
        The declarations to write, and the existing files.
    store
        The results of earlier runs of the formatter.
    """
    texts: Texts = {}
    fresh: Texts = {}
    for path in declarations.plan.files:
        if path in declarations.existing.files:
            texts[path] = _merged(path, declarations, store)
        else:
            fresh[path] = write_file(path, declarations, _doc(path, declarations))
    return {**texts, **_formatted(fresh, declarations, store)}


def _formatted(
    texts: Mapping[PurePosixPath, str], declarations: Declarations, store: Store
) -> Texts:
    if not texts:
        return {}
    with Formatting(declarations.project.config.root, store) as formatting:
        return dict(formatting.finish(texts))


def _doc(path: PurePosixPath, declarations: Declarations) -> str:
    """Return the docstring of a new file."""
    if path.name == OTHER_LIBRARIES:
        return "Classes of other libraries."
    keys = declarations.plan.files[path]
    headers = [one.header for key in keys if (one := declarations.classes.get(key))]
    header = next(filter(None, headers), None)
    if header is not None:
        return f"The classes of `{header}`."
    return f"The classes of `{keys[0].rpartition('.')[0]}`."


def _merged(path: PurePosixPath, declarations: Declarations, store: Store) -> str:
    """Return the text of an existing file with its missing declarations."""
    text = declarations.project.files[path]
    keys = declarations.plan.files[path]
    homes = declarations.existing.homes
    names = FileNames(path, keys, declarations)
    changes = {
        declarations.name(key): change
        for key in keys
        if key in homes
        and key not in declarations.replaced
        and (change := _changes(key, declarations, names))
    }
    pieces = {
        PurePosixPath(f"{key}.py"): write_declaration(key, declarations, names) + "\n"
        for key in keys
        if key not in homes or key in declarations.replaced
    }
    if not changes and not pieces:
        return text
    from tschema.importer.merging import merge  # LibCST takes long to import.

    new = _formatted(pieces, declarations, store)
    changes = _laid_out(changes, declarations, store)
    classes = [
        NewClass(new[PurePosixPath(f"{key}.py")], tuple(_neighbours(key, path, declarations)))
        for key in keys
        if key not in homes
    ]
    replaced = {
        declarations.name(key): new[PurePosixPath(f"{key}.py")]
        for key in keys
        if key in declarations.replaced
    }
    parts = [*new.values(), *(part for change in changes.values() for part in _parts(change))]
    imports = names.imports()
    language = language_names("\n".join(parts))
    all_imports = {**imports, "tschema": language} if language else imports
    return merge(text, changes, classes, all_imports, replaced)


def _laid_out(
    changes: dict[str, ClassChanges], declarations: Declarations, store: Store
) -> dict[str, ClassChanges]:
    """Return changes of classes with their new fields and methods as the formatter leaves them."""
    parts = [
        part
        for change in changes.values()
        for part in (*(f"    {new.line}" for new in change.fields), *change.methods)
    ]
    texts = {PurePosixPath(f"{at}.py"): f"class _:\n{part}\n" for at, part in enumerate(parts)}
    done = _formatted(texts, declarations, store)
    bodies = {
        part: done[path].partition("\n")[2].strip("\n")
        for part, path in zip(parts, texts, strict=True)
    }
    return {
        name: replace(
            change,
            fields=[replace(new, line=bodies[f"    {new.line}"].strip()) for new in change.fields],
            methods=[bodies[method] for method in change.methods],
        )
        for name, change in changes.items()
    }


def _changes(key: str, declarations: Declarations, names: FileNames) -> ClassChanges | None:
    found = declarations.classes.get(key)
    schema = declarations.existing.schema
    declared = schema.find_type(key) if schema else None
    if found is None or declared is None or found.unsaid:
        return None
    return class_changes(found, declared, names) or None


def _parts(change: ClassChanges) -> Iterator[str]:
    yield from (new.line for new in change.fields)
    yield from change.annotations.values()
    yield from change.methods
    if change.base is not None:
        yield f"({change.base})"


def _neighbours(key: str, path: PurePosixPath, declarations: Declarations) -> Iterator[str]:
    """Yield the classes of a file that one comes after: its neighbour, and those that it names."""
    keys = declarations.plan.files[path]
    at = keys.index(key)
    if at:
        yield declarations.name(keys[at - 1])
    found = declarations.classes.get(key)
    for needed in needed_keys(found) if found is not None else ():
        if needed != key and needed in keys:
            yield declarations.name(needed)
