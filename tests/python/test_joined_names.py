"""Names of C++ that are visible in one file alone are unique, so that any files compile as one.

`cmake/TschemaJoin.cmake` compiles sources of a folder as one: a file then sees the anonymous
namespaces, the static functions, the aliases and the macros of the files before it. Two of one name
are an error of the compiler at best; an overload may be chosen instead.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

ROOT = Path(__file__).resolve().parents[2]
PARSER = Parser(Language(tree_sitter_cpp.language()))
LIBRARIES = (("cpp/src/tschema",), ("generated/cpp/src", "cpp/src/uir"))
HEADERS = ("cpp/include", "generated/cpp/include", "cpp/src")
CLASSES = ("class_specifier", "struct_specifier", "union_specifier", "enum_specifier")
ALIASES = ("alias_declaration", "using_declaration", "namespace_alias_definition")
SCOPES = (
    "declaration_list",
    "linkage_specification",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
)
DECLARATORS = (
    "identifier",
    "qualified_identifier",
    "operator_name",
    "function_declarator",
    "array_declarator",
    "pointer_declarator",
    "reference_declarator",
    "init_declarator",
)


class Name(NamedTuple):
    """A name at the level of a namespace, with the text of an alias."""

    namespace: str
    name: str
    place: str
    alias: str


def text_of(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode()


def declared(declarator: Node | None) -> str:
    """Return the name that a declarator has in its middle."""
    while declarator is not None and declarator.type not in DECLARATORS[:3]:
        inner = declarator.child_by_field_name("declarator")
        found = (child for child in declarator.named_children if child.type in DECLARATORS)
        declarator = inner or next(found, None)
    return text_of(declarator)


def names_of(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the names that a declaration makes, with the text of aliases."""
    if node.type == "template_declaration":
        for child in node.named_children:
            yield from names_of(child)
    elif node.type in CLASSES:
        yield text_of(node.child_by_field_name("name")), ""
    elif node.type == "using_declaration":
        yield text_of(node).rstrip(";").split("::")[-1], " ".join(text_of(node).split())
    elif node.type in ALIASES:
        yield text_of(node.child_by_field_name("name")), " ".join(text_of(node).split())
    elif node.type in ("function_definition", "declaration"):
        kind = node.child_by_field_name("type")
        if kind is not None and kind.child_by_field_name("body") is not None:
            yield from names_of(kind)
        for declarator in node.children_by_field_name("declarator"):
            yield declared(declarator), ""


def is_local(node: Node) -> bool:
    """Whether a declaration is of its file alone: static ones, constants, aliases."""
    words = {
        text_of(child) for child in node.children if child.type.endswith(("specifier", "qualifier"))
    }
    function = node.type == "function_definition" or "(" in text_of(node).partition("=")[0]
    return (
        "static" in words
        or node.type in ALIASES
        or bool(words & {"const", "constexpr"} and not function)
    )


def scan(node: Node, namespace: str, local: bool, every: bool, place: str) -> Iterator[Name]:
    """Yield the names below a node: those of a source that are local, `every` one of a header."""
    for child in node.named_children:
        if child.type == "namespace_definition":
            name, body = (child.child_by_field_name(field) for field in ("name", "body"))
            assert body is not None
            inner = f"{namespace}::{text_of(name)}" if name is not None else namespace
            yield from scan(body, inner, local or name is None, every, place)
        elif child.type in SCOPES:
            yield from scan(child, namespace, local, every, place)
        elif child.type.startswith("preproc_") and child.child_by_field_name("name") is not None:
            name = text_of(child.child_by_field_name("name"))
            yield Name("::", name, f"{place}:{child.start_point[0] + 1}", "")
        elif local or every or is_local(child):
            for name, alias in names_of(child):
                if name and "::" not in name and not name.startswith("operator"):
                    yield Name(namespace, name, f"{place}:{child.start_point[0] + 1}", alias)


def names_in(folders: tuple[str, ...], pattern: str) -> dict[tuple[str, str], list[Name]]:
    found: dict[tuple[str, str], list[Name]] = defaultdict(list)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            tree = PARSER.parse(path.read_bytes())
            place = str(path.relative_to(ROOT))
            for one in scan(tree.root_node, "", False, pattern == "*.h", place):
                found[one.namespace, one.name].append(one)
    return found


# An `extern` declaration that a constant of another file needs, and what a macro numbers.
SHARED = re.compile(r"k\w+(Unit|Cases)|TVM_FFI_STATIC_INIT_BLOCK")


def clashes(names: list[Name]) -> bool:
    files = {one.place.partition(":")[0] for one in names}
    aliases = {one.alias for one in names}
    return len(files) > 1 and (len(aliases) > 1 or "" in aliases)


@pytest.mark.parametrize("folders", LIBRARIES)
def test_no_two_files_have_a_name_of_their_own_in_common(folders: tuple[str, ...]) -> None:
    headers = names_in(HEADERS, "*.h")
    local = names_in(folders, "*.cc")
    assert len(local) > 100
    found = [
        f"{namespace[2:]}::{name}: " + ", ".join(one.place for one in names)
        for (namespace, name), own in local.items()
        if not SHARED.fullmatch(name)
        and clashes(names := [*own, *headers.get((namespace, name), [])])
    ]
    assert not found, "rename all but one, since these files are compiled as one:\n" + "\n".join(
        found
    )
