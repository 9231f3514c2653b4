"""The rules of operators, from texts to canonical texts.

In: the text of a relation, a condition or a formula.  Out: a rule in canonical infix text with the
names that it uses, or the reason that it is invalid.  It knows no declarations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

NAMED_RELATIONS = ("same", "broadcast", "reduce", "custom")

_ASSIGNMENT = re.compile(
    r"^(?P<target>.*?\])\s*(?P<sign>=|\+=|\*=|max=|min=)(?!=)(?P<value>.*)$", re.S
)
_STEP = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=(?!=)(?P<value>.*)", re.S)
_OPERATIONS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.USub, ast.Not,
    ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
)  # fmt: skip
_STARRED = re.compile(r"\[(\s*(?:[^\[\]]*,)?\s*\*[A-Za-z_][^\[\]]*)\]")
"""Indices with a star among them, which Python 3.10 takes in parentheses only."""
_TUPLE = re.compile(r"\[\(([^()]*)\)\]|,\]")
_LONGEST = 2000
"""Characters of a rule."""


class BadRule(Exception):
    """A rule that does not parse, and why."""


class Formula(Struct, frozen=True):
    """An expression: its canonical text, and the names in it."""

    text: str
    names: tuple[str, ...]
    """Of dimensions, operands and attributes."""
    calls: tuple[str, ...]
    """Of functions."""
    steps: tuple[str, ...] = ()
    """The names that it assigns."""


class Dimension(Struct, frozen=True):
    """A dimension of a shape: a name, `*name` for any number of them, or an expression."""

    formula: Formula
    is_pack: bool = False

    @property
    def name(self) -> str | None:
        """The name that it can bind; None for an expression."""
        return self.formula.text if self.formula.text.isidentifier() else None

    def __str__(self) -> str:
        """Return the canonical text."""
        return f"*{self.formula.text}" if self.is_pack else self.formula.text


class Shape(Struct, frozen=True):
    """The shape of an operand or of a result."""

    dimensions: tuple[Dimension, ...]
    suffix: str = ""
    """`?` for an optional operand, `...` for a variadic one."""

    def __str__(self) -> str:
        """Return the canonical text."""
        return f"({', '.join(map(str, self.dimensions))}){self.suffix}"


class Pattern(Struct, frozen=True):
    """The relation of the shapes of operands and results."""

    operands: tuple[Shape, ...]
    results: tuple[Shape, ...]

    def __str__(self) -> str:
        """Return the canonical text."""
        return f"{', '.join(map(str, self.operands))} -> {', '.join(map(str, self.results))}"


class Compute(Struct, frozen=True):
    """The value of an element of the result: `y[i, j] += a[i, k] * b[k, j]`."""

    result: str
    indices: tuple[Dimension, ...]
    sign: str
    value: Formula
    reads: tuple[tuple[str, tuple[Dimension, ...]], ...]
    """The operands with the indices at which they are read."""

    def __str__(self) -> str:
        """Return the canonical text."""
        return f"{self.result}[{', '.join(map(str, self.indices))}] {self.sign} {self.value.text}"


def parse_formula(text: str) -> Formula:
    """
    Return the formula that a text writes.

    Raises
    ------
    BadRule
        It is not an expression of the grammar.
    """
    return _formula(_parse(text))


def parse_steps(text: str) -> Formula:
    """
    Parse a text of assignments and a result: `p = exp(x); p / sum(p)`.

    Its names are those that no assignment before them gives.

    Raises
    ------
    BadRule
        It is not of that form, or assigns a name twice.
    """
    *steps, result = text.split(";")
    given: list[str] = []
    texts: list[str] = []
    used: list[Formula] = []
    free: dict[str, None] = {}
    for step in steps:
        match = _STEP.fullmatch(step.strip())
        if match is None:
            raise BadRule(f"`{_shown(step)}` is not an assignment such as `p = exp(x)`")
        used.append(parse_formula(match["value"]))
        free.update(dict.fromkeys(name for name in used[-1].names if name not in given))
        if match["name"] in given:
            raise BadRule(f"`{match['name']}` is assigned twice")
        given.append(match["name"])
        texts.append(f"{match['name']} = {used[-1].text}")
    used.append(parse_formula(result))
    free.update(dict.fromkeys(name for name in used[-1].names if name not in given))
    calls = dict.fromkeys(call for formula in used for call in formula.calls)
    return Formula("; ".join((*texts, used[-1].text)), tuple(free), tuple(calls), tuple(given))


def parse_relation(text: str) -> Pattern:
    """
    Return the pattern of shapes that a text writes.

    Raises
    ------
    BadRule
        It is not of the form `(m, k), (k, n) -> (m, n)`.
    """
    before, arrow, after = text.partition("->")
    if not arrow or "->" in after:
        raise BadRule("expected operands, `->` and results")
    results = tuple(_shapes(after))
    if not results:
        raise BadRule("there is no result after `->`")
    if any(shape.suffix for shape in results):
        raise BadRule("a result is neither optional nor variadic")
    return Pattern(tuple(_shapes(before)), results)


def parse_compute(text: str) -> Compute:
    """
    Return the computation that a text writes.

    Raises
    ------
    BadRule
        It does not assign to an element of the result.
    """
    match = _ASSIGNMENT.match(text.strip())
    if match is None:
        raise BadRule("expected an assignment such as `y[i] = x[i]`")
    target = _parse(match["target"])
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        raise BadRule("expected an element of the result before the sign")
    value = _parse(match["value"])
    reads = tuple(
        (node.value.id, _indices(node))
        for node in ast.walk(value)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
    )
    return Compute(target.value.id, _indices(target), match["sign"], _formula(value), reads)


def derived_relation(compute: Compute, operands: tuple[str, ...]) -> Pattern | None:
    """Return the relation that a computation implies; None if an index is not a plain name."""
    reads = dict(compute.reads)
    found = [reads[name] for name in operands if name in reads]
    if len(found) < len(operands):
        return None
    if any(one.name is None for indices in (*found, compute.indices) for one in indices):
        return None
    return Pattern(tuple(Shape(indices) for indices in found), (Shape(compute.indices),))


def _parse(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise BadRule(f"it has more than {_LONGEST} characters")
    try:
        return ast.parse(_STARRED.sub(r"[(\1,)]", " ".join(text.split())), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadRule(f"`{_shown(text)}` is not an expression") from None


def _shown(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= 60 else f"{joined[:57]}..."


def _canonical(node: ast.expr) -> str:
    """Return the text of an expression, the same from every Python."""
    return _TUPLE.sub(
        lambda match: f"[{match[1].rstrip(',')}]" if match[1] else "]", ast.unparse(node)
    )


def _formula(node: ast.expr) -> Formula:
    names: dict[str, None] = {}
    calls: dict[str, None] = {}
    for one in _checked(node):
        if isinstance(one, ast.Name):
            names[one.id] = None
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            calls[one.func.id] = None
    return Formula(_canonical(node), tuple(names), tuple(calls))


def _checked(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression; stop at one that no rule can have."""
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, bool | int | float):
            raise BadRule(f"`{_shown(ast.unparse(node))}` is not a number")
    elif not isinstance(node, _PARTS):
        raise BadRule(f"`{_shown(ast.unparse(node))}` has no meaning in a rule")
    yield node
    for child in _children(node):
        yield from _checked(child)


_PARTS = (
    ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript,
    ast.Tuple, ast.Starred,
)  # fmt: skip


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise BadRule(f"`{_shown(ast.unparse(node.func))}` is not the name of a function")
        yield from node.args
        for keyword in node.keywords:
            if keyword.arg is None:
                raise BadRule(f"`{_shown(ast.unparse(node))}` has no meaning in a rule")
            yield keyword.value
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.operator | ast.unaryop | ast.boolop | ast.cmpop):
            if not isinstance(child, _OPERATIONS):
                raise BadRule(f"`{_shown(ast.unparse(node))}` has no meaning in a rule")
        elif not isinstance(child, ast.expr_context):
            yield child


def _shapes(text: str) -> Iterator[Shape]:
    for part in _split(text):
        match = re.fullmatch(r"\((.*)\)\s*(\?|\.\.\.|)", part.strip(), re.S)
        if match is None:
            raise BadRule(f"`{_shown(part)}` is not a shape such as `(m, n)`")
        yield Shape(tuple(_dimensions(match[1])), match[2])


def _dimensions(text: str) -> Iterator[Dimension]:
    for part in _split(text):
        bare = part.strip()
        formula = parse_formula(bare.removeprefix("*"))
        if bare.startswith("*") and not formula.text.isidentifier():
            raise BadRule(f"`{_shown(bare)}` is not a name after `*`")
        yield Dimension(formula, bare.startswith("*"))


def _split(text: str) -> Iterator[str]:
    """Split at commas outside of parentheses; a comma may end the text."""
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth < 0:
            raise BadRule(f"`{_shown(text)}` closes a parenthesis that is not open")
        if character == "," and depth == 0:
            yield _filled(text[start:position], text)
            start = position + 1
    if depth:
        raise BadRule(f"`{_shown(text)}` has a parenthesis that is not closed")
    if text[start:].strip():
        yield text[start:]


def _filled(part: str, text: str) -> str:
    if not part.strip():
        raise BadRule(f"`{_shown(text)}` has nothing before a comma")
    return part


def _indices(node: ast.Subscript) -> tuple[Dimension, ...]:
    elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return tuple(map(_index, elements))


def _index(node: ast.expr) -> Dimension:
    if isinstance(node, ast.Starred):
        if not isinstance(node.value, ast.Name):
            raise BadRule(f"`{_shown(ast.unparse(node))}` is not a name after `*`")
        return Dimension(_formula(node.value), is_pack=True)
    return Dimension(_formula(node))
