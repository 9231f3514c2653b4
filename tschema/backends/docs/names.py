"""Spellings of the reference: pages, anchors, links, types, and calls in three languages.

In: parts of the JSON IR.  Out: text, partly Markdown.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from tschema.backends.base import python_value
from tschema.backends.docs.markdown import code_cell
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.keywords import KEYWORDS, MEMBERS, SCOPE_NAMES, escaped
from tschema.ir.model import Default, Function, Method, Parameter, Schema, Type, TypeRef
from tschema.ir.spelling import class_name, cpp_home

INDEX = "index.md"

_LONGEST_SIGNATURE = 88
"""Columns; a longer signature takes a line for each parameter."""


def page_file(namespace: str) -> str:
    """Return the file of a namespace's page, in the folder of the reference."""
    return f"{namespace}_.md" if f"{namespace}.md" == INDEX else f"{namespace}.md"


class References(Struct, frozen=True, dict=True):
    """The names of declarations on one page, and links to them."""

    schema: Schema
    namespace: str = ""
    """The page's namespace; empty for the index."""

    def name(self, key: str) -> str:
        """Return a declared name: without its namespace on the page of that namespace."""
        home, _, name = key.rpartition(".")
        return name if home == self.namespace else key

    def target(self, key: str) -> str | None:
        """Return the target of a link to a declaration; None if another package declares it."""
        if key not in self._keys:
            return None
        home = self.schema.home(key).name  # Not that of the key, for a class of another library.
        return f"#{key}" if home == self.namespace else f"{page_file(home)}#{key}"

    def link(self, key: str) -> str:
        """Return a declared name in Markdown, linked if it has a page."""
        return self._linked(self.name(key), key)

    def link_in_doc(self, text: str) -> str | None:
        """Return the link target of a doc's code span: the type or enum that it names, if any."""
        name = text.removesuffix("()")
        for key in (name, f"{self.namespace}.{name}", self._unique.get(name, "")):
            if key in self._keys:
                return self.target(key)
        return None

    def type(self, type_ref: TypeRef) -> str:
        """Return a type in Markdown, with links to all that is declared in it."""
        spelled = self.type_text(type_ref)
        keys = list(dict.fromkeys(nested.key for nested in type_ref.walk() if nested.key))
        if len(keys) == 1:
            return self._linked(spelled, keys[0])
        links = [self.link(key) for key in keys if self.target(key)]
        return code_cell(spelled) + (f" ({', '.join(links)})" if links else "")

    def type_text(self, type_ref: TypeRef) -> str:
        """Return a type as plain text: `Array[PrimExpr]`."""
        name = self.name(type_ref.key) if type_ref.key else type_ref.kind
        args = ", ".join(map(self.type_text, type_ref.args))
        return f"{name}[{args}]" if args else name

    def signature(self, function: Function | Method) -> str:
        """Return a signature as plain text, on one line if that is not long."""
        params = [self._param(param) for param in function.params]
        tail = f" -> {self.type_text(function.returns)}"
        line = f"{function.name}({', '.join(params)}){tail}"
        if len(line) <= _LONGEST_SIGNATURE:
            return line
        return "\n".join([f"{function.name}(", *(f"    {param}," for param in params), f"){tail}"])

    def _param(self, param: Parameter) -> str:
        text = f"{param.name}: {self.type_text(param.type)}"
        return f"{text} = {default_text(param.default, param.type)}" if param.default else text

    def _linked(self, text: str, key: str) -> str:
        target = self.target(key)
        return f"[{code_cell(text)}]({target})" if target else code_cell(text)

    @cached_property
    def _keys(self) -> frozenset[str]:
        """Keys of the package's own types and enums."""
        enums = (enum.key for space in self.schema.namespaces for enum in space.enums)
        return frozenset({*enums, *(type_.key for type_ in self.schema.types())})

    @cached_property
    def _unique(self) -> dict[str, str]:
        """Names, of data classes too, that one declaration alone has, with its key."""
        named: dict[str, set[str]] = {}
        for key in self._keys:
            named.setdefault(key.rpartition(".")[2], set()).add(key)
        for type_ in self.schema.types():
            named.setdefault(type_.name, set()).add(type_.key)
        return {name: min(keys) for name, keys in named.items() if len(keys) == 1}


def default_text(default: Default, type_ref: TypeRef) -> str:
    """Return a default as Python spells it."""
    if default.factory is not None:
        return "[]" if default.factory == "list" else "{}"
    if default.initializer:
        return "..."
    return python_value(default, type_ref, lambda key: class_name(key, "Python"))


def method_spellings(name: str) -> str:
    """Return a method's name in the languages that do not take its name unchanged."""
    rust = escaped(snake_case(name), "Rust", MEMBERS)
    cpp = escaped(camel_case(name), "C++", MEMBERS)
    return f"`{cpp}` in C++" + (f", `{rust}` in Rust" if rust != name else "")


def class_spellings(type_: Type) -> str:
    """Return a class's name in the languages that reserve the original; empty if none does."""
    names = ((class_name(type_.key, language), language) for language in KEYWORDS)
    return ", ".join(f"`{name}` in {one}" for name, one in names if name != type_.ref)


def function_spellings(function: Function, schema: Schema) -> str:
    """Return a free function's name in C++ and Rust, and as a pass."""
    home, _, name = function.key.replace(".", "::").rpartition("::")
    cpp = f"{cpp_home(function.key, schema)}::{escaped(name, 'C++', SCOPE_NAMES)}"
    rust = f"{home}::{escaped(snake_case(name), 'Rust', SCOPE_NAMES)}"
    in_cpp = f"`{cpp}` in C++"
    text = f"{in_cpp} and Rust" if rust == cpp else f"{in_cpp}, `{rust}` in Rust"
    return f"{text}, pass `{function.pass_name}`" if function.makes_pass else text


def construction(type_: Type, schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return the languages, and how the shortest call that makes an object reads in each."""
    arguments = schema.arguments(type_)
    required = [field for field in arguments if field.default is None]
    listed = ", ".join(field.name for field in required)
    by_name = (f"{one.name}={one.name}" if one.kw_only else one.name for one in required)
    # C++ cannot leave out an argument before the last one that has no default.
    count = max((index for index, one in enumerate(arguments, 1) if one.default is None), default=0)
    positional = ", ".join(field.name for field in arguments[:count])
    options = type_.options
    has_reference = options.ref in ("default", "nullable") and options.ref_init == "fields"
    has_defaults = len(required) < len(arguments)
    rust = f"builder({listed}).build()" if has_defaults else f"new({listed})"
    home = type_.namespace.replace(".", "::")
    cpp = f"{cpp_home(type_.key, schema)}::{class_name(type_.key, 'C++')}"
    in_rust = f"{home}::{class_name(type_.key, 'Rust')}"
    return (
        ("Python", f"{type_.namespace}.{class_name(type_.key, 'Python')}({', '.join(by_name)})"),
        *([("C++", f"{cpp}({positional})")] if has_reference else []),
        ("Rust", f"{in_rust}::{rust}{'?' if schema.refusal(type_) else ''}"),
    )
