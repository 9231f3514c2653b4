"""Operators: their operands, attributes and rules.

In: a resolved package whose operators are still functions.  Out: the same package with `Operator`s
and dialects, and with the parameters of operators' functions completed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest, suggest_one_of
from tschema.ir.declarations import FunctionDecl, Scalar
from tschema.ir.model import (
    Default,
    Enum,
    Function,
    Operand,
    Operator,
    Parameter,
    Schema,
    TraitValue,
    Type,
    TypeRef,
)
from tschema.passes.attribute_nodes import attribute_node_name
from tschema.passes.defaults import BadDefault, is_dtype, make_default
from tschema.passes.dialects import DOTTED_NAME, DialectResolver, Home, trait_value
from tschema.passes.hierarchy import required_arguments
from tschema.passes.operands import OperandChecker
from tschema.passes.operator_docs import documented
from tschema.passes.operator_rules import Names, RuleChecker
from tschema.passes.resolved import ResolvedFile, ResolvedPackage
from tschema.passes.stored_call_forms import StoredCallResolver
from tschema.passes.symbols import Symbol, Symbols
from tschema.passes.vocabulary import EFFECTS, KINDS

_PASS = "uir.transform.Pass"
_TEXTS = ("require", "result", "scalar", "compute", "decompose", "onnx", "torch", "since")
OPERATOR_OPTIONS = (
    "name", "api", "custom", "builds", "kind", "effect", "relation", *_TEXTS,
    "renamed_from", "upgrade",
)  # fmt: skip
_ANY_TEXT = (Annotated[str, Meta(pattern=r"\S")] | None, "a text")
_DOTTED_NAME = (DOTTED_NAME | None, "a dotted name")


def resolve_operators(
    resolved: ResolvedPackage, symbols: Symbols, imports: Mapping[str, Schema], reporter: Reporter
) -> None:
    """Resolve the dialects and the operators of a package."""
    enums = _enums(resolved, symbols)
    functions = {f"{one.decl.namespace}.{decl.name}" for one in resolved.files
                 for decl in one.decl.functions}  # fmt: skip
    for schema in imports.values():
        functions |= {one.key for space in schema.namespaces for one in space.functions}
    homes = DialectResolver(symbols, functions, enums, reporter).resolve(resolved)
    resolver = _OperatorResolver(resolved, symbols, homes, functions, enums, reporter)
    for file in resolved.files:
        resolver.resolve_file(file)


def _enums(resolved: ResolvedPackage, symbols: Symbols) -> dict[str, Enum]:
    """Return the enums of a package and of those it imports, by absolute name."""
    enums = {
        name: symbol.imported
        for name, symbol in symbols.table.items()
        if isinstance(symbol.imported, Enum)
    }
    for file in resolved.files:
        enums.update((f"{file.decl.module}.{decl.name}", enum) for decl, enum in file.enums)
    return enums


class _OperatorResolver:
    """Resolves the operators of a package, and the options of its functions."""

    def __init__(
        self,
        resolved: ResolvedPackage,
        symbols: Symbols,
        homes: Mapping[str, Home],
        functions: set[str],
        enums: Mapping[str, Enum],
        reporter: Reporter,
    ) -> None:
        self._resolved = resolved
        self._symbols = symbols
        self._homes = homes
        self._enums = enums
        self._reporter = reporter
        self._operand_checker = OperandChecker(reporter)
        self._function_names = frozenset(key.rpartition(".")[2] for key in functions)
        self._beside: dict[str, set[str]] = {}
        """The names of the operators of each namespace."""
        for file in resolved.files:
            names = (decl.name for decl in file.decl.functions if decl.is_operator)
            self._beside.setdefault(file.decl.namespace, set()).update(names)
        self._keys: dict[str, FunctionDecl] = {}

    def resolve_file(self, file: ResolvedFile) -> None:
        """Complete the functions of a file, and add its operators."""
        functions = []
        for decl, function in file.functions:
            completed = function
            if decl.is_operator:
                completed = self._operator(decl, function, file)
            elif decl.options:
                completed = self._function(decl, function)
            functions.append((decl, completed))
        file.functions = functions

    def _function(self, decl: FunctionDecl, function: Function) -> Function:
        """Return a free function with its options."""
        self._refuse_options(decl, ("api", "makes_pass"), (), "function")
        makes_pass = self._flag(decl, "makes_pass", False)
        if makes_pass and function.returns.key != _PASS:
            self._reporter.error(
                "TS080",
                f"function `{decl.name}` makes a pass, but returns `{function.returns}`",
                decl.returns.place if decl.returns else decl.place,
                help=f"its result is `{_PASS}`",
            )
        api = self._flag(decl, "api", makes_pass)
        return replace(function, api=api, makes_pass=makes_pass)

    def _operator(self, decl: FunctionDecl, function: Function, file: ResolvedFile) -> Function:
        """Add an operator; return its function as it is called."""
        home = self._homes.get(file.decl.namespace)
        if home is None:
            if not file.decl.dialects:
                message = f"operator `{decl.name}` stands in a namespace without a dialect"
                help = "declare a `@dialect` class"
                self._reporter.error("TS086", message, decl.place, help=help)
            return function
        before = len(self._reporter.diagnostics)
        traits = [trait.name for trait in home.dialect.traits]
        self._refuse_options(decl, OPERATOR_OPTIONS, traits, "operator")
        operands = tuple(self._operand_checker.operands(decl, function))
        self._operand_checker.check_order(decl)
        texts = {name: self._text(decl, name) for name in ("name", "relation", *_TEXTS)}
        attributes = tuple(param.name for param in decl.params if param.operand is None)
        self._check_result(decl, texts["result"], operands, attributes)
        names = self._names(decl, file, operands, attributes, home)
        rules = RuleChecker(names, self._reporter).check(texts)
        operator = Operator(
            name=decl.name,
            operands=operands,
            attributes=attributes,
            attrs=self._attrs(decl, attributes, home),
            builds=self._builds(decl, file),
            custom=self._flag(decl, "custom", False),
            kind=self._word(decl, "kind", KINDS),
            effect=self._word(decl, "effect", EFFECTS) or "pure",
            traits=tuple(self._traits(decl, home, file)),
            **rules,  # type: ignore[arg-type]  # They are texts alone.
        )
        if operator.builds is None:
            key = f"{home.dialect.prefix}.{texts['name'] or decl.name}"
            self._check_key(key, decl)
            forms = StoredCallResolver(decl, function, home.dialect, self._reporter)
            operator = replace(operator, key=key)
            operator = replace(operator, stored_calls=forms.resolve(operator))
        if len(self._reporter.diagnostics) == before:
            file.operators.append(operator)
        return documented(self._completed(decl, function, home), operator)

    def _names(
        self,
        decl: FunctionDecl,
        file: ResolvedFile,
        operands: tuple[Operand, ...],
        attributes: tuple[str, ...],
        home: Home,
    ) -> Names:
        """Return the names that the rules of an operator may use."""
        return Names(
            decl=decl,
            operands=operands,
            attributes=attributes,
            operators=self._beside[file.decl.namespace],
            functions=self._function_names,
            has_shapes=home.dialect.shapes,
        )

    def _completed(self, decl: FunctionDecl, function: Function, home: Home) -> Function:
        """Return the function of an operator with all its parameters."""
        takes_numbers = home.dialect.number is not None
        params = [
            replace(
                param,
                kw_only=param_decl.kw_only,
                number=takes_numbers and param_decl.operand is not None,
                default=Default(value=None)
                if param_decl.operand is not None and "default" in param_decl.operand
                else param.default,
            )
            for param, param_decl in zip(function.params, decl.params, strict=True)
        ]
        if home.dialect.span is not None:
            params.append(_span(home.dialect.span, any(param.kw_only for param in params)))
        api = self._flag(decl, "api", True)
        return replace(function, params=tuple(params), api=api)

    def _refuse_options(
        self, decl: FunctionDecl, options: tuple[str, ...], traits: object, noun: str
    ) -> None:
        known = [*options, *(traits if isinstance(traits, list) else ())]
        for name, value in decl.options.items():
            if name not in known:
                what = "option or trait" if noun == "operator" else "option"
                message = f"unknown {what} `{name}` of {noun} `{decl.name}`"
                help = suggest_one_of(name, known)
                self._reporter.error("TS080", message, value.place, help=help)

    def _literal(self, decl: FunctionDecl, name: str, type_: object, expected: str) -> Scalar:
        """Return the literal of an option; None without it, or after an error."""
        value = decl.options.get(name)
        if value is None or value.is_literal_of(type_):
            return value.value if value is not None else None
        message = f"option `{name}` of `{decl.name}` cannot be {value}"
        self._reporter.error("TS080", message, value.place, help=f"expected {expected}")
        return None

    def _flag(self, decl: FunctionDecl, name: str, default: bool) -> bool:
        value = self._literal(decl, name, bool, "True or False")
        return default if value is None else value is True

    def _text(self, decl: FunctionDecl, name: str) -> str | None:
        expected = _DOTTED_NAME if name == "name" else _ANY_TEXT
        value = self._literal(decl, name, *expected)
        return None if value is None else str(value)

    def _word(self, decl: FunctionDecl, name: str, words: tuple[str, ...]) -> str | None:
        value = decl.options.get(name)
        if value is None or (value.kind == "literal" and value.value is None):
            return None
        if value.kind == "literal" and isinstance(value.value, str) and value.value in words:
            return value.value
        message = f"unknown {name} {value} of operator `{decl.name}`"
        help = suggest_one_of(str(value.value), words, "it is")
        self._reporter.error("TS080", message, value.place, help=help)
        return None

    def _check_result(
        self,
        decl: FunctionDecl,
        result: str | None,
        operands: tuple[Operand, ...],
        attributes: tuple[str, ...],
    ) -> None:
        variables = {operand.dtype.partition(":")[0] for operand in operands}
        if result is None or result in variables or result in attributes or is_dtype(result):
            return
        self._reporter.error(
            "TS084",
            f"`result` of operator `{decl.name}` cannot be `{result}`",
            decl.options["result"].place,
            help="it is a type variable, a data type, or an attribute that holds one",
        )

    def _attrs(self, decl: FunctionDecl, attributes: tuple[str, ...], home: Home) -> str | None:
        if not attributes or home.dialect.attributes is None:
            return None
        return f"{home.file.namespace}.{attribute_node_name(decl.name)}"

    def _builds(self, decl: FunctionDecl, file: ResolvedFile) -> str | None:
        value = decl.options.get("builds")
        if value is None or (value.kind == "literal" and value.value is None):
            return None
        name = str(value.value)
        symbol = self._symbols.find(file.decl, name) if value.kind == "name" else None
        if symbol is not None and not symbol.is_enum:
            self._check_arguments(decl, symbol)
            return symbol.key
        if value.kind != "name" or not self._symbols.is_reported(file.decl, name):
            message = f"operator `{decl.name}` builds {value}, which is not a node"
            help = suggest(name, file.decl.scope)
            self._reporter.error("TS087", message, value.place, help=help)
        return None

    def _check_arguments(self, decl: FunctionDecl, symbol: Symbol) -> None:
        """Report arguments of the node that an operator builds for which it has no parameter."""
        if self._flag(decl, "custom", False):
            return
        if isinstance(symbol.imported, Type) and symbol.schema is not None:
            fields = symbol.schema.arguments(symbol.imported)
            required = [field.name for field in fields if field.default is None]
        else:
            nodes = self._resolved.nodes()
            found = next((node for node in nodes if node.key == symbol.key), None)
            required = required_arguments(found) if found is not None else []
        given = {"span", *(param.name for param in decl.params)}
        for name in required:
            if name not in given:
                self._reporter.error(
                    "TS087",
                    f"operator `{decl.name}` has no parameter for `{name}`, which "
                    f"`{symbol.name}` needs",
                    decl.options["builds"].place,
                    help=f"add the parameter `{name}`, or write `custom=True`",
                )

    def _traits(self, decl: FunctionDecl, home: Home, file: ResolvedFile) -> Iterator[TraitValue]:
        fields = {field.name: field for field in home.decl.fields}
        for trait in home.dialect.traits:
            value, annotation = decl.options.get(trait.name), fields[trait.name].annotation
            if value is None or annotation is None:
                if trait.default is not None:
                    yield TraitValue(name=trait.name, value=trait.default)
                elif value is None:
                    message = f"operator `{decl.name}` does not state the trait `{trait.name}`"
                    help = f"write `{trait.name}=...`"
                    self._reporter.error("TS080", message, decl.place, help=help)
                continue
            try:
                made = make_default(value, trait.type, annotation, file.decl, self._enums)
            except BadDefault as error:
                message = f"bad trait `{trait.name}` of operator `{decl.name}`: {error.reason}"
                self._reporter.error("TS080", message, value.place, help=error.help)
                continue
            stated = trait_value(made.literal, trait.type.key, self._enums)
            yield TraitValue(name=trait.name, value=stated)

    def _check_key(self, key: str, decl: FunctionDecl) -> None:
        first = self._keys.setdefault(key, decl)
        if first is not decl:
            self._reporter.error(
                "TS088",
                f"operator `{decl.name}` has the name `{key}`, which is taken",
                decl.options["name"].place if "name" in decl.options else decl.place,
                notes=[(f"`{first.name}` has it here", first.place)],
                help="rename one of them",
            )


def _span(key: str, kw_only: bool) -> Parameter:
    return Parameter(
        name="span",
        type=TypeRef(kind="Optional", args=(TypeRef(kind="node", key=key),)),
        doc="Source location.",
        default=Default(value=None),
        kw_only=kw_only,
    )
