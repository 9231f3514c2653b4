"""Registrations of classes: chains of calls that begin with `ObjectDef<T>(...)`.

In: the declarations of a file.  Out: a `Registration` for each chain, whose calls keep their syntax
trees.  A chain may be in a static member function, in a static initializer or in any function, be
continued through a variable, or be the `VisitAttrs` of older code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct, field
from tree_sitter import Node

from tschema.importer.headers.declarations import DEEPEST, FileDeclarations, path_to
from tschema.importer.headers.masking import SourceText
from tschema.importer.headers.preprocessing import on_one_line
from tschema.importer.headers.symbols import Scope

_CHAIN = re.compile(rb"\b(?:Overload)?ObjectDef\s*<")
_VISIT = re.compile(r'\b\w+->Visit\(\s*"([^"]*)"\s*,\s*&\s*(?:this->)?(\w+)\s*\)')


class RegisteredCall(Struct):
    """A call in a chain: `.def_ro("value", &IntImmNode::value)`."""

    method: str
    template_args: str
    args: list[Node]
    source: SourceText
    start: int

    def text(self, node: Node) -> str:
        """Return an argument on one line, as the parser sees it: without macros."""
        return self.source.slice(node.start_byte, node.end_byte)

    def written(self, node: Node) -> str | None:
        """Return an argument on one line, with its macros; None if directives are in it."""
        return on_one_line(self.source.original[node.start_byte : node.end_byte])


class Registration(Struct):
    """All that one chain registers."""

    class_name: str
    """As written."""
    scope: Scope
    """Where it is written."""
    source: SourceText
    start: int
    calls: list[RegisteredCall] = field(default_factory=list)
    """The first is the constructor, `ObjectDef`."""


def read_registrations(declared: FileDeclarations) -> Iterator[Registration]:
    """Yield the registrations of a file, in order."""
    source = declared.source
    starts = [function.node.start_byte for function in declared.registering]
    for match in _CHAIN.finditer(source.code):
        # Text that is blank in the parsed text is in a branch that is not taken.
        if not source.masked[match.start() : match.start() + 3].strip():
            continue
        # The search begins at the function, so that a long file costs no more for each chain.
        near = bisect_right(starts, match.start()) - 1
        function = declared.registering[near] if near >= 0 else None
        if function is not None and match.start() < function.node.end_byte:
            home, scope = function.node, function.scope
        else:
            home, scope = declared.root, ()
        path = path_to(home, match.start())
        if len(path) == DEEPEST:
            return
        registration = _registration(source, path, scope)
        if registration is not None:
            yield registration


def _registration(source: SourceText, path: list[Node], scope: Scope) -> Registration | None:
    """Return the registration at the end of a path of nodes, which begins in a scope."""
    innermost = range(len(path) - 1, -1, -1)
    at = next((idx for idx in innermost if path[idx].type == "template_function"), None)
    arguments = path[at].child_by_field_name("arguments") if at is not None else None
    if at is None or arguments is None:
        return None
    class_name = source.slice(arguments.start_byte + 1, arguments.end_byte - 1)
    inside = (*scope, *_scope(source, path))
    registration = Registration(class_name, inside, source, path[at].start_byte)
    registration.calls += _chain(source, path[at - 1 :: -1] if at else [])
    registration.calls += _continued(source, path, path[at])
    return registration if registration.calls else None


def _scope(source: SourceText, path: list[Node]) -> Scope:
    """Return the namespaces and classes that a path of nodes enters."""
    scope: list[str] = []
    for node in path:
        if node.type in ("namespace_definition", "class_specifier", "struct_specifier"):
            name = node.child_by_field_name("name")
            if name is not None:
                scope += source.slice(name.start_byte, name.end_byte).replace(" ", "").split("::")
        elif node.type == "function_definition":
            # A function of a class that is defined outside of it: `void FooNode::Register() {`.
            declarator = node.child_by_field_name("declarator")
            name = declarator.child_by_field_name("declarator") if declarator else None
            if name is not None and name.type == "qualified_identifier":
                text = source.slice(name.start_byte, name.end_byte).replace(" ", "")
                scope += text.split("::")[:-1]
    return tuple(scope)


def _chain(source: SourceText, outwards: list[Node]) -> Iterator[RegisteredCall]:
    """Yield the calls of a chain, from the nodes around its first one."""
    method, template_args = "ObjectDef", ""
    for node in outwards:
        if node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            args = arguments.named_children if arguments else []
            start = arguments.start_byte if arguments else node.start_byte
            yield RegisteredCall(method, template_args, list(args), source, start)
        elif node.type == "field_expression":
            method, template_args = _method_name(source, node)
        elif node.type not in ("qualified_identifier", "parenthesized_expression"):
            return


def _method_name(source: SourceText, node: Node) -> tuple[str, str]:
    name = node.child_by_field_name("field")
    if name is None:
        return "", ""
    text = source.slice(name.start_byte, name.end_byte)
    method, _, template_args = text.removeprefix("template ").partition("<")
    return method.strip(), template_args.removesuffix(">")


def _continued(source: SourceText, path: list[Node], first: Node) -> Iterator[RegisteredCall]:
    """Yield the calls on a variable that holds the chain: `auto def = ...; def.def_ro(...);`."""
    holder = next((node for node in reversed(path) if node.type == "init_declarator"), None)
    block = next((node for node in reversed(path) if node.type == "compound_statement"), None)
    if holder is None or block is None or holder.start_byte < block.start_byte:
        return
    name = holder.child_by_field_name("declarator")
    if name is None:
        return
    variable = source.slice(name.start_byte, name.end_byte)
    for statement in block.named_children:
        if statement.start_byte <= first.start_byte or statement.type != "expression_statement":
            continue
        inwards = [statement]
        while inwards[-1].named_child_count and len(inwards) < _LONGEST_CHAIN:
            inwards.append(inwards[-1].named_children[0])
        root = inwards[-1]
        if source.slice(root.start_byte, root.end_byte) == variable:
            yield from _chain(source, inwards[-2:0:-1])


_LONGEST_CHAIN = 400


def visited_attributes(text: str) -> list[tuple[str, str]]:
    """Return names and members of an older `VisitAttrs(AttrVisitor* v)`."""
    return _VISIT.findall(text)
