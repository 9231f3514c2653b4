"""What both sides of the benchmark of arithmetic do.

Neither compiler is imported here: `dialect` is `uir.tir` on one side and `tvm.tirx` on
the other, and the classes have the same names and arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tiled_programs import Case, Form

__all__ = ["ArithSide"]

BINARY = ("Add", "Sub", "Mul", "FloorDiv", "FloorMod", "Div", "Mod", "Min", "Max")
BINARY += ("EQ", "NE", "LT", "LE", "GT", "GE", "And", "Or")


class ArithSide:
    """
    The expressions as nodes of a compiler, with an analyzer for each.

    Parameters
    ----------
    dialect
        The module of its expressions.
    analyzer
        Makes an analyzer.
    positive
        Tells an analyzer that a variable is at least 1.
    bind
        Tells an analyzer that a variable is from 0 to below an extent.
    prove
        Asks an analyzer for a proof.
    cases
        The expressions.
    """

    def __init__(
        self,
        dialect: Any,
        analyzer: Callable[[], Any],
        positive: Callable[[Any, Any], None],
        bind: Callable[[Any, Any, Any], None],
        prove: Callable[[Any, Any], bool],
        cases: list[Case],
    ) -> None:
        self._dialect = dialect
        self._analyzer = analyzer
        self._positive = positive
        self._bind = bind
        self._prove = prove
        self._cases = cases

    def questions(self) -> list[tuple[Any, Any]]:
        """Return a new analyzer and a new expression for each case."""
        return [self._question(case) for case in self._cases]

    def _question(self, case: Case) -> tuple[Any, Any]:
        variables = {"n": self._dialect.Var("n", "int32")}
        analyzer = self._analyzer()
        self._positive(analyzer, variables["n"])
        for name, extent in case.ranges.items():
            variables[name] = self._dialect.Var(name, "int32")
            self._bind(analyzer, variables[name], self.node(extent, variables))
        return analyzer, self.node(case.form, variables)

    def node(self, form: Form, variables: dict[str, Any]) -> Any:
        """Return an expression as it is written, with nothing folded."""
        if isinstance(form, int):
            return self._dialect.const(form, "int32")
        if isinstance(form, str):
            return variables[form]
        name, *operands = form
        if name in ("Ramp", "Broadcast"):
            parts = [self.node(operand, variables) for operand in operands[:-1]]
            return getattr(self._dialect, name)(*parts, operands[-1])
        return getattr(self._dialect, name)(*(self.node(part, variables) for part in operands))

    def simplified(self) -> list[Form]:
        """Return what each expression is simplified to."""
        return [form_of(analyzer.simplify(expr)) for analyzer, expr in self.questions()]

    def proved(self) -> list[bool]:
        """Return of each condition whether it is proved, and False of what is no condition."""
        return [
            case.is_condition and bool(self._prove(analyzer, expr))
            for case, (analyzer, expr) in zip(self._cases, self.questions(), strict=True)
        ]

    def simplify_all(self) -> Callable[[], None]:
        """Return a function that simplifies each expression, to be called once."""
        questions = self.questions()

        def run() -> None:
            for analyzer, expr in questions:
                analyzer.simplify(expr)

        return run


def form_of(expr: Any) -> Form:
    """Return a node in the form that belongs to neither compiler."""
    name = type(expr).__name__
    if name in BINARY:
        return [name, form_of(expr.a), form_of(expr.b)]
    if name == "IntImm":
        return int(expr.value)
    if name in ("Var", "SizeVar"):
        return str(expr.name)
    if name == "Not":
        return [name, form_of(expr.a)]
    if name == "Ramp":
        return [name, form_of(expr.base), form_of(expr.stride), int(expr.lanes)]
    if name == "Broadcast":
        return [name, form_of(expr.value), int(expr.lanes)]
    if name == "Select":
        return [name, form_of(expr.condition), form_of(expr.true_value), form_of(expr.false_value)]
    raise TypeError(f"no form for `{name}`: {expr}")
