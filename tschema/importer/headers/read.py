"""The reader of C++ headers and sources: `read_headers`.

In: folders and files.  Out: `Found`.  Nothing is compiled and nothing is included: the records have
only facts that the given files state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tschema.importer.headers.classes import ClassReader, has_plain_layout
from tschema.importer.headers.comments import doc_of
from tschema.importer.headers.declarations import RawEnum
from tschema.importer.headers.default_construction import note_construction
from tschema.importer.headers.files import CppFile, find_files
from tschema.importer.headers.layout import lay_out
from tschema.importer.headers.library_types import NULLABLE
from tschema.importer.headers.masking import mask
from tschema.importer.headers.object_declarations import (
    Declaration,
    read_object_declarations,
    template_heirs,
)
from tschema.importer.headers.program import Program, read_program
from tschema.importer.headers.references import (
    RawReference,
    main_references,
    read_references,
    referred_classes,
)
from tschema.importer.headers.registrations import Registration
from tschema.importer.headers.type_refs import EnumType, TypeTable
from tschema.importer.records import Found, FoundClass, FoundEnum, FoundEnumMember, Location
from tschema.ir.model import TypeKind, TypeRef

_INT_SIZES = {"int": 4, "int32_t": 4, "std::int32_t": 4, "uint32_t": 4, "unsigned": 4}
_NARROW_SIZES = {
    "int8_t": 1, "uint8_t": 1, "char": 1, "bool": 1, "unsigned char": 1, "signed char": 1,
    "int16_t": 2, "uint16_t": 2, "short": 2, "int64_t": 8, "uint64_t": 8, "size_t": 8, "long": 8,
}  # fmt: skip


_SIGNED: Mapping[int, TypeKind] = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}
_UNSIGNED: Mapping[int, TypeKind] = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}


def read_headers(paths: Sequence[Path], root: Path | None = None) -> Found:
    """
    Return the classes that C++ files declare.

    Parameters
    ----------
    paths
        Folders, of which every C++ file is read, and files.
    root
        The folder that locations are relative to; of one folder itself, else the nearest folder
        around all paths.

    Raises
    ------
    SchemaError
        A path does not exist, or a file cannot be read.
    """
    base = root if root is not None else _common_folder(paths)
    source = ", ".join(path.as_posix() for path in paths)
    return read_texts(find_files(paths, base), source)


def _common_folder(paths: Sequence[Path]) -> Path:
    folders = [path if path.is_dir() else path.parent for path in paths]
    first = folders[0].resolve() if folders else Path.cwd()
    around = [first, *first.parents]
    others = [folder.resolve() for folder in folders]
    return next(one for one in around if all(other.is_relative_to(one) for other in others))


def read_texts(files: Iterable[CppFile], source: str) -> Found:
    """Return the classes that the texts of files declare."""
    program = read_program(mask(file.path, file.text, file.header) for file in files)
    declared = read_object_declarations(program)
    references = read_references(program)
    keys = {full: one.key for full, one in declared.items() if one.key is not None}
    mains = main_references(references, keys)
    types = _type_table(program, declared, keys, references, mains)
    registrations, homeless = _registrations(program, declared)
    reader = ClassReader(program, types, declared, mains, registrations)
    classes = [reader.read(one) for one in declared.values()]
    note_construction(program, classes, reader.with_init)
    _note_shared_keys(classes)
    lay_out(filter(has_plain_layout, classes))
    unsaid = [*_lost(program), *homeless]
    return Found(
        source=source,
        classes=tuple(classes),
        enums=tuple(_enums(program, types)),
        unsaid=tuple(unsaid),
    )


def _note_shared_keys(classes: Iterable[FoundClass]) -> None:
    """Take the type key from each class that shares it with an earlier one, and say so."""
    first: dict[str | None, FoundClass] = {}
    for found in classes:
        other = first.setdefault(found.key, found)
        if other is not found and found.key is not None:
            reason = f"its type key `{found.key}` is that of `{other.name}` too"
            found.unsaid, found.key = (*found.unsaid, reason), None


def _type_table(
    program: Program,
    declared: Mapping[str, Declaration],
    keys: Mapping[str, str],
    references: Mapping[str, RawReference],
    mains: Mapping[str, RawReference],
) -> TypeTable:
    main_names = {one.raw.full_name: keys.get(full) for full, one in mains.items()}
    nodes = {full: main_names.get(full) for full in references}
    referred = referred_classes(program, references)
    values = {full: keys[one] for full, one in referred.items() if one in keys}
    prefixes = _prefixes(declared)
    enums = {full: _enum_type(full, raw, program, prefixes) for full, raw in program.enums.items()}
    nullable = {full for full, one in references.items() if one.is_nullable}
    return TypeTable(
        program.symbols, nodes, values, keys, enums, program.plain_members, nullable | NULLABLE
    )


def _prefixes(declared: Mapping[str, Declaration]) -> dict[str, str]:
    """Return for each C++ namespace the prefix that most type keys of its classes have."""
    counts: dict[str, Counter[str]] = {}
    for one in declared.values():
        if one.key is not None:
            space = "::".join(one.raw.scope)
            counts.setdefault(space, Counter())[one.key.rpartition(".")[0]] += 1
    return {space: counter.most_common(1)[0][0] for space, counter in counts.items()}


def _enum_type(full: str, raw: RawEnum, program: Program, prefixes: Mapping[str, str]) -> EnumType:
    space = "::".join(raw.scope)
    prefix = prefixes.get(space, ".".join(raw.scope))
    underlying = raw.underlying or "int"
    size = _INT_SIZES.get(underlying, 0) or _NARROW_SIZES.get(underlying, 4)
    is_plain = underlying in ("int", "int32_t", "std::int32_t")
    in_class = any(
        "::".join(raw.scope[:end]) in program.classes for end in range(1, 1 + len(raw.scope))
    )
    is_declarable = is_plain and raw.is_scoped and not in_class
    has_values = all(member.value is not None for member in raw.members)
    key = f"{prefix}.{raw.name}" if prefix else raw.name
    is_unsigned = underlying.startswith(("u", "std::u")) or underlying == "size_t"
    kind = (_UNSIGNED if is_unsigned else _SIGNED)[size]
    integer = TypeRef(kind="bool" if underlying == "bool" else kind)
    return EnumType(key, size, is_declarable, has_values, integer)


def _registrations(
    program: Program, declared: Mapping[str, Declaration]
) -> tuple[dict[str, list[Registration]], list[str]]:
    """Return the registrations by class, and those whose class no file defines."""
    by_class: dict[str, list[Registration]] = {}
    homeless: list[str] = []
    by_name: dict[str, list[str]] = {}
    for full in declared:
        by_name.setdefault(full.rpartition("::")[2], []).append(full)
    heirs = template_heirs(program, declared)
    for one in program.registrations:
        full = _registered_class(program, one, by_name)
        around = "::".join(one.scope)
        # `ObjectDef<T>` in a template registers its heirs.
        homes = heirs.get(around) or ([full] if full in declared else [])
        for home in homes:
            by_class.setdefault(home, []).append(one)
        if not homes:
            place = f"{one.source.path}:{one.source.line(one.start)}"
            homeless.append(
                f"{place}: `ObjectDef<{one.class_name}>`: its class is not defined here"
            )
    return by_class, homeless


def _registered_class(
    program: Program, registration: Registration, by_name: Mapping[str, list[str]]
) -> str:
    """Return the full name of the class that a chain registers."""
    full = program.find_class(registration.class_name, registration.scope)
    if full is not None:
        return full
    # A using-declaration in a header that was not given may name it.
    named = by_name.get(registration.class_name.rpartition("::")[2], [])
    return named[0] if len(named) == 1 else ""


def _lost(program: Program) -> Iterator[str]:
    for source, call in program.lost_macros:
        if len(call.args) >= 2:
            place = f"{source.path}:{source.line(call.start)}"
            yield f"{place}: `{call.args[-2]}`: the class around `{call.name}` cannot be read"


def _enums(program: Program, types: TypeTable) -> Iterator[FoundEnum]:
    for full in sorted(types.used_enums):
        raw = program.enums[full]
        members = tuple(
            FoundEnumMember(
                name=member.name,
                value=member.value,
                doc=doc_of(raw.source, member.start, member.end).text,
            )
            for member in raw.members
            if member.value is not None
        )
        lacking = [member.name for member in raw.members if member.value is None]
        yield FoundEnum(
            key=types.enums[full].key,
            name=raw.name,
            cpp_namespace="::".join(raw.scope),
            header=raw.source.header,
            members=members,
            doc=doc_of(raw.source, raw.start, raw.start).text,
            location=Location(raw.source.path, raw.source.line(raw.start)),
            unsaid=tuple(f"the value of `{name}` is not a literal" for name in lacking),
        )
