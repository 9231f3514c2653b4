"""Names: those that a language reserves, and those that collide once mangled.

In: a `ResolvedPackage`.  Out: diagnostics. Names are checked as declared and as each language
spells them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tschema.diagnostics.errors import Reporter
from tschema.ir.casing import constant_case, snake_case
from tschema.ir.declarations import ClassDecl, FieldDecl, FunctionDecl
from tschema.ir.keywords import KEYWORDS, MEMBERS, SCOPE_NAMES, escaped
from tschema.ir.model import Import, Schema
from tschema.ir.spelling import member_name
from tschema.passes.declared_names import (
    RENAMED,
    Name,
    declared_names,
    is_emitted,
    member_names,
    spelled_member,
    stated_cpp_name,
)
from tschema.passes.reserved import EMITTED_FILES, LONGEST_NAME, MARKER_WORDS
from tschema.passes.resolved import Node, ResolvedFile, ResolvedPackage

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BLOCK_NOUNS = frozenset({"class", "reference class", RENAMED, "enum"})


def check_names(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report names that a target language cannot have."""
    checker = _NameChecker(reporter)
    checker.check_files(resolved.files)
    for file in resolved.files:
        for node in file.nodes:
            checker.check_node(node)
        for decl, _ in file.enums:
            checker.check_enum(decl)
        for function in file.decl.functions:
            checker.check_function(function)
    checker.check_namespaces(resolved)


def check_imported_guards(
    files: Iterable[ResolvedFile], imports: Mapping[str, Schema], reporter: Reporter
) -> None:
    """Report headers that a header of an imported package would keep from being included."""
    theirs = {
        _guard(f"{space.name}.{space.file}"): (package, space.source)
        for package, schema in imports.items()
        for space in schema.namespaces
    }
    for file in files:
        decl = file.decl
        found = theirs.get(_guard(f"{decl.namespace}.{decl.stem}"))
        if found is not None:
            package, source = found
            reporter.error(
                "TS008",
                f"`{decl.source.path}` and `{source}` of the imported package `{package}` have the "
                "same include guard in C++",
                decl.place,
                help="rename the file, or its folder",
            )


def check_guards_of_imports(
    used: Iterable[Import], files: Sequence[ResolvedFile], reporter: Reporter
) -> None:
    """Report two imported packages whose headers keep each other from being included."""
    guards: dict[str, tuple[str, str]] = {}
    for imported in used:
        for space in imported.namespaces:
            found = (imported.package, space.source)
            package, source = guards.setdefault(_guard(f"{space.name}.{space.file}"), found)
            if package != imported.package:
                reporter.error(
                    "TS008",
                    f"`{source}` of the imported package `{package}` and `{space.source}` of the "
                    f"imported package `{imported.package}` have the same include guard in C++",
                    files[0].decl.place,
                    help="rename the file, or its folder, in one of the packages",
                )


def _guard(path: str) -> str:
    """Return what tells include guards of headers apart."""
    return path.replace(".", "_").lower()


class _NameChecker:
    """Checks the names of one package."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._sound: set[tuple[str, str]] = set()
        """Nouns and names that are well formed."""
        self._members: dict[int, tuple[Name, ...]] = {}
        """The members of each class, by identity: a class is an ancestor of many others."""

    def check_files(self, files: Iterable[ResolvedFile]) -> None:
        """Check the names of files and folders."""
        seen: dict[str, ResolvedFile] = {}
        guards: dict[str, ResolvedFile] = {}
        spaces: dict[str, ResolvedFile] = {}
        for file in sorted(files, key=lambda file: file.decl.source.path):
            decl = file.decl
            self._check_path(Name("file", decl.stem, decl.place))
            if decl.stem in EMITTED_FILES and "." not in decl.namespace:
                named = Name("file", decl.stem, decl.place)
                self._refuse(named, ["C++"], "which emitted {} code uses itself")
            if decl.namespace not in spaces:
                package, *folders = decl.namespace.split(".")
                self._check_path(Name("package", package, decl.place))
                for folder in folders:
                    self._check_path(Name("folder", folder, decl.place))
            path = f"{decl.namespace}.{decl.stem}"
            self._same_path(path, file, seen)
            guarded = guards.setdefault(_guard(path), file)
            if guarded is not file and seen[path.lower()] is file:
                self._report_paths(file, guarded, "have the same include guard in C++")
            clash = spaces.setdefault(decl.namespace.lower(), file)
            if clash.decl.namespace != decl.namespace:
                self._report_paths(file, clash, "stand in folders that differ by case only")
        for file in seen.values():
            inside = spaces.get(f"{file.decl.namespace}.{file.decl.stem}".lower())
            if inside is not None:
                self._report_paths(file, inside, "are a file, and one in a folder of its name")

    def _same_path(self, path: str, file: ResolvedFile, seen: dict[str, ResolvedFile]) -> None:
        other = seen.setdefault(path.lower(), file)
        if other is not file:
            same = f"{other.decl.namespace}.{other.decl.stem}" == path
            what = "are emitted to the same files" if same else "differ by case only"
            self._report_paths(file, other, what)

    def _report_paths(self, file: ResolvedFile, other: ResolvedFile, what: str) -> None:
        self._reporter.error(
            "TS008",
            f"`{file.decl.source.path}` and `{other.decl.source.path}` {what}",
            file.decl.place,
            help="rename one of them",
        )

    def check_node(self, node: Node) -> None:
        """Check the names of a class, its fields and methods."""
        decl = node.decl
        if decl is None:
            return
        self._check_form(Name("class", node.name, decl.place))
        self._check_form(Name("reference class", node.ref, decl.place))
        if node.name == node.ref:
            self._reporter.error(
                "TS022",
                f"class `{node.name}` has the name of its reference class",
                decl.place,
                help="give it another `ref_name`"
                if node.options.ref_name
                else f"call the class `{node.ref}Node`",
            )
        for field in decl.fields:
            named = Name("field", field.name, field.place, is_emitted=is_emitted(node))
            register = field.options.get("register")
            if register is None or register.value is not False:
                self._check_python_member(named)
            else:
                # Python does not have it.
                self._check_form(named)
            self._check_cpp_member(field, named)
        for method in decl.methods:
            self._check_python_member(Name("method", method.name, method.place))
            self._check_params(method)
        self._check_members(node)

    def _check_params(self, function: FunctionDecl) -> None:
        spelled: dict[tuple[str, str], Name] = {}
        for param in function.params:
            named = Name("parameter", param.name, param.place)
            self._check_form(named)
            for language in ("C++", "Rust"):
                name = escaped(param.name, language)
                other = spelled.setdefault((language, name), named)
                if other.name != param.name:
                    self._collide(named, other, language, name, f" of `{function.name}`")
                    break

    def check_enum(self, decl: ClassDecl) -> None:
        """Check the names of an enum and of its members."""
        self._check_form(Name("enum", decl.name, decl.place))
        spelled: dict[tuple[str, str], Name] = {}
        for assignment in decl.assignments:
            named = Name("member", assignment.name, assignment.place)
            self._check_form(named)
            for language, name in _constants(assignment.name):
                other = spelled.setdefault((language, name), named)
                if other.name != assignment.name:
                    self._collide(named, other, language, name, f" of enum `{decl.name}`")
                    break

    def check_function(self, function: FunctionDecl) -> None:
        """Check the name of a free function and of its parameters."""
        named = Name("function", function.name, function.place)
        if not self._check_form(named) and function.name in SCOPE_NAMES["Python"]:
            self._refuse(named, ["Python"], "which emitted {} code uses itself")
        self._check_params(function)

    def _check_form(self, named: Name) -> bool:
        """Report a name that no language can have; return whether it is one."""
        if (named.noun, named.name) in self._sound:
            return False
        malformed = _malformed(named)
        if malformed:
            self._reporter.error("TS021", f"{named} {malformed}", named.place, help="rename it")
            return True
        if named.is_emitted:
            self._sound.add((named.noun, named.name))
        return False

    def _check_path(self, named: Name) -> None:
        """Report the name of a file or a folder that a language reserves: these are not escaped."""
        if self._check_form(named):
            return
        if languages := [one for one in KEYWORDS if named.name in KEYWORDS[one]]:
            self._refuse(named, languages, f"which {{}} reserve{'s' * (len(languages) == 1)}")
        elif languages := [one for one in KEYWORDS if named.name in SCOPE_NAMES[one]]:
            self._refuse(named, languages, "which emitted {} code uses itself")

    def _check_python_member(self, named: Name) -> None:
        """Report a member that Python, which binds members by their names, has already."""
        if not self._check_form(named) and named.name in MEMBERS["Python"]:
            self._refuse(named, ["Python"], "which emitted {} code uses itself")

    def _check_cpp_member(self, field: FieldDecl, named: Name) -> None:
        """Report a stated name of a member that C++ reserves: it is not escaped."""
        name = stated_cpp_name(field)
        if name is not None and (name in KEYWORDS["C++"] or ("__" in name and named.is_emitted)):
            place = field.options["cpp_name"].place
            self._refuse(Name("member", name, place), ["C++"], "which {} reserves")

    def _refuse(self, named: Name, languages: Sequence[str], why: str) -> None:
        message = f"{named} has a name {why.format(' and '.join(languages))}"
        self._reporter.error("TS021", message, named.place, help="rename it")

    def _check_members(self, node: Node) -> None:
        """Report members of a class, inherited ones included, that collide with each other."""
        lineage = node.lineage()
        for one in lineage:
            if id(one) not in self._members:
                self._members[id(one)] = tuple(member_names(one))
        members = [named for one in lineage for named in self._members[id(one)]]
        names = [named.cpp_name or named.name for named in members]
        if len({name.replace("_", "").lower() for name in names}) == len(names):
            return  # Languages spell a name with other underscores and cases, nothing else.
        spelled: dict[tuple[str, str, str], tuple[Name, Node]] = {}
        for one in lineage:
            for named in self._members[id(one)]:
                for language in ("Python", "C++", "Rust"):
                    name = spelled_member(named, language)
                    # Rust keeps fields and methods apart.
                    apart = named.noun if language == "Rust" else ""
                    other = spelled.setdefault((language, apart, name), (named, one))
                    # Two fields of one name agree, or it is reported already.
                    same = (named.noun, named.name) == (other[0].noun, other[0].name)
                    is_restated = same and named.noun == "field"
                    if other[0] is not named and one is node and not is_restated:
                        self._report_member(named, node, *other, language=language, name=name)
                        break

    def _report_member(
        self, named: Name, node: Node, other: Name, owner: Node, *, language: str, name: str
    ) -> None:
        if named.name == other.name:
            where = f"`{node.name}`" if owner is node else f"`{owner.name}`, which it inherits"
            self._reporter.error(
                "TS020",
                f"{named} of `{node.name}` has the name of a {other.noun} of {where}",
                named.place,
                notes=[(f"{other} is declared here", other.place)],
                help="rename one of them",
            )
        else:
            self._collide(named, other, language, name, f" of `{node.name}`")

    def _collide(self, named: Name, other: Name, language: str, spelled: str, owner: str) -> None:
        self._reporter.error(
            "TS022",
            f"{named}{owner} and {other} are both `{spelled}` in {language}",
            named.place,
            notes=[(f"{other} is declared here", other.place)],
            help="rename one of them",
        )

    def check_namespaces(self, resolved: ResolvedPackage) -> None:
        """Check that the names of each namespace differ from each other."""
        spaces: dict[str, list[ResolvedFile]] = defaultdict(list)
        for file in resolved.files:
            spaces[file.decl.namespace].append(file)
        self._check_keys(resolved)
        for namespace, files in spaces.items():
            names = [named for file in files for named in declared_names(file)]
            self._check_namespace(names)
            self._check_modules(namespace, names, spaces, files)
            self._check_hidden(files)

    def _check_keys(self, resolved: ResolvedPackage) -> None:
        first: dict[str, Node] = {}
        for node in resolved.nodes():
            other = first.setdefault(node.key, node)
            if other is not node:
                self._reporter.error(
                    "TS019",
                    f"type key `{node.key}` of `{node.name}` is taken",
                    node.option_place("type_key"),
                    notes=[(f"`{other.name}` has it here", other.option_place("type_key"))],
                    help="give each class a key of its own",
                )

    def _check_namespace(self, names: Sequence[Name]) -> None:
        exact: dict[str, Name] = {}
        rust: dict[str, Name] = {}
        for named in names:
            other = exact.setdefault(named.name, named)
            if other is not named and named.noun == other.noun == "reference class":
                continue
            if other is not named and other.place is not named.place:
                self._reporter.error(
                    "TS020",
                    f"the name `{named.name}` is taken in this namespace",
                    named.place,
                    notes=[(f"{other} is declared here", other.place)],
                    help="rename one of them",
                )
            elif named.noun == "function":
                spelled = snake_case(named.name)
                clash = rust.setdefault(spelled, named)
                if clash is not named:
                    self._collide(named, clash, "Rust", spelled, "")
        for named in names:
            for language in KEYWORDS:
                spelled = escaped(named.name, language, SCOPE_NAMES)
                if spelled != named.name and spelled in exact:
                    self._collide(exact[spelled], named, language, spelled, "")
                    break

    def _check_modules(
        self,
        namespace: str,
        names: Iterable[Name],
        spaces: Iterable[str],
        files: Iterable[ResolvedFile],
    ) -> None:
        """Report names that hide a nested namespace or a module."""
        prefix = namespace + "."
        nested = {one[len(prefix) :].partition(".")[0] for one in spaces if one.startswith(prefix)}
        stems = {file.decl.stem for file in files}
        for named in names:
            what = "a nested namespace" if named.name in nested else "a schema file"
            if named.name in nested or (named.noun != "function" and named.name in stems):
                message = f"{named} has the name of {what} beside it"
                self._reporter.error("TS022", message, named.place, help="rename it")

    def _check_hidden(self, files: Iterable[ResolvedFile]) -> None:
        """Report members that hide a class of their namespace, where C++ looks up names."""
        types = {
            named.name: named
            for file in files
            for named in declared_names(file)
            if named.noun in ("reference class", RENAMED, "enum")
        }
        for file in files:
            for node in file.nodes:
                for named in member_names(node):
                    spelled = spelled_member(named, "C++")
                    if spelled in types:
                        self._collide(named, types[spelled], "C++", spelled, f" of `{node.name}`")


def _malformed(named: Name) -> str | None:
    """Return why nothing at all can have a name, or None."""
    name = named.name
    if len(name) > LONGEST_NAME:
        return f"has {len(name)} characters, more than {LONGEST_NAME}"
    if name.startswith("_") and named.is_emitted:
        return "begins with an underscore, as emitted members do"
    if "__" in name and (named.is_emitted or name.startswith("__")):
        return "has two underscores in a row, which C++ reserves"
    if not _IDENTIFIER.fullmatch(name.lstrip("_") or name):
        return "is not made of ASCII letters, digits and underscores"
    if named.noun in _BLOCK_NOUNS and name in MARKER_WORDS:
        return "has a name which the markers of blocks use themselves"
    return None


def _constants(name: str) -> Iterator[tuple[str, str]]:
    """Yield how each language spells a member of an enum."""
    yield "C++", constant_case(name)
    yield from ((language, member_name(name, language)) for language in ("Python", "Rust"))
