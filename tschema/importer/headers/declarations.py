"""The declarations at namespace level and in classes, found in the files' syntax trees.

In: a `SourceText`.  Out: a `FileDeclarations`; bodies of classes are read later, of those that
matter.  Names are as written, nothing is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_cpp
from msgspec import Struct, field
from tree_sitter import Language, Node, Parser

from tschema.importer.headers.masking import SourceText
from tschema.importer.headers.symbols import Alias, Scope


class BaseClass(Struct, frozen=True):
    """A base in a list of bases."""

    name: str
    is_virtual: bool


class RawClass(Struct):
    """A class definition."""

    name: str
    scope: Scope
    """Without the class itself."""
    node: Node
    source: SourceText
    bases: tuple[BaseClass, ...]
    is_template: bool = False
    outer: str | None = None
    """The class or function around it."""
    is_unnamed: bool = False
    """Whether the class is in an unnamed namespace."""
    is_public_member: bool = False
    """Whether it is a public member of another class."""

    @property
    def full_name(self) -> str:
        """`acme::ir::ExprNode`."""
        return "::".join((*self.scope, self.name))


class RawEnumMember(Struct, frozen=True):
    """A value of an enum; None where it is not a literal."""

    name: str
    value: int | None
    start: int
    end: int


class RawEnum(Struct):
    """An enum definition."""

    name: str
    scope: Scope
    source: SourceText
    start: int
    underlying: str | None
    is_scoped: bool
    members: tuple[RawEnumMember, ...]


class RawFunction(Struct):
    """A function at namespace level; its parameters are read when it is registered."""

    name: str
    scope: Scope
    node: Node
    source: SourceText


class RegisteringFunction(Struct):
    """A function whose body registers something."""

    scope: Scope
    node: Node


class FileDeclarations(Struct):
    """The declarations of one file."""

    source: SourceText
    root: Node
    registering: list[RegisteringFunction] = field(default_factory=list)
    """In the order of the text."""
    classes: list[RawClass] = field(default_factory=list)
    enums: list[RawEnum] = field(default_factory=list)
    functions: list[RawFunction] = field(default_factory=list)
    aliases: list[tuple[Scope, str, Alias]] = field(default_factory=list)
    usings: list[tuple[Scope, str, str]] = field(default_factory=list)
    """Scope, name and the name that it refers to."""
    directives: list[tuple[Scope, str]] = field(default_factory=list)


class _Context(Struct, frozen=True):
    """The place of a node."""

    scope: Scope = ()
    outer: str | None = None
    is_template: bool = False
    is_unnamed: bool = False


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cpp.language()))


def read_declarations(source: SourceText) -> FileDeclarations:
    """Return the declarations of a file."""
    root = _parser().parse(source.masked).root_node
    found = FileDeclarations(source, root)
    stack = [(root, _Context())]
    while stack:
        node, context = stack.pop()
        # Children last in, first out: reversed, they come in the order of the text.
        stack += reversed([*_visit(found, node, context)])
    return found


_CONTAINERS = {
    "translation_unit", "declaration_list", "linkage_specification", "ERROR",
    "field_declaration_list", "field_declaration", "declaration", "friend_declaration",
}  # fmt: skip
_CLASSES = {"class_specifier", "struct_specifier"}


def _visit(
    found: FileDeclarations, node: Node, context: _Context
) -> Iterator[tuple[Node, _Context]]:
    """Note the declaration of a node, and yield the nodes in it that may declare more."""
    kind = node.type
    if kind in _CONTAINERS:
        _note_function(found, node, context)
        yield from ((child, context) for child in node.named_children)
    elif kind == "template_declaration":
        template = _Context(context.scope, context.outer, True, context.is_unnamed)
        yield from ((child, template) for child in node.named_children)
    elif kind == "namespace_definition":
        yield from _enter_namespace(found, node, context)
    elif kind in _CLASSES:
        yield from _enter_class(found, node, context)
    elif kind == "enum_specifier":
        _note_enum(found, node, context)
    elif kind == "function_definition":
        _note_function(found, node, context)
        yield from _local_classes(found, node, context)
    else:
        _note_name(found, node, context)


def _text(found: FileDeclarations, node: Node) -> str:
    return found.source.slice(node.start_byte, node.end_byte)


def _enter_namespace(
    found: FileDeclarations, node: Node, context: _Context
) -> Iterator[tuple[Node, _Context]]:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    parts = tuple(_text(found, name).replace(" ", "").split("::")) if name else ()
    inner = _Context((*context.scope, *parts), None, False, context.is_unnamed or name is None)
    if body is not None:
        yield (body, inner)


def _enter_class(
    found: FileDeclarations, node: Node, context: _Context
) -> Iterator[tuple[Node, _Context]]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return
    raw = RawClass(
        _text(found, name),
        context.scope,
        node,
        found.source,
        tuple(_bases(found, node)),
        context.is_template or name.type == "template_type",
        context.outer,
        context.is_unnamed,
        _is_public_member(found, node),
    )
    found.classes.append(raw)
    inner = _Context((*raw.scope, raw.name), raw.name, False, context.is_unnamed)
    yield (body, inner)


def _is_public_member(found: FileDeclarations, node: Node) -> bool:
    """Return whether a class is a public member of another one."""
    member: Node | None = node
    while member is not None and (body := member.parent) is not None:
        if body.type == "field_declaration_list" and body.parent is not None:
            access = "public" if body.parent.type == "struct_specifier" else "private"
            for one in body.children:
                if one.start_byte >= member.start_byte:
                    break
                access = _text(found, one) if one.type == "access_specifier" else access
            return access.removesuffix(":").strip() == "public"
        if body.type not in ("field_declaration", "declaration"):
            return False
        member = body
    return False


def _bases(found: FileDeclarations, node: Node) -> Iterator[BaseClass]:
    clause = next((child for child in node.children if child.type == "base_class_clause"), None)
    is_virtual = False
    for child in clause.children if clause else ():
        if child.type == "virtual":
            is_virtual = True
        elif child.type == ",":
            is_virtual = False
        elif child.is_named and child.type not in ("access_specifier", "attribute_declaration"):
            yield BaseClass(_text(found, child), is_virtual)


def _note_enum(found: FileDeclarations, node: Node, context: _Context) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return
    base = node.child_by_field_name("base")
    members = []
    value: int | None = -1
    for child in body.named_children:
        if child.type != "enumerator":
            continue
        label, written = child.child_by_field_name("name"), child.child_by_field_name("value")
        value = _integer(_text(found, written)) if written else None if value is None else value + 1
        if label is not None:
            member = RawEnumMember(_text(found, label), value, child.start_byte, child.end_byte)
            members.append(member)
    is_scoped = any(child.type in ("class", "struct") for child in node.children)
    found.enums.append(
        RawEnum(
            _text(found, name),
            context.scope,
            found.source,
            node.start_byte,
            _text(found, base) if base else None,
            is_scoped,
            tuple(members),
        )
    )


def _integer(text: str) -> int | None:
    """Return the value of an integer literal, or of a shift of two."""
    try:
        left, shift, right = text.strip("() ").partition("<<")
        value = int(left.strip().rstrip("uUlL").replace("'", ""), 0)
        return value << int(right.strip().rstrip("uUlL"), 0) if shift else value
    except (ValueError, OverflowError, MemoryError):
        return None


def _note_function(found: FileDeclarations, node: Node, context: _Context) -> None:
    if node.type not in ("function_definition", "declaration"):
        return
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in _WRAPPERS:
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or next(iter(declarator.named_children), None)
    if declarator is None or declarator.type != "function_declarator":
        return
    name = declarator.child_by_field_name("declarator")
    if name is not None and name.type in ("identifier", "qualified_identifier"):
        scope = context.scope
        found.functions.append(RawFunction(_text(found, name), scope, node, found.source))


_WRAPPERS = {"pointer_declarator", "reference_declarator"}


def _local_classes(
    found: FileDeclarations, node: Node, context: _Context
) -> Iterator[tuple[Node, _Context]]:
    """Yield the classes that a function's body defines right at its top."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    text = found.source.code[body.start_byte : body.end_byte]
    if b"ObjectDef" in text:
        found.registering.append(RegisteringFunction(context.scope, node))
    if b"OBJECT_INFO" not in text:
        return
    inner = _Context(context.scope, "a function", context.is_template, context.is_unnamed)
    yield from ((child, inner) for child in body.named_children if child.type in _CLASSES)


def _note_name(found: FileDeclarations, node: Node, context: _Context) -> None:
    if node.type == "alias_declaration":
        name, target = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None and target is not None and not context.is_template:
            alias = Alias(_text(found, target), context.scope)
            found.aliases.append((context.scope, _text(found, name), alias))
    elif node.type == "type_definition":
        _note_typedef(found, node, context)
    elif node.type == "using_declaration" and node.named_child_count:
        target_text = _text(found, node.named_children[-1]).replace(" ", "")
        if any(child.type == "namespace" for child in node.children):
            found.directives.append((context.scope, target_text))
        else:
            found.usings.append((context.scope, target_text.rpartition("::")[2], target_text))
    elif node.type == "namespace_alias_definition" and node.named_child_count == 2:
        alias_name, aliased = (_text(found, child) for child in node.named_children)
        found.usings.append((context.scope, alias_name, aliased.replace(" ", "")))


def _note_typedef(found: FileDeclarations, node: Node, context: _Context) -> None:
    name, target = node.child_by_field_name("declarator"), node.child_by_field_name("type")
    stars = ""
    while name is not None and name.type == "pointer_declarator":
        name, stars = name.child_by_field_name("declarator"), f"{stars}*"
    if name is not None and name.type == "function_declarator":
        # `typedef int (*Callback)(void*)`.
        pointer = name.child_by_field_name("declarator")
        names = [one for one in _descendants(pointer) if one.type == "type_identifier"]
        if names:
            text = f"{_text(found, node).removeprefix('typedef ')}"
            alias = Alias(text.replace(_text(found, names[0]), "", 1).rstrip(";"), context.scope)
            found.aliases.append((context.scope, _text(found, names[0]), alias))
    elif name is not None and target is not None and name.type == "type_identifier":
        alias = Alias(f"{_text(found, target)}{stars}", context.scope)
        found.aliases.append((context.scope, _text(found, name), alias))


def _descendants(node: Node | None) -> Iterator[Node]:
    while node is not None:
        yield node
        node = node.named_children[0] if node.named_child_count else None


def path_to(root: Node, offset: int) -> list[Node]:
    """Return the nodes around an offset from the root in, by one descent."""
    path = [root]
    cursor = root.walk()
    # `Node.first_child_for_byte` of tree-sitter 0.26 crashes; the cursor's does not.
    while len(path) < DEEPEST and cursor.goto_first_child_for_byte(offset) is not None:
        node = cursor.node
        if node is None or node.start_byte > offset or node.end_byte <= offset:
            break
        path.append(node)
    return path


DEEPEST = 1000
"""Nodes; code that people write is far from that, and broken code costs no more."""
