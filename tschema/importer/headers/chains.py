"""The fields, methods, constructors and type attributes that a class's call chains register.

In: the registrations of a class.  Out: `RegisteredMembers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field
from tree_sitter import Node

from tschema.importer.headers.defaults import string_literal
from tschema.importer.headers.fields import RegisteredField
from tschema.importer.headers.registrations import RegisteredCall, Registration
from tschema.importer.headers.signatures import SignatureReader
from tschema.importer.headers.symbols import Scope
from tschema.importer.headers.traits import read_traits
from tschema.importer.records import FoundMethod, Location

_INIT = re.compile(r"(?:::)?(?:\w+::)*init\s*<(.*)>\s*[({]", re.DOTALL)
_MEMBER = re.compile(r"&\s*(?:[\w:]|<[^<>]*>)*?(\w+)$")
_NO_INIT = re.compile(r"\binit\s*\(\s*false\s*\)$")
"""Turns the derived constructor off, as a generated class does anyway."""


class RegisteredMembers(Struct):
    """All that is registered of a class."""

    doc: str = ""
    fields: dict[str, list[RegisteredField]] = field(default_factory=dict)
    """By name of the member."""
    methods: list[FoundMethod] = field(default_factory=list)
    has_init: bool = False
    """Whether a constructor is registered, `def(refl::init<...>())`."""
    omitted: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)


class ChainReader(Struct):
    """Reads the registrations of one class."""

    signatures: SignatureReader
    found: RegisteredMembers = field(default_factory=RegisteredMembers)

    def read(self, registration: Registration) -> None:
        """Add the registrations of a chain."""
        for call in registration.calls:
            self._read_call(call, registration.scope)

    def _read_call(self, call: RegisteredCall, scope: Scope) -> None:
        if call.method == "ObjectDef":
            self._read_class_traits(call)
        elif call.method in ("def_ro", "def_rw", "def_readonly", "def_readwrite"):
            self._read_field(call)
        elif call.method in ("def", "def_static"):
            self._read_method(call, scope)
        elif call.method in ("def_type_attr", "attr", "native_fn_attr"):
            name = call.text(call.args[0]) if call.args else "?"
            self.found.omitted.append(f"type attribute {name}")
        elif call.method != "def_convert":
            self.found.omitted.append(f"`.{call.method}(...)` of its registration")

    def _read_class_traits(self, call: RegisteredCall) -> None:
        for arg in call.args:
            text = call.text(arg)
            literal = string_literal(text)
            if literal is not None:
                self.found.doc = literal
            elif not _NO_INIT.search(text):
                self.found.omitted.append(f"`{text}` of its registration")

    def _read_field(self, call: RegisteredCall) -> None:
        name = string_literal(call.text(call.args[0])) if len(call.args) > 1 else None
        member = _MEMBER.search(call.text(call.args[1])) if name is not None else None
        if name is None or member is None:
            line = call.source.line(call.start)
            self.found.unsaid.append(f"its registration in line {line} names no member")
            return
        traits = read_traits(name, map(call.text, call.args[2:]))
        self.found.omitted += traits.omitted
        registered = RegisteredField(name, member[1], call.method.endswith(("rw", "write")), traits)
        self.found.fields.setdefault(member[1], []).append(registered)
        self._note_condition(call, name)

    def _note_condition(self, call: RegisteredCall, name: str) -> None:
        for condition in call.source.conditions:
            if condition.start <= call.start < condition.end:
                self.found.unsaid.append(f"`{name}` is registered under `{condition.text}`")

    def _read_method(self, call: RegisteredCall, scope: Scope) -> None:
        if call.args and _INIT.match(call.text(call.args[0])):
            self.found.has_init = True
            return
        name = string_literal(call.text(call.args[0])) if len(call.args) > 1 else None
        if name is None or name.startswith("__"):
            # What tvm-ffi calls by itself is not a method to its users.
            self.found.omitted += [f"hook `{name}`"] if name else []
            return
        written = call.written(call.args[1])
        if written is None:
            self.found.omitted.append(f"method `{name}`, in which directives are")
            return
        self.found.methods.append(self._method(call, name, call.args[1], written, scope))

    def _method(
        self, call: RegisteredCall, name: str, callable_: Node, written: str, scope: Scope
    ) -> FoundMethod:
        signature = self.signatures.read(call, callable_, scope)
        is_static = call.method == "def_static"
        docs = [*_docs(call)]
        method = FoundMethod(
            name=name,
            static=is_static,
            doc=docs[0] if docs else "",
            cpp=written,
            location=Location(call.source.path, call.source.line(call.start)),
        )
        if signature is not None:
            # The receiver of a method is its first parameter, unless it is a member function.
            first = 0 if is_static or signature.is_member else 1
            method.params = signature.params[first:]
            is_told = all(param.type is not None for param in method.params)
            method.returns = signature.returns if is_told else None
            method.doc = method.doc or signature.doc.text
            method.returns_doc = signature.doc.returns
        return method


def _docs(call: RegisteredCall) -> Iterator[str]:
    for arg in call.args[1:]:
        literal = string_literal(call.text(arg))
        if literal is not None:
            yield literal
