"""The body of a class: its data members, functions, constants and aliases.

In: a `RawClass`.  Out: a `ClassBody`; types, initializers and parameters are text as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field
from tree_sitter import Node

from tschema.importer.headers.declarations import RawClass
from tschema.importer.headers.masking import SourceText

Access = Literal["public", "protected", "private"]


class Member(Struct):
    """A data member."""

    name: str
    type: str
    init: str | None
    access: Access
    is_mutable: bool
    start: int
    end: int
    suffix: str = ""
    """What follows the name and belongs to the type: `[4]`, `: 3`."""
    alignas: str | None = None
    """The alignment that the declaration asks for, as written."""


class RawParameter(Struct, frozen=True):
    """A parameter of a function."""

    name: str | None
    type: str
    default: str | None


class MemberFunction(Struct):
    """A function of a class, or one that is registered as a method."""

    name: str
    params: tuple[RawParameter, ...]
    returns: str | None
    """None for a constructor, a destructor, and where the text does not say."""
    start: int
    end: int
    access: Access = "public"
    is_static: bool = False
    is_virtual: bool = False
    is_pure: bool = False
    is_deleted: bool = False


class ClassBody(Struct):
    """The declarations of a class body."""

    members: list[Member] = field(default_factory=list)
    functions: list[MemberFunction] = field(default_factory=list)
    templates: list[MemberFunction] = field(default_factory=list)
    """Templates of functions, constructors among them."""
    constants: dict[str, str] = field(default_factory=dict)
    """Static members with an initializer."""
    aliases: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """Parts that no declaration could be read from."""


_TYPES = {
    "primitive_type", "sized_type_specifier", "type_identifier", "qualified_identifier",
    "template_type", "placeholder_type_specifier", "decltype", "enum_specifier",
    "class_specifier", "struct_specifier", "union_specifier", "dependent_type",
}  # fmt: skip
_NAMES = {
    "identifier", "field_identifier", "destructor_name", "operator_name", "qualified_identifier",
    "type_identifier",
}  # fmt: skip


def read_body(raw: RawClass) -> ClassBody:
    """Return the declarations in the body of a class."""
    body = ClassBody()
    node = raw.node.child_by_field_name("body")
    is_class = any(child.type == "class" for child in raw.node.children)
    access: Access = "private" if is_class else "public"
    for child in node.named_children if node else ():
        if child.type == "access_specifier":
            access = _access(raw.source.slice(child.start_byte, child.end_byte), access)
        else:
            _read_declaration(body, raw.source, child, access)
    return body


def _access(text: str, before: Access) -> Access:
    words: dict[str, Access] = {
        "public": "public", "protected": "protected", "private": "private",
    }  # fmt: skip
    return words.get(text.strip(" :"), before)


def _read_declaration(body: ClassBody, source: SourceText, node: Node, access: Access) -> None:
    if node.type in ("field_declaration", "declaration", "function_definition"):
        _read_field_or_function(body, source, node, access)
    elif node.type == "alias_declaration":
        name, target = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None and target is not None:
            body.aliases[_text(source, name)] = _text(source, target)
    elif node.type == "template_declaration":
        for child in node.named_children:
            declarator = _function_declarator(child)
            if declarator is not None:
                body.templates.append(read_function(source, child, declarator, access))
    elif node.type == "ERROR":
        body.unread.append(_text(source, node)[:60])


def _text(source: SourceText, node: Node) -> str:
    return source.slice(node.start_byte, node.end_byte)


def _read_field_or_function(
    body: ClassBody, source: SourceText, node: Node, access: Access
) -> None:
    function = _function_declarator(node)
    if function is not None:
        body.functions.append(read_function(source, node, function, access))
        return
    words = {_text(source, child) for child in node.children if child.type in _SPECIFIERS}
    type_text = _type_text(source, node)
    alignas = next((_ALIGNAS.match(word) for word in words if _ALIGNAS.match(word)), None)
    for declarator, init, bits in _declarators(source, node):
        name, prefix, suffix = _unwrap(source, declarator)
        if name is None:
            continue
        if suffix.startswith(")"):
            # A pointer to a function: `void (*deleter)(void*)`.
            prefix, suffix = f"{prefix}{suffix}", ""
        if "static" in words:
            if init is not None:
                body.constants[name] = init
            continue
        body.members.append(
            Member(
                name,
                f"{type_text}{prefix}",
                init,
                access,
                "mutable" in words,
                node.start_byte,
                node.end_byte,
                suffix + bits,
                alignas[1] if alignas else None,
            )
        )
    if node.type == "field_declaration" and node.child_by_field_name("declarator") is None:
        _note_unnamed_member(body, source, node)


_ALIGNAS = re.compile(r"alignas\s*\((.*)\)$")
_SPECIFIERS = {"storage_class_specifier", "type_qualifier", "virtual"}


def _note_unnamed_member(body: ClassBody, source: SourceText, node: Node) -> None:
    """Note `union { ... };`, whose members are those of the class."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type not in ("union_specifier", "struct_specifier", "class_specifier"):
        return
    if kind.child_by_field_name("body") and kind.child_by_field_name("name") is None:
        body.unread.append(_text(source, kind)[:60])


def _function_declarator(node: Node) -> Node | None:
    """Return the declarator of a function; None for data, pointers to functions included."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in (
        "pointer_declarator",
        "reference_declarator",
    ):
        declarator = declarator.child_by_field_name("declarator") or _last_named(declarator)
    if declarator is None or declarator.type not in ("function_declarator", "operator_cast"):
        return None
    inner = declarator.child_by_field_name("declarator")
    is_pointer = inner is not None and inner.type == "parenthesized_declarator"
    return None if is_pointer else declarator


def _last_named(node: Node) -> Node | None:
    return node.named_children[-1] if node.named_child_count else None


def read_function(
    source: SourceText, node: Node, declarator: Node, access: Access
) -> MemberFunction:
    """Return a function with its parameters."""
    name = declarator.child_by_field_name("declarator")
    words = {_text(source, child) for child in node.children if child.type in _SPECIFIERS}
    after = {child.type for child in declarator.children}
    value = node.child_by_field_name("default_value")
    is_override = any(
        _text(source, child) in ("override", "final")
        for child in declarator.children
        if child.type == "virtual_specifier"
    )
    return MemberFunction(
        _text(source, name) if name is not None and name.type in _NAMES else "",
        tuple(read_parameters(source, declarator)),
        _returned(source, node, declarator),
        node.start_byte,
        node.end_byte,
        access,
        "static" in words,
        "virtual" in words or is_override or "virtual_specifier" in after,
        (value is not None and _text(source, value) == "0")
        or any(child.type == "pure_virtual_clause" for child in node.children),
        any(child.type == "delete_method_clause" for child in node.children),
    )


def _returned(source: SourceText, node: Node, declarator: Node) -> str | None:
    """Return the type of a function's result, with the stars between it and the name."""
    for child in declarator.children:
        if child.type == "trailing_return_type":
            return _text(source, child).removeprefix("->").strip()
    kind = node.child_by_field_name("type")
    if kind is None:
        return None
    between = source.slice(kind.end_byte, declarator.start_byte)
    const = any(_text(source, child) == "const" for child in node.children)
    return f"{'const ' if const else ''}{_text(source, kind)}{between}"


def read_parameters(source: SourceText, declarator: Node) -> Iterator[RawParameter]:
    """Yield the parameters of a function or a lambda."""
    params = declarator.child_by_field_name("parameters")
    for child in params.named_children if params else ():
        if child.type in ("parameter_declaration", "optional_parameter_declaration"):
            type_text = _type_text(source, child)
            inner = child.child_by_field_name("declarator")
            name, prefix, suffix = _unwrap(source, inner) if inner else (None, "", "")
            default = child.child_by_field_name("default_value")
            written = _text(source, default) if default else None
            yield RawParameter(name, f"{type_text}{prefix}{suffix}", written)
        elif child.type == "variadic_parameter_declaration":
            yield RawParameter(None, _text(source, child), None)


def _type_text(source: SourceText, node: Node) -> str:
    """Return the type in a declaration, its qualifiers included, without its declarators."""
    parts = []
    for child in node.children:
        is_const = child.type == "type_qualifier" and _text(source, child) in ("const", "volatile")
        if is_const or (child.type in _TYPES and child == node.child_by_field_name("type")):
            name = child.child_by_field_name("name") if child.type == "enum_specifier" else None
            parts.append(_text(source, name or child))
    return " ".join(parts)


def _declarators(source: SourceText, node: Node) -> Iterator[tuple[Node, str | None, str]]:
    """Yield each declarator with its initializer and its width in bits."""
    current: tuple[Node, str | None, str] | None = None
    for idx, child in enumerate(node.children):
        name = node.field_name_for_child(idx)
        if name == "declarator":
            if current:
                yield current
            inner, init = child, None
            if child.type == "init_declarator":
                value = child.child_by_field_name("value")
                init = _text(source, value) if value else None
                inner = child.child_by_field_name("declarator") or child
            current = (inner, init, "")
        elif name == "default_value" and current:
            current = (current[0], _text(source, child), current[2])
        elif child.type == "bitfield_clause" and current:
            current = (current[0], current[1], _text(source, child))
    if current:
        yield current


def _unwrap(source: SourceText, declarator: Node) -> tuple[str | None, str, str]:
    """Return the name in a declarator, the text before it (`*`) and behind it (`[4]`)."""
    name = _innermost(declarator)
    if name is None:
        # A pointer without a name, as in a list of parameters.
        return None, source.slice(declarator.start_byte, declarator.end_byte), ""
    prefix = source.slice(declarator.start_byte, name.start_byte)
    suffix = source.slice(name.end_byte, declarator.end_byte)
    return _text(source, name), prefix, _ATTRIBUTE.sub("", suffix).strip()


_ATTRIBUTE = re.compile(r"\[\[.*?\]\]")


def _innermost(declarator: Node) -> Node | None:
    node: Node | None = declarator
    while node is not None and node.type not in _NAMES:
        if node.type == "attributed_declarator":
            # `size [[maybe_unused]]`.
            node = node.named_children[0]
            continue
        node = node.child_by_field_name("declarator") or (
            _last_named(node)
            if node.type in ("reference_declarator", "parenthesized_declarator")
            else None
        )
    return node
