"""Schema files as LibCST reads them: every name, text and definition with its bytes.

In: the text of a schema file.  Out: a `FileSyntax`.  It resolves no name; offsets are bytes of the
UTF-8 text, without a byte order mark.
"""

from __future__ import annotations

import re
from typing import Literal

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from msgspec import Struct, field

Owner = tuple[str, ...]
"""Names of the classes and functions around something, outermost first."""

DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
"""A name in a quoted annotation."""


class Reference(Struct, frozen=True):
    """A dotted name that is used."""

    dotted: str
    end: int

    def component(self, index: int) -> tuple[int, int]:
        """Return the bounds of one of its parts, blanks between parts not expected."""
        rest = sum(len(part.encode()) + 1 for part in self.dotted.split(".")[index + 1 :])
        end = self.end - rest
        return end - len(self.dotted.split(".")[index].encode()), end


class Definition(Struct, frozen=True):
    """A name that is declared: of a class, function, parameter, field, option or enum's member."""

    kind: Literal["class", "function", "parameter", "field", "assignment"]
    name: str
    owner: Owner
    start: int
    end: int
    statement: tuple[int, int]
    """Bounds of the whole statement or parameter, from its first to its last sign."""


class Text(Struct, frozen=True):
    """A literal, a docstring or a comment."""

    kind: Literal["doc", "string", "comment"]
    raw: str
    """As written, without prefix and quotes."""
    start: int
    """Where `raw` begins."""
    owner: Owner
    keyword: str = ""
    """The keyword argument or the assigned name that it is the value of."""


class FileSyntax(Struct):
    """The names, definitions and texts of a file, with their places."""

    references: list[Reference] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def definition(self, owner: Owner, name: str) -> Definition | None:
        """Return the first definition of a name directly in an owner."""
        found = (one for one in self.definitions if (one.owner, one.name) == (owner, name))
        return next(found, None)


def read_syntax(text: str) -> FileSyntax:
    """Return the names, definitions and texts of a schema file, which parses."""
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    reader = _Reader()
    wrapper.visit(reader)
    return reader.found


class _Reader(cst.CSTVisitor):
    """Collects names and texts."""

    METADATA_DEPENDENCIES = (ByteSpanPositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.found = FileSyntax()
        self._owner: list[str] = []
        self._keywords: list[str] = [""]
        self._annotations = 0
        self._args_in_annotation = 0
        self._docs: set[int] = set()
        self._skipped: set[int] = set()
        """Names that are not references."""

    def _bounds(self, node: cst.CSTNode) -> tuple[int, int]:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        return span.start, span.start + span.length

    def _define(
        self,
        kind: Literal["class", "function", "parameter", "field", "assignment"],
        name: cst.Name,
        statement: cst.CSTNode,
    ) -> None:
        self._skipped.add(id(name))
        bounds = self._bounds(name)
        owner = tuple(self._owner)
        self.found.definitions.append(
            Definition(kind, name.value, owner, *bounds, self._bounds(statement))
        )

    def visit_Module(self, node: cst.Module) -> None:
        self._note_doc(node.body)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._define("class", node.name, node)
        self._owner.append(node.name.value)
        self._note_doc(node.body.body)

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:
        self._owner.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._define("function", node.name, node)
        self._owner.append(node.name.value)
        self._note_doc(node.body.body)

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:
        self._owner.pop()

    def visit_Param(self, node: cst.Param) -> None:
        self._define("parameter", node.name, node)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        if isinstance(node.target, cst.Name):
            self._define("field", node.target, node)

    def visit_Assign(self, node: cst.Assign) -> None:
        target = node.targets[0].target
        if isinstance(target, cst.Name):
            self._define("assignment", target, node)
            self._keywords.append(target.value)
        else:
            self._keywords.append("")

    def leave_Assign(self, original_node: cst.Assign) -> None:
        self._keywords.pop()

    def visit_Annotation(self, node: cst.Annotation) -> None:
        self._annotations += 1

    def leave_Annotation(self, original_node: cst.Annotation) -> None:
        self._annotations -= 1

    def visit_Arg(self, node: cst.Arg) -> None:
        keyword = node.keyword
        if keyword is not None:
            self._skipped.add(id(keyword))
        self._keywords.append(keyword.value if keyword else self._keywords[-1])
        self._args_in_annotation += bool(self._annotations)

    def leave_Arg(self, original_node: cst.Arg) -> None:
        self._args_in_annotation -= bool(self._annotations)
        self._keywords.pop()

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        dotted = _dotted(node)
        if dotted is None:
            self._skipped.add(id(node.attr))
            return True
        self.found.references.append(Reference(dotted, self._bounds(node)[1]))
        return False

    def visit_Name(self, node: cst.Name) -> None:
        if id(node) not in self._skipped:
            self.found.references.append(Reference(node.value, self._bounds(node)[1]))

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        raw = node.raw_value
        start = self._bounds(node)[0] + len(node.prefix + node.quote)
        keyword = self._keywords[-1]
        if self._annotations and id(node) not in self._docs:
            if self._args_in_annotation:  # Those of `ty.foreign`, the only call.
                self.found.texts.append(Text("string", raw, start, tuple(self._owner), "cpp"))
            else:
                self._quoted(raw, start)
            return
        is_doc = id(node) in self._docs or keyword == "doc"
        kind: Literal["doc", "string"] = "doc" if is_doc else "string"
        self.found.texts.append(Text(kind, raw, start, tuple(self._owner), keyword))

    def _quoted(self, raw: str, start: int) -> None:
        """Take the names of a quoted annotation."""
        for match in DOTTED.finditer(raw):
            end = start + len(raw[: match.end()].encode())
            self.found.references.append(Reference(match[0], end))

    def visit_Comment(self, node: cst.Comment) -> None:
        start = self._bounds(node)[0]
        self.found.texts.append(Text("comment", node.value, start, tuple(self._owner)))

    def _note_doc(self, body: object) -> None:
        """Remember the literals that are the docstring of a body."""
        first = body[0] if isinstance(body, list | tuple) and body else None
        if not isinstance(first, cst.SimpleStatementLine) or not isinstance(
            first.body[0], cst.Expr
        ):
            return
        waiting = [first.body[0].value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, cst.ConcatenatedString):
                waiting += [one.left, one.right]
            self._docs.add(id(one))


def _dotted(node: cst.BaseExpression) -> str | None:
    """Return `a.b.c` for a name or an attribute of one, else None."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = _dotted(node.value)
        return left and f"{left}.{node.attr.value}"
    return None
