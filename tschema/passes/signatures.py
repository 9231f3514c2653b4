"""Methods and free functions: types and defaults of their parameters.

In: a `FunctionDecl`.  Out: a `Method` or `Function`, or None after an error was reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.ir.declarations import FileDecl, FunctionDecl, ParamDecl
from tschema.ir.model import Default, Enum, Function, Method, Parameter, Raised, TypeRef
from tschema.passes.defaults import BadDefault, make_default
from tschema.passes.resolved import MethodInfo
from tschema.passes.typing import TypeResolver, Use


class SignatureResolver:
    """Resolves the methods and functions of a package."""

    def __init__(self, types: TypeResolver, enums: Mapping[str, Enum], reporter: Reporter) -> None:
        self._types = types
        self._enums = enums
        self._reporter = reporter

    def method(self, decl: FunctionDecl, file: FileDecl) -> MethodInfo | None:
        """Resolve a method."""
        found = self._signature(decl, file)
        if found is None:
            return None
        return MethodInfo(replace(found, static=decl.is_static, cpp=self._cpp(decl)), decl)

    def function(self, decl: FunctionDecl, file: FileDecl) -> Function | None:
        """Resolve a free function; its global name is the namespace and its own."""
        found = self._signature(decl, file)
        if found is None:
            return None
        return Function(
            name=found.name,
            key=f"{file.namespace}.{decl.name}",
            doc=found.doc,
            params=found.params,
            returns=found.returns,
            returns_doc=found.returns_doc,
            raises=found.raises,
        )

    def _signature(self, decl: FunctionDecl, file: FileDecl) -> Method | None:
        params, returns = self._params(decl, file), self._returns(decl, file)
        if params is None or returns is None:
            return None
        return Method(
            name=decl.name,
            doc=decl.doc.text,
            params=params,
            returns=returns,
            returns_doc=decl.doc.returns,
            raises=tuple(Raised(name=one.name, doc=one.text) for one in decl.doc.raises),
        )

    def _cpp(self, decl: FunctionDecl) -> str | None:
        """Return the C++ callable that a method names, and report other options."""
        for name, value in decl.options.items():
            if name != "cpp":
                message = f"unknown option `{name}` of method `{decl.name}`"
                self._reporter.error("TS080", message, value.place, help="the option is `cpp`")
            elif not (isinstance(value.value, str) and value.value.strip()):
                message = f"option `cpp` of method `{decl.name}` cannot be {value}"
                help = "expected the text of a C++ callable"
                self._reporter.error("TS080", message, value.place, help=help)
            else:
                return value.value.strip()
        return None

    def _returns(self, decl: FunctionDecl, file: FileDecl) -> TypeRef | None:
        if decl.returns is None:
            return None
        return self._types.result(decl.returns, Use(f"the result of `{decl.name}`", file))

    def _params(self, decl: FunctionDecl, file: FileDecl) -> tuple[Parameter, ...] | None:
        docs = {item.name: item.text for item in decl.doc.params}
        names = [param.name for param in decl.params]
        for param in decl.params:
            if names.count(param.name) > 1:
                message = f"`{decl.name}` has the parameter `{param.name}` twice"
                self._reporter.error("TS033", message, param.place)
                return None
        params = [self._param(param, docs, file) for param in decl.params]
        if None in params:
            return None
        return tuple(param for param in params if param is not None)

    def _param(self, decl: ParamDecl, docs: Mapping[str, str], file: FileDecl) -> Parameter | None:
        if decl.annotation is None:
            return None
        ref = self._types.resolve(decl.annotation, Use(f"parameter `{decl.name}`", file))
        if ref is None:
            return None
        return Parameter(
            name=decl.name,
            type=ref,
            doc=docs.get(decl.name, ""),
            default=self._default(decl, ref, file),
        )

    def _default(self, decl: ParamDecl, ref: TypeRef, file: FileDecl) -> Default | None:
        if decl.default is None or decl.annotation is None:
            return None
        try:
            nullable = self._types.nullable
            return make_default(decl.default, ref, decl.annotation, file, self._enums, nullable)
        except BadDefault as error:
            message = f"bad default of parameter `{decl.name}`: {error.reason}"
            self._reporter.error("TS025", message, decl.default.place, help=error.help)
            return None
