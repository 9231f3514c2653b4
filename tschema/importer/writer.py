"""Schema text of found classes and enums.

In: a file's declarations, and the places of the others.  Out: the text of a schema file, before a
formatter lays it out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.importer.existing import Existing
from tschema.importer.expressible import schema_name, type_refs
from tschema.importer.options import Relatives, class_options, default_option, field_options, quoted
from tschema.importer.plan import Plan
from tschema.importer.project import Project
from tschema.importer.records import FoundClass, FoundEnum, FoundField, FoundMethod, FoundParameter
from tschema.ir.model import ROOT_KEY, TypeRef
from tschema.passes.foreign import size_of

_FIXED = {
    **{
        f"{sign}int{bits}": f"ty.{sign}int{bits}_t"
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    "None": "None",
}
"""How kinds are written whose name in `ty` differs."""
_WIDTH = 96
"""Characters of a line in a class."""
_ORDER = ("Object", "declare", "field", "method", "static", "ty")


class Declarations(Struct, frozen=True):
    """All that is declared, and where."""

    classes: Mapping[str, FoundClass]
    enums: Mapping[str, FoundEnum]
    plan: Plan
    relatives: Relatives
    project: Project
    existing: Existing
    replaced: frozenset[str] = frozenset()
    """The keys of those that replace opaque classes."""

    def name(self, key: str) -> str:
        """Return the name of a class or an enum in its file."""
        if key in self.existing.homes:
            return self.existing.name(key)
        if key in self.enums:
            return self.enums[key].name
        return class_name(self.classes[key])

    def home(self, key: str) -> PurePosixPath:
        """Return the file of a class or an enum."""
        return self.plan.homes.get(key) or self.existing.homes[key]

    def module(self, path: PurePosixPath) -> str:
        """Return the name by which schema files import a file."""
        root = self.project.root_of(path)
        return ".".join((root.name, *path.relative_to(root).with_suffix("").parts))


def class_name(found: FoundClass) -> str:
    """Return the name of a data class."""
    return found.name or (found.key or "").rpartition(".")[2] + "Node"


def write_file(path: PurePosixPath, declarations: Declarations, doc: str) -> str:
    """
    Return the text of a new schema file.

    Parameters
    ----------
    path
        Its place, relative to the project's root.
    declarations
        All declarations; the plan tells which of them the file holds.
    doc
        The docstring of the file.
    """
    keys = declarations.plan.files[path]
    names = FileNames(path, keys, declarations)
    parts = [write_declaration(key, declarations, names) for key in keys]
    body = "\n\n\n".join(parts)
    imports = import_lines(names.imports(), language_names(body))
    return f'"""{doc}"""\n\n' + "\n".join(imports) + f"\n\n\n{body}\n"


def language_names(body: str) -> list[str]:
    """Return the names of `tschema` that a text uses."""
    return [name for name in _ORDER if re.search(rf"(?<![\w.\"]){name}\b(?!\")", _code(body))]


def _code(body: str) -> str:
    """Return a text without its docstrings."""
    return re.sub(r'r?"""(\\.|[^\\])*?"""', "", body, flags=re.DOTALL)


def import_lines(modules: Mapping[str, Sequence[str]], language: Sequence[str]) -> list[str]:
    """Return import statements, sorted."""
    all_modules = {**modules, **({"tschema": language} if language else {})}
    return [f"from {name} import {', '.join(all_modules[name])}" for name in sorted(all_modules)]


class FileNames:
    """The names of other files' classes as one file writes them."""

    def __init__(
        self, path: PurePosixPath, keys: Iterable[str], declarations: Declarations
    ) -> None:
        self._path = path
        self._declarations = declarations
        self._local: dict[str, str] = {}
        """By key."""
        there = declarations.existing.files.get(path)
        scope = there.scope if there else {}
        bound = {target: local for local, target in scope.items()}
        taken = {*(declarations.name(one) for one in keys), *scope}
        named = (one for key in keys for one in _named(key, declarations))
        for key in dict.fromkeys(named):
            name, home = declarations.name(key), declarations.home(key)
            absolute = f"{declarations.module(home)}.{name}"
            if absolute in bound:
                name = bound[absolute]
            elif home != path and name in taken:
                space = key.split(".")[-2]
                name = "".join(part.capitalize() for part in space.split("_")) + name
            taken.add(name)
            self._local[key] = name

    def __getitem__(self, key: str) -> str:
        """Return the name of a class or an enum."""
        return self._local.get(key) or self._declarations.name(key)

    def imports(self) -> dict[str, list[str]]:
        """Return the imported names of the file, by module."""
        found: dict[str, list[str]] = {}
        for key, local in self._local.items():
            home = self._declarations.home(key)
            if home != self._path:
                name = self._declarations.name(key)
                text = name if name == local else f"{name} as {local}"
                found.setdefault(self._declarations.module(home), []).append(text)
        return {module: sorted(names) for module, names in found.items()}


def _named(key: str, declarations: Declarations) -> Iterator[str]:
    """Yield the keys that a class names, in its fields and methods, and as its parent."""
    found = declarations.classes.get(key)
    if found is None:
        return
    if found.parent in declarations.classes or found.parent in declarations.existing.homes:
        yield found.parent or ""
    for ref in type_refs(found):
        yield from (one.key for one in ref.walk() if one.key and one.kind in ("node", "enum"))


def write_declaration(key: str, declarations: Declarations, names: FileNames) -> str:
    """Return the text of a class or an enum."""
    if key in declarations.enums:
        return _enum(declarations.enums[key])
    return _class(declarations.classes[key], declarations, names)


def _enum(enum: FoundEnum) -> str:
    docs = [(member_name(member.name), member.doc) for member in enum.members]
    lines = docstring(enum.doc, docs)
    lines += [""] if lines else []
    lines += [f"{member_name(member.name)} = {member.value}" for member in enum.members]
    return "\n".join(("@declare", f"class {enum.name}(ty.IntEnum):", *indented(lines)))


def member_name(name: str) -> str:
    """Return `SERIAL` for `kSerial`."""
    plain = re.sub(r"^k(?=[A-Z0-9])", "", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain).upper()


def _class(found: FoundClass, declarations: Declarations, names: FileNames) -> str:
    parent = names[found.parent or ""] if found.parent != ROOT_KEY else "Object"
    lines = docstring(found.doc, [(schema_name(field), field.doc) for field in found.fields])
    options = class_options(found, declarations.relatives)
    lines += [f"{name} = {value}" for name, value in options]
    lines += [field_line(field, names) for field in found.fields]
    for method in found.methods:
        lines += ["", *method_lines(method, names)]
    name = declarations.name(found.key or "")
    return "\n".join(("@declare", f"class {name}({parent}):", *indented(lines)))


def field_line(field: FoundField, names: FileNames) -> str:
    """Return the declaration of a field."""
    annotation = spell_type(field.type, field, names)
    options = [*_member_default(field, names), *field_options(field)]
    name = schema_name(field)
    if name != field.name:
        options.append(("key", quoted(field.name)))
    if not options:
        return f"{name}: {annotation}"
    values = ", ".join(f"{option}={value}" for option, value in options)
    return f"{name}: {annotation} = field({values})"


def _member_default(field: FoundField, names: FileNames) -> Iterator[tuple[str, str]]:
    """Yield the default that is an enum's member, or an integer that is the value of one."""
    member = field.default.member if field.default is not None else None
    if member is not None:
        key, name = member
        text = f"{names[key]}.{member_name(name)}"
        is_enum = field.type is not None and field.type.kind == "enum"
        yield "default", text if is_enum else f"int({text})"


def spell_type(ref: TypeRef | None, field: FoundField | None, names: FileNames) -> str:
    """Return a type as a schema file writes it; ValueError without one."""
    if ref is None:
        raise ValueError("a field without a type cannot be declared")
    if ref.kind in ("node", "enum"):
        return names[ref.key or ""]
    if ref.kind == "foreign":
        return _foreign(ref, field)
    name = _FIXED.get(ref.kind, f"ty.{ref.kind}")
    args = ", ".join(spell_type(arg, None, names) for arg in ref.args)
    return f"{name}[{args}]" if args else name


def _foreign(ref: TypeRef, field: FoundField | None) -> str:
    parts = [quoted(ref.key or "")]
    known = size_of(ref.key or "")
    if field is not None and field.size is not None and known != (field.size, field.align):
        parts.append(f"size={field.size}")
        if field.align not in (None, 8):
            parts.append(f"align={field.align}")
    return f"ty.foreign({', '.join(parts)})"


def method_lines(method: FoundMethod, names: FileNames) -> list[str]:
    """Return the declaration of a method."""
    params = [] if method.static else ["self"]
    for at, param in enumerate(method.params):
        default = "".join(f" = {value}" for _, value in default_option(param.default))
        name = _parameter_name(param, at)
        params.append(f"{name}: {spell_type(param.type, None, names)}{default}")
    returns = spell_type(method.returns, None, names)
    decorator = "@method" if method.cpp is None else f"@method(cpp={quoted(method.cpp)})"
    docs = [(_parameter_name(param, at), param.doc) for at, param in enumerate(method.params)]
    return [
        *(["@static"] if method.static else []),
        decorator,
        f"def {method.name}({', '.join(params)}) -> {returns}:",
        *indented([*docstring(method.doc, docs, "Parameters"), "..."]),
    ]


def _parameter_name(param: FoundParameter, at: int) -> str:
    """Return the name of a parameter, which no reflection tells: `from_` for `from`."""
    name = param.name or f"arg{at}"
    return f"{name}_" if iskeyword(name) or name == "self" else name


def docstring(doc: str, items: Sequence[tuple[str, str]], section: str = "Attributes") -> list[str]:
    """Return the lines of a docstring, and none if there is nothing to say."""
    lines = wrapped(doc, _WIDTH)
    documented = [(name, text.strip()) for name, text in items if text.strip()]
    if documented:
        lines += ["", section, "-" * len(section)]
        for name, described in documented:
            lines += [name, *(f"    {line}".rstrip() for line in wrapped(described, _WIDTH - 4))]
    if not lines:
        return []
    text = [line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').rstrip() for line in lines]
    if len(text) == 1 and not text[0].endswith('"'):
        return [f'"""{text[0]}"""']
    return ['"""', *(text if text[0] else text[1:]), '"""']


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text, with those that are too long broken between words."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        margin = line[: len(line) - len(line.lstrip())]
        parts = textwrap.wrap(
            line,
            width,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += parts if len(line) > width else [line.rstrip()]
    return lines


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a body."""
    return (f"    {line}" if line else "" for line in lines)
