"""Checks of the rules of an operator: every name is bound, every function is known.

In: the texts of an operator's rules and the names that they may use.  Out: canonical texts, and
diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import TypeVar

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest, suggest_one_of
from tschema.diagnostics.source import Place
from tschema.ir.declarations import FunctionDecl
from tschema.ir.model import Operand
from tschema.passes.rules import (
    NAMED_RELATIONS,
    BadRule,
    Compute,
    Formula,
    Pattern,
    Shape,
    derived_relation,
    parse_compute,
    parse_formula,
    parse_relation,
    parse_steps,
)

_Rule = TypeVar("_Rule")
_FORMS = {
    "relation": "write `(m, k), (k, n) -> (m, n)`",
    "require": "write a condition such as `o % groups == 0`",
    "scalar": "write an expression such as `max(x, 0)`",
    "decompose": "write an expression such as `p / sum(p)`, after steps such as `p = exp(x);`",
    "compute": "write an assignment such as `y[m, n] += a[m, k] * b[k, n]`",
}
"""An example of each rule."""
_PLAIN = ("result", "onnx", "torch", "since")
_DIMENSION_FUNCTIONS = frozenset(
    {"abs", "all", "any", "ceildiv", "len", "max", "min", "prod", "rank", "sum"}
)
_ATTRIBUTE_FUNCTIONS = frozenset(
    {"bits", "dtype", "is_float", "is_given", "range", "rank", "shape", "size", "wide"}
)
_SCALAR_FUNCTIONS = frozenset({"abs", "cast", "is_given", "max", "min", "select"})


class Names(Struct, frozen=True):
    """The names that the rules of an operator may use."""

    decl: FunctionDecl
    operands: tuple[Operand, ...]
    attributes: tuple[str, ...]
    operators: Set[str]
    """Of the same dialect."""
    functions: Set[str]
    """Of any namespace."""
    has_shapes: bool

    @property
    def arguments(self) -> frozenset[str]:
        """The operands and the attributes."""
        return frozenset((*(operand.name for operand in self.operands), *self.attributes))


class RuleChecker:
    """Checks the rules of one operator."""

    def __init__(self, names: Names, reporter: Reporter) -> None:
        self._names = names
        self._reporter = reporter
        self._decl = names.decl

    def check(self, texts: Mapping[str, str | None]) -> dict[str, str | None]:
        """Return the rules as canonical text, by name."""
        compute = self._parsed("compute", texts, parse_compute)
        pattern = self._relation(texts, compute)
        bound = _bound(pattern.operands) - set(self._names.attributes) if pattern else set()
        rules: dict[str, str | None] = {name: texts[name] for name in _PLAIN}
        rules["relation"] = str(pattern) if pattern else _named(texts["relation"])
        rules["compute"] = str(compute) if compute else None
        if pattern is not None:
            self._check_pattern(pattern, bound)
        if compute is not None:
            self._check_compute(compute, bound)
        arguments = self._names.arguments
        operators, functions = self._names.operators, self._names.functions
        rules["require"] = self._formula("require", texts, arguments | bound, _DIMENSION_FUNCTIONS)
        rules["scalar"] = self._formula("scalar", texts, arguments, functions | _SCALAR_FUNCTIONS)
        rules["decompose"] = self._decompose(texts, operators | _ATTRIBUTE_FUNCTIONS)
        return rules

    def _place(self, rule: str) -> Place:
        return self._decl.options[rule].place if rule in self._decl.options else self._decl.place

    def _parsed(
        self, rule: str, texts: Mapping[str, str | None], parse: Callable[[str], _Rule]
    ) -> _Rule | None:
        text = texts[rule]
        if text is None:
            return None
        try:
            return parse(text)
        except BadRule as error:
            message = f"bad `{rule}` of operator `{self._decl.name}`: {error}"
            self._reporter.error("TS081", message, self._place(rule), help=_FORMS[rule])
            return None

    def _formula(
        self,
        rule: str,
        texts: Mapping[str, str | None],
        names: Collection[str],
        functions: Collection[str],
    ) -> str | None:
        formula = self._parsed(rule, texts, parse_formula)
        if formula is None:
            return None
        self._check_names(rule, formula.names, names)
        self._check_calls(rule, formula, functions)
        return formula.text

    def _decompose(self, texts: Mapping[str, str | None], functions: Collection[str]) -> str | None:
        formula = self._parsed("decompose", texts, parse_steps)
        if formula is None:
            return None
        self._check_names("decompose", formula.names, self._names.arguments)
        self._check_calls("decompose", formula, functions)
        for name in formula.steps:
            if name in self._names.arguments:
                self._reporter.error(
                    "TS082",
                    f"`decompose` of operator `{self._decl.name}` assigns `{name}`, "
                    "which is an argument",
                    self._place("decompose"),
                    help="give the step another name",
                )
        return formula.text

    def _check_names(self, rule: str, names: Iterable[str], known: Collection[str]) -> None:
        for name in names:
            if name not in known:
                self._reporter.error(
                    "TS082",
                    f"`{rule}` of operator `{self._decl.name}` names `{name}`, "
                    "which is never bound",
                    self._place(rule),
                    help=suggest(name, known) or "name an operand, an attribute or a dimension",
                )

    def _check_calls(self, rule: str, formula: Formula, known: Collection[str]) -> None:
        what = "an operator of the dialect" if rule == "decompose" else "a function"
        for name in formula.calls:
            if name not in known:
                self._reporter.error(
                    "TS083",
                    f"`{rule}` of operator `{self._decl.name}` calls `{name}`, which is not {what}",
                    self._place(rule),
                    help=suggest(name, known) or _known_functions(known),
                )

    def _relation(self, texts: Mapping[str, str | None], compute: Compute | None) -> Pattern | None:
        """Return the pattern of an operator's shapes; None for a named relation."""
        text = texts["relation"]
        if text is not None and "->" not in text and text.strip() not in NAMED_RELATIONS:
            message = f"unknown relation `{text}` of operator `{self._decl.name}`"
            help = suggest_one_of(text, NAMED_RELATIONS, "it is a pattern, or one of")
            self._reporter.error("TS081", message, self._place("relation"), help=help)
            return None
        if text is not None:
            return self._parsed("relation", texts, parse_relation) if "->" in text else None
        operands = tuple(operand.name for operand in self._names.operands)
        pattern = derived_relation(compute, operands) if compute else None
        if pattern is None and self._names.has_shapes and "builds" not in self._decl.options:
            message = f"operator `{self._decl.name}` has no `relation`"
            help = "say how its shape follows from those of its operands"
            self._reporter.error("TS089", message, self._decl.place, help=help)
        return pattern

    def _check_pattern(self, pattern: Pattern, bound: set[str]) -> None:
        known = bound | set(self._names.attributes)
        for shape in (*pattern.operands, *pattern.results):
            for one in shape.dimensions:
                self._check_names("relation", one.formula.names, known)
                self._check_calls("relation", one.formula, _DIMENSION_FUNCTIONS)
        operands = self._names.operands
        if len(pattern.operands) != len(operands):
            self._mismatch(f"has {len(pattern.operands)} shapes for {len(operands)} operands")
            return
        for shape, operand in zip(pattern.operands, operands, strict=True):
            suffix = "?" if operand.optional else "..." if operand.variadic else ""
            if shape.suffix != suffix and "relation" in self._decl.options:
                expected = f"`{Shape(shape.dimensions, suffix)}`"
                self._mismatch(f"has `{shape}` for operand `{operand.name}`, expected {expected}")

    def _mismatch(self, problem: str) -> None:
        message = f"`relation` of operator `{self._decl.name}` {problem}"
        help = "write one shape for each operand, in order"
        self._reporter.error("TS089", message, self._place("relation"), help=help)

    def _check_compute(self, compute: Compute, bound: set[str]) -> None:
        operands = {operand.name for operand in self._names.operands}
        if compute.result in self._names.arguments:
            message = (
                f"`compute` of operator `{self._decl.name}` assigns to its own "
                f"parameter `{compute.result}`"
            )
            help = "assign to a name of its own, such as `y`"
            self._reporter.error("TS082", message, self._place("compute"), help=help)
        indices = {
            one.name
            for found in (compute.indices, *(indices for _, indices in compute.reads))
            for one in found
            if one.name is not None
        }
        known = operands | set(self._names.attributes) | indices | bound
        names = [*compute.value.names, *(n for one in compute.indices for n in one.formula.names)]
        self._check_names("compute", dict.fromkeys(names), known)
        self._check_calls("compute", compute.value, self._names.functions | _SCALAR_FUNCTIONS)


def _bound(shapes: Iterable[Shape]) -> set[str]:
    """Return the names that the shapes of operands bind."""
    return {one.name for shape in shapes for one in shape.dimensions if one.name is not None}


def _known_functions(known: Collection[str]) -> str:
    return (
        f"there are {', '.join(f'`{one}`' for one in sorted(known)[:8])}" if known else "declare it"
    )


def _named(relation: str | None) -> str | None:
    return relation.strip() if relation and relation.strip() in NAMED_RELATIONS else None
