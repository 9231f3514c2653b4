"""`uir explain`: the steps of a simplification, a pass, schedules of loops, or a message."""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from typing import Any

from uir_nodes.arith import Analyzer, Explanation, StepMethod

from .. import schedule, script, tir, transform
from ..transform import list_options, list_pass_names, make_pass
from .json_output import add_json, print_json
from .refusals import add_diagnostic, add_refusal
from .schedules import add_schedule

__all__ = ["add_explain"]


def add_explain(commands: Any) -> None:
    """Add the command, with a command for each topic."""
    parser = commands.add_parser(
        "explain",
        help="explain a simplification, a pass, the schedule of a program, or a message",
        description="Explain the steps of a simplification, a pass and its options, how the "
        "loops of a program are scheduled, why an operator is refused, or the code of a "
        "diagnostic.",
    )
    topics = parser.add_subparsers(required=True, metavar="TOPIC")
    simplify = topics.add_parser("simplify", help="the steps and rules of a simplification")
    simplify.add_argument(
        "expression", help="an expression of script, such as 'x // 4 * 4 + x %% 4'"
    )
    simplify.add_argument(
        "--dtype", default="int32", help="the type of variables; int32 by default"
    )
    simplify.add_argument(
        "--assume",
        action="append",
        default=[],
        metavar="CONDITION",
        help="a fact, such as 'x >= 0'",
    )
    add_json(simplify)
    simplify.set_defaults(run=explain_simplification)
    of_pass = topics.add_parser("pass", help="a pass and its options")
    of_pass.add_argument("name", help="the name of the pass")
    add_json(of_pass)
    of_pass.set_defaults(run=explain_pass)
    add_schedule(topics)
    add_refusal(topics)
    add_diagnostic(topics)


def explain_simplification(options: argparse.Namespace) -> None:
    """Print each step of a simplification, with its rule and the facts that it needs.

    Raises
    ------
    SyntaxError
        If the expression or a fact is malformed.
    """
    expression, *facts = parsed([options.expression, *options.assume], options.dtype)
    analyzer = Analyzer()
    for fact in facts:
        analyzer.assume(fact)
    explanation = analyzer.explain(expression)
    if options.json:
        print_json(json_explanation(explanation))
        return
    print(explanation.text())


def json_explanation(explanation: Explanation) -> dict[str, object]:
    """Return the steps of a simplification as values of JSON."""
    steps = [
        {
            "method": StepMethod(step.method).name.lower(),
            "rule": str(step.rule) or None,
            "source": str(step.source) or None,
            "before": str(step.before),
            "after": str(step.after),
            "facts": [str(fact) for fact in step.facts],
            "result": str(step.result),
        }
        for step in explanation.steps
    ]
    return {"expression": str(explanation.expr), "steps": steps, "result": str(explanation.result)}


def parsed(texts: list[str], dtype: str) -> list[Any]:
    """Return expressions of script whose variables are free, and the same in all texts."""
    names: dict[str, None] = {}
    for text in texts:
        tree = expression_of(text)
        names |= {one.id: None for one in ast.walk(tree) if isinstance(one, ast.Name)}
    params = ", ".join(f"{name}: tir.{dtype}" for name in names if name not in ("tir", "uir"))
    lines = "".join(f"    tir.evaluate({text.strip()})\n" for text in texts)
    func = script.parse_function(f"@tir.prim_func\ndef main({params}):\n{lines}", "<expression>")
    assert isinstance(func, tir.PrimFunc)
    statements = func.body.seq if isinstance(func.body, tir.SeqStmt) else [func.body]
    return [one.value for one in statements if isinstance(one, tir.Evaluate)]


def expression_of(text: str) -> ast.Expression:
    """Read an expression; the message underlines the place where it is wrong."""
    text = text.strip()
    try:
        return ast.parse(text, "<expression>", "eval")
    except SyntaxError as error:
        at = min(error.offset or len(text) + 1, len(text) + 1)
        line = text.splitlines()[(error.lineno or 1) - 1] if text else ""
        shown = f"   1 | {line}\n     | {' ' * (at - 1)}^"
        raise SyntaxError(f"<expression>:1:{at}: error: {error.msg}\n{shown}") from None


def explain_pass(options: argparse.Namespace) -> None:
    """Print the documentation of a pass, its level, and its options with their types.

    Raises
    ------
    ValueError
        If there is no such pass.
    """
    name = options.name
    function = getattr(transform, name, None) or getattr(schedule, name, None)
    if name not in list_pass_names() or function is None:
        heading, text = "", str(make_pass(name))  # Refuses unknown names.
    else:
        heading, text = f"{name}\n\n", inspect.getdoc(function) or ""
    own = [*options_of_pass(name)]
    if options.json:
        print_json({"name": name, "doc": text, "options": own})
        return
    print(f"{heading}{text}")
    for one in own:
        given = one["default"]
        default = "" if given is None else f", by default {json.dumps(given)}"
        print(f"\noption {one['name']}: {one['type']}{default}")
        if one["doc"]:
            print(textwrap.indent(str(one["doc"]), "    "))


def options_of_pass(name: str) -> Iterator[dict[str, object]]:
    """Yield the options of a pass: names, types, and the defaults and docs that their class has."""
    declared = getattr(transform, f"{name}Options", None) or object
    fields = getattr(declared, "__tvm_ffi_type_info__", None)
    docs = {str(one.name): str(one.doc or "") for one in fields.fields} if fields else {}
    params = inspect.signature(declared).parameters if docs else {}
    for key, type_ in list_options().items():
        of_pass, _, option = key.partition(".")
        if of_pass == name:
            default = params[option].default if option in params else None
            doc = docs.get(option, "")
            yield {"name": key, "type": type_, "default": default, "doc": doc}
