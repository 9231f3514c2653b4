"""The symbol table of dotted names, and the order of files.

In: the parsed files and the schemas of imported packages.  Out: `Symbols`.  It reads only imports
and class heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from msgspec import Struct, field

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import Help, import_name, suggest
from tschema.diagnostics.source import Place
from tschema.ir.declarations import FOREIGN_ENUMS, ClassDecl, FileDecl, ImportDecl
from tschema.ir.model import Enum, Namespace, Schema, Type
from tschema.passes.vocabulary import ENUM_BASES, KNOWN_NAMES

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Symbol(Struct, eq=False):
    """A declared class: of this package, or of an imported one."""

    name: str
    """The class: `IntImmNode`, `ForKind`."""
    key: str
    """Type key, or the dotted name of an enum."""
    is_enum: bool
    file: FileDecl | None = None
    """Where it is declared; None if imported."""
    decl: ClassDecl | None = None
    order: int = 0
    """Place among the classes of its file."""
    imported: Type | Enum | None = None
    schema: Schema | None = None
    """The schema that an imported symbol comes from."""

    @property
    def place(self) -> Place | None:
        """Where it is declared; None if imported."""
        return self.decl.place if self.decl else None

    @property
    def reference(self) -> object:
        """The value of the class's option `ref`, which describes its reference class."""
        if isinstance(self.imported, Type):
            return self.imported.options.ref
        given = self.decl.assignments if self.decl is not None else ()
        return next((one.value.value for one in given if one.name == "ref"), "default")


class Symbols(Struct, eq=False, dict=True):
    """The symbol table of a package."""

    package: str
    files: tuple[FileDecl, ...] = ()
    """Each one after those that it imports; ties by path."""
    table: dict[str, Symbol] = field(default_factory=dict)
    """By absolute name: `schema.ir.expr.IntImmNode`."""
    modules: dict[str, FileDecl | None] = field(default_factory=dict)
    """Every module that may be imported; None for one of another package."""
    failed: set[str] = field(default_factory=set)
    """Absolute names that were already reported."""

    @cached_property
    def nullable(self) -> frozenset[str]:
        """The type keys of classes whose references may be null."""
        found = self.table.values()
        return frozenset(one.key for one in found if one.reference in ("nullable", "hand"))

    def find(self, file: FileDecl, dotted: str) -> Symbol | None:
        """Return the symbol of a name in a file; None if it is not a declared class."""
        return self.table.get(file.qualify(dotted))

    def is_reported(self, file: FileDecl, dotted: str) -> bool:
        """Return whether a name is unknown for a reason that was reported already."""
        absolute = file.qualify(dotted)
        if absolute in self.failed or dotted.partition(".")[0] in self.failed:
            return True
        home = self.modules.get(absolute.rpartition(".")[0])
        return home is not None and home.broken

    def elsewhere(self, name: str) -> Help | None:
        """Return the help that names an import of a class of this name, or None."""
        found = sorted(key for key in self.table if key.rpartition(".")[2] == name)
        return import_name(found[0].rpartition(".")[0], name) if found else None


def collect_symbols(
    package: str,
    files: Iterable[FileDecl],
    imports: Mapping[str, Schema],
    reporter: Reporter,
) -> Symbols:
    """Build the symbol table of a package and check its imports."""
    symbols = Symbols(package)
    for name in sorted(imports):
        _add_package(symbols, name, imports[name])
    ordered = sorted(files, key=lambda file: file.source.path)
    for file in ordered:
        symbols.modules.setdefault(file.module, file)
        _add_file(symbols, file)
    for file in ordered:
        _check_imports(symbols, file, reporter)
    symbols.files = _sort_files(ordered, symbols, reporter)
    return symbols


def _add_package(symbols: Symbols, package: str, schema: Schema) -> None:
    for namespace in schema.namespaces:
        module = ".".join((package, "schema", *schema.inside(namespace.name), namespace.file))
        symbols.modules[module] = None
        _add_namespace(symbols, module, namespace, schema)


def _add_namespace(symbols: Symbols, module: str, namespace: Namespace, schema: Schema) -> None:
    for type_ in namespace.types:
        symbols.table[f"{module}.{type_.name}"] = Symbol(
            type_.name, type_.key, is_enum=False, imported=type_, schema=schema
        )
    for enum in namespace.enums:
        symbols.table[f"{module}.{enum.name}"] = Symbol(
            enum.name, enum.key, is_enum=True, imported=enum, schema=schema
        )


def _add_file(symbols: Symbols, file: FileDecl) -> None:
    for order, class_decl in enumerate(file.classes):
        is_enum = any(file.qualify(base.name) in ENUM_BASES for base in class_decl.bases)
        enum_key = f"{file.namespace}.{class_decl.name}"
        key = enum_key if is_enum else meant_key(class_decl, file)
        symbol = Symbol(class_decl.name, key, is_enum, file, class_decl, order)
        symbols.table.setdefault(f"{file.module}.{class_decl.name}", symbol)


def meant_key(class_decl: ClassDecl, file: FileDecl) -> str:
    """Return the type key that a class should have by its location."""
    for assignment in class_decl.assignments:
        value = assignment.value.value
        if assignment.name == "type_key" and isinstance(value, str):
            last = value.rpartition(".")[2]
            if _IDENTIFIER.fullmatch(last):
                return value if is_extern(class_decl) else f"{file.namespace}.{last}"
    return f"{file.namespace}.{class_decl.name.removesuffix('Node') or class_decl.name}"


def is_extern(class_decl: ClassDecl) -> bool:
    """Return whether a class is one of another library, which has chosen its type key."""
    return any(assignment.name == "extern" for assignment in class_decl.assignments)


def _check_imports(symbols: Symbols, file: FileDecl, reporter: Reporter) -> None:
    for imported in file.imports:
        if imported.module == "__future__" or _is_known(symbols, imported):
            continue
        symbols.failed.add(file.qualify(imported.local))
        home = symbols.modules.get(imported.module)
        if home is not None and home.broken:
            continue
        reporter.error(
            "TS006",
            _import_message(symbols, imported),
            imported.place,
            help=_import_help(symbols, imported),
        )


def _is_known(symbols: Symbols, imported: ImportDecl) -> bool:
    module = imported.module.replace("tschema.dsl", "tschema")
    absolute = f"{module}.{imported.name}" if imported.name else module
    if absolute in symbols.table or absolute in symbols.modules or absolute in KNOWN_NAMES:
        return True
    if absolute in FOREIGN_ENUMS:  # A class below one of them is refused by name.
        return True
    if imported.name is None and module in ("tschema", "typing", "enum"):
        return True
    return any(known.startswith(absolute + ".") for known in symbols.modules)


def _import_message(symbols: Symbols, imported: ImportDecl) -> str:
    if imported.name is None:
        return f"cannot resolve import of `{imported.module}`"
    if imported.module in symbols.modules or imported.module in ("tschema", "tschema.ty"):
        return f"`{imported.module}` declares no `{imported.name}`"
    return f"cannot resolve import of `{imported.name}` from `{imported.module}`"


def _import_help(symbols: Symbols, imported: ImportDecl) -> str | None:
    name = imported.name or ""
    elsewhere = symbols.elsewhere(name)
    if elsewhere:
        return elsewhere
    package, _, rest = imported.module.partition(".")
    if rest.partition(".")[0] == "schema" and not any(
        module.startswith(f"{package}.") for module in symbols.modules
    ):
        return f"add `{package}` to `imports` in tschema.toml"
    prefix = imported.module + "."
    names = [known for known in (*symbols.table, *KNOWN_NAMES) if known.startswith(prefix)]
    return (
        suggest(name, [known.removeprefix(prefix) for known in names])
        or (None if names else suggest(imported.module, symbols.modules))
        or "a schema file imports `tschema`, schema files, and schemas of the packages in `imports`"
    )


def _sort_files(
    files: Iterable[FileDecl], symbols: Symbols, reporter: Reporter
) -> tuple[FileDecl, ...]:
    """Sort files so that each one comes after those it imports; report cycles."""
    done: dict[str, None] = {}
    by_module = {file.module: file for file in files}

    def visit(file: FileDecl, trail: tuple[str, ...]) -> None:
        if file.module in done:
            return
        for imported in _file_imports(file, by_module):
            target = imported[0]
            if target == file.module or target in trail:
                _report_cycle((*trail, file.module), target, imported[1], reporter)
            else:
                visit(by_module[target], (*trail, file.module))
        done[file.module] = None

    for file in by_module.values():
        visit(file, ())
    return tuple(by_module[module] for module in done)


def _file_imports(
    file: FileDecl, by_module: Mapping[str, FileDecl]
) -> list[tuple[str, ImportDecl]]:
    """Return the schema files that a file imports, each with its first import, by module."""
    first: dict[str, ImportDecl] = {}
    for imported in file.imports:
        submodule = f"{imported.module}.{imported.name}"
        target = submodule if submodule in by_module else imported.module
        if target in by_module:
            first.setdefault(target, imported)
    return sorted(first.items(), key=lambda item: item[0])


def _report_cycle(
    trail: tuple[str, ...], target: str, imported: ImportDecl, reporter: Reporter
) -> None:
    cycle = [*trail[trail.index(target) :], target]
    reporter.error(
        "TS007",
        f"import cycle: {' -> '.join(f'`{module}`' for module in cycle)}",
        imported.place,
        help="move the shared declarations to a file that both import",
    )
