"""Types as C++ spells them, taken apart: `const ffi::Array<ffi::Optional<Expr>>&`.

In: the text of a type.  Out: a `CppType`.  It looks no name up.
"""

from __future__ import annotations

import re

from msgspec import Struct

_TOKEN = re.compile(r"\s*(::|[A-Za-z_]\w*|[<>,*&()\[\]]|\d\w*|\S)")
_WORDS = {"unsigned", "signed", "long", "short", "int", "char", "double"}
_IGNORED = {"const", "volatile", "typename", "struct", "class", "enum", "constexpr", "inline"}
_DEEPEST = 64


class CppType(Struct, frozen=True):
    """A type: a name, its template arguments, and pointers or references to it."""

    name: str
    """Qualified as written: `ffi::Array`, `unsigned long`."""
    args: tuple[CppType, ...] = ()
    indirection: str = ""
    """`*`, `&`, `&&`, `**` ..."""
    is_opaque: bool = False
    """Whether the name is text that no type was read from, such as `void(int)`."""

    @property
    def is_pointer(self) -> bool:
        """Whether values are addresses."""
        return "*" in self.indirection

    def bare(self) -> CppType:
        """Return the type without pointers and references."""
        return CppType(self.name, self.args)


def parse_type(text: str) -> CppType:
    """Return a type; text that is none becomes an opaque one."""
    tokens = _TOKEN.findall(text)
    parser = _Parser(tokens)
    parsed = parser.type(0)
    if parsed is None or parser.idx != len(tokens):
        return CppType(" ".join(text.split()), is_opaque=True)
    return parsed


class _Parser(Struct):
    """Recursive descent over the tokens of a type."""

    tokens: list[str]
    idx: int = 0

    def peek(self) -> str:
        return self.tokens[self.idx] if self.idx < len(self.tokens) else ""

    def type(self, depth: int) -> CppType | None:
        """Read a type up to a comma, a closing bracket or the end."""
        if depth > _DEEPEST:
            return None
        start = self.idx
        name, args = self.name(depth)
        if not name:
            return None
        indirection = ""
        while self.peek() in ("*", "&", "const", "volatile"):
            indirection += self.peek() if self.peek() in "*&" else ""
            self.idx += 1
        if self.peek() in ("", ",", ">"):
            return CppType(name, args, indirection)
        self.idx = start
        return self.opaque()

    def name(self, depth: int) -> tuple[str, tuple[CppType, ...]]:
        """Read a qualified name with the template arguments of its last part."""
        self.skip_ignored()
        if self.peek() in _WORDS:
            return self.words(), ()
        parts = ""
        args: tuple[CppType, ...] = ()
        while True:
            if self.peek() == "::":
                parts += "::"
                self.idx += 1
            self.skip("template")
            if not re.match(r"[A-Za-z_]\w*$|\d\w*$", self.peek()):
                return "", ()
            parts += self.peek()
            self.idx += 1
            if self.peek() == "<":
                found = self.arguments(depth)
                if found is None:
                    return "", ()
                args = found
            if self.peek() != "::":
                return parts, args
            if args:
                # `A<B>::C`: its meaning depends on the template.
                return "", ()

    def words(self) -> str:
        """Read a built-in type of several words: `unsigned long int`."""
        words = []
        while self.peek() in _WORDS or self.peek() in _IGNORED:
            words.append(self.peek())
            self.idx += 1
        return _built_in([word for word in words if word in _WORDS])

    def arguments(self, depth: int) -> tuple[CppType, ...] | None:
        self.idx += 1
        args: list[CppType] = []
        while self.peek() != ">":
            start = self.idx
            arg = self.type(depth + 1)
            if arg is None:
                self.idx = start
                arg = self.opaque()
            if arg is None or self.peek() not in (",", ">"):
                return None
            args.append(arg)
            if self.peek() == ",":
                self.idx += 1
        self.idx += 1
        return tuple(args)

    def opaque(self) -> CppType | None:
        """Read anything up to a comma or a closing bracket at this level: `void(int, int)`."""
        start, depth = self.idx, 0
        while self.idx < len(self.tokens):
            token = self.tokens[self.idx]
            if depth == 0 and token in (",", ">"):
                break
            depth += (token in "(<[") - (token in ")>]")
            self.idx += 1
        return CppType(" ".join(self.tokens[start : self.idx]), is_opaque=True)

    def skip(self, word: str) -> None:
        if self.peek() == word:
            self.idx += 1

    def skip_ignored(self) -> None:
        while self.peek() in _IGNORED:
            self.idx += 1


def _built_in(words: list[str]) -> str:
    """Return the usual spelling of a built-in type: `long`, `unsigned long`, `signed char`."""
    sign = "unsigned " if "unsigned" in words else ""
    if "char" in words:
        return "signed char" if "signed" in words else f"{sign}char"
    if "double" in words:
        return "long double" if "long" in words else "double"
    sizes = [word for word in words if word in ("long", "short")]
    return f"{sign}{' '.join(sizes) or 'int'}"
