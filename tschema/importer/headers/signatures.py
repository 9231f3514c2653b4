"""Signatures of registered methods: members, free functions, lambdas.

In: the syntax tree of the callable.  Out: a `Signature`; None where the text does not tell it, as
for one of several overloads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from tschema.importer.headers.comments import Doc, doc_of
from tschema.importer.headers.defaults import read_default
from tschema.importer.headers.members import (
    MemberFunction,
    RawParameter,
    read_function,
    read_parameters,
)
from tschema.importer.headers.program import Program
from tschema.importer.headers.registrations import RegisteredCall
from tschema.importer.headers.symbols import Scope
from tschema.importer.headers.type_refs import TypeTable
from tschema.importer.records import FoundParameter
from tschema.ir.model import TypeRef


class Signature(Struct):
    """Parameters and result of a callable."""

    params: tuple[FoundParameter, ...]
    """With the receiver, for a lambda or a free function."""
    returns: TypeRef | None
    doc: Doc
    is_member: bool
    """Whether the receiver is implied."""


class SignatureReader(Struct):
    """Finds signatures in a program."""

    program: Program
    types: TypeTable

    def read(self, call: RegisteredCall, callable_: Node, scope: Scope) -> Signature | None:
        """Return the signature of a callable that is registered in a scope."""
        if callable_.type == "lambda_expression":
            return self._lambda(call, callable_, scope)
        text = call.text(callable_)
        named = re.search(r"&?\s*((?:::)?[A-Za-z_][\w:]*)\s*\)?$", text)
        if named is None:
            return None
        found = [*self._overloads(named[1], scope)]
        if len(found) > 1:
            found = [one for one in found if _is_cast_to(one[0], text)]
        if len(found) != 1:
            return None
        function, doc, home, is_member = found[0]
        returns = self.types.value(function.returns, home) if function.returns else None
        return Signature(self.parameters(function.params, home, doc), returns, doc, is_member)

    def _overloads(
        self, name: str, scope: Scope
    ) -> Iterator[tuple[MemberFunction, Doc, Scope, bool]]:
        """Yield the functions that a name may mean, with documentation and scope."""
        owner, _, last = name.rpartition("::")
        full = self.program.find_class(owner, scope) if owner else None
        if full in self.program.classes:
            for at in self.program.bases(full):
                raw = self.program.classes.get(at)
                body = self.program.body(at) if raw else None
                named = [one for one in body.functions if one.name == last] if body else []
                for one in named:
                    home = (*raw.scope, raw.name) if raw else scope
                    doc = doc_of(raw.source, one.start, one.end) if raw else Doc()
                    yield one, doc, home, not one.is_static
                if named:
                    return
            return
        yield from self._free(name, scope)

    def _free(self, name: str, scope: Scope) -> Iterator[tuple[MemberFunction, Doc, Scope, bool]]:
        for end in range(len(scope), -1, -1):
            found = self.program.functions.get("::".join((*scope[:end], name.removeprefix("::"))))
            # A declaration and a definition are one function.
            for raw in (found or ())[:1]:
                declarator = raw.node.child_by_field_name("declarator")
                while declarator is not None and declarator.type != "function_declarator":
                    inner = declarator.child_by_field_name("declarator")
                    declarator = inner or next(iter(declarator.named_children), None)
                if declarator is not None:
                    function = read_function(raw.source, raw.node, declarator, "public")
                    doc = doc_of(raw.source, function.start, function.end)
                    yield function, doc, raw.scope, False
            if found:
                return

    def _lambda(self, call: RegisteredCall, node: Node, scope: Scope) -> Signature | None:
        declarator = node.child_by_field_name("declarator")
        if declarator is None:
            return Signature((), self._lambda_result(call, node, scope), Doc(), False)
        params = self.parameters(read_parameters(call.source, declarator), scope, Doc())
        trailing = [child for child in declarator.children if child.type == "trailing_return_type"]
        if trailing:
            text = call.text(trailing[0]).removeprefix("->").strip()
            return Signature(params, self.types.value(text, scope), Doc(), False)
        return Signature(params, self._lambda_result(call, node, scope), Doc(), False)

    def _lambda_result(self, call: RegisteredCall, node: Node, scope: Scope) -> TypeRef | None:
        """Return `None` for a body that returns nothing; what others return is not told."""
        body = node.child_by_field_name("body")
        text = call.text(body) if body else ""
        return None if re.search(r"\breturn\b(?!\s*;)", text) else TypeRef(kind="None")

    def parameters(
        self, params: Iterator[RawParameter] | tuple[RawParameter, ...], scope: Scope, doc: Doc
    ) -> tuple[FoundParameter, ...]:
        """Return parameters with their types and documentation."""
        return tuple(
            FoundParameter(
                name=param.name,
                type=self.types.value(param.type, scope),
                doc=doc.params.get(param.name or "", ""),
                default=read_default(param.default) if param.default else None,
                cpp_type=param.type,
            )
            for param in params
            if param.type != "void"
        )


_CAST = re.compile(r"\*\)\s*\((.*)\)\s*(?:const)?\s*(?:noexcept)?\s*>\s*\(")
_OVERLOAD_CAST = re.compile(r"overload_cast<(.*)>\s*\(")


def _is_cast_to(function: MemberFunction, text: str) -> bool:
    """Return whether a cast chooses this overload: `static_cast<R (T::*)(A)>(...)`."""
    wanted = _CAST.search(text) or _OVERLOAD_CAST.search(text)
    if wanted is None:
        return False
    types = [param.type.replace(" ", "") for param in function.params]
    return ",".join(types) == wanted[1].replace(" ", "")
