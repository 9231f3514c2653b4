"""Classes of unknown layout that were declared before, and that an import can declare exactly now.

In: the declarations of a project, and found classes.  Out: the keys of declarations that may be
replaced, and found classes with the words of people in them.
"""

from __future__ import annotations

import ast
import io
import tokenize

from msgspec.structs import replace

from tschema.importer.existing import Existing
from tschema.importer.project import Project
from tschema.importer.records import FoundClass, FoundField
from tschema.importer.updates import reflected
from tschema.ir.model import Field, Type
from tschema.passes.layout import size_and_align

_OPTIONS = frozenset({"type_key", "extern", "size", "cpp_namespace", "ref", "ref_name", "ref_init"})
"""The options that an import writes of a class of unknown layout."""


def replaceable_keys(existing: Existing, project: Project) -> frozenset[str]:
    """
    Return the keys of classes of unknown layout that are declared as an import declares them.

    These are opaque, or parents whose size alone is known. Docs and types of fields may be of
    people: they move to the new declaration.
    """
    spaces = existing.schema.namespaces if existing.schema else ()
    types = (one for space in spaces for one in space.types if one.options.extern is not None)
    keys = {one.key: one.name for one in types if not one.members}
    if not keys:
        return frozenset()
    plain = {path: _plain_classes(project.files[path]) for path in set(existing.homes.values())}
    return frozenset(key for key, name in keys.items() if name in plain[existing.homes[key]])


def _plain_classes(text: str) -> set[str]:
    """Return the names of the classes of a file that have options of imports, and no comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {one.start[0] for one in tokens if one.type == tokenize.COMMENT}
    return {
        one.name
        for one in ast.parse(text).body
        if isinstance(one, ast.ClassDef)
        and not comments.intersection(range(one.lineno, (one.end_lineno or one.lineno) + 1))
        and all(map(_is_imported, one.body))
    }


def _is_imported(statement: ast.stmt) -> bool:
    """Return whether a statement of an opaque class is one of an import."""
    if isinstance(statement, ast.Assign):
        return all(isinstance(one, ast.Name) and one.id in _OPTIONS for one in statement.targets)
    return isinstance(statement, (ast.AnnAssign, ast.Expr))


def with_words(found: FoundClass, declared: Type) -> FoundClass:
    """Return a class with the docs, and the types of fields, that its opaque declaration has."""
    fields = {field.name: field for field in declared.accessors}
    return replace(
        found,
        doc=declared.doc or found.doc,
        fields=tuple(
            _with_words(field, fields[field.name]) if field.name in fields else field
            for field in found.fields
        ),
    )


def _with_words(field: FoundField, declared: Field) -> FoundField:
    field = replace(field, doc=declared.doc or field.doc)
    is_same = field.type is not None and reflected(field.type) == reflected(declared.type)
    # A registry alone tells no sign, so that an import writes signed integers.
    if not is_same or declared.type.kind.startswith("int"):
        return field
    fits = field.size is None or size_and_align(declared)[0] == field.size
    return replace(field, type=declared.type) if fits else field
