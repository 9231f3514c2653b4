"""The words of the schema language, with the texts of the language's own docstrings.

In: the vocabulary of the passes, and the source of `tschema/ty.py` and `tschema/dsl.py`.  Out:
words with their texts, which editors show and the page of the language has.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from tschema.diagnostics.source import Place, SourceFile
from tschema.frontend.docstring import parse_docstring
from tschema.passes.dialects import DIALECT_OPTIONS
from tschema.passes.fields import FIELD_OPTIONS
from tschema.passes.operators import OPERATOR_OPTIONS
from tschema.passes.options import CLASS_OPTIONS
from tschema.passes.vocabulary import CONSTRUCTORS, EFFECTS, FOREIGN, KINDS, SCALARS
from tschema.project.folders import PACKAGE


@cache
def types() -> dict[str, str]:
    """Return the types of `ty` with their texts."""
    names = [one.removeprefix("tschema.ty.") for one in (*SCALARS, *CONSTRUCTORS, FOREIGN)]
    names = [name for name in names if "." not in name and f"tschema.ty.{name}" in _known()]
    texts = _attribute_docs(_body("ty")) | _typing_texts()
    classes: dict[str, str] = {
        one.name: ast.get_docstring(one) or ""
        for one in _body("ty")
        if isinstance(one, ast.ClassDef | ast.FunctionDef)
    }
    found = {**classes, **texts}
    return {name: found.get(name, "") for name in (*dict.fromkeys(names), "IntEnum")}


def _known() -> set[str]:
    return {*SCALARS, *CONSTRUCTORS, FOREIGN}


@cache
def class_options() -> dict[str, str]:
    """Return the class options with their texts."""
    (known,) = (
        one for one in _body("ty") if isinstance(one, ast.ClassDef) and one.name == "Object"
    )
    texts = _attribute_docs(known.body)
    return {
        name: texts.get(name, "") for name in ("type_key", *sorted({*CLASS_OPTIONS} - {"type_key"}))
    }


@cache
def field_options() -> dict[str, str]:
    """Return the options of a field with their texts."""
    texts = _parameters("field")
    return {name: texts.get(name, "") for name in FIELD_OPTIONS}


@cache
def operator_options() -> dict[str, str]:
    """Return the keywords of `@operator` with their texts."""
    texts = _parameters("operator")
    for name, values in {"kind": KINDS, "effect": EFFECTS}.items():
        texts[name] += f" One of {', '.join(f'`{one}`' for one in values)}."
    return {name: texts.get(name, "") for name in OPERATOR_OPTIONS}


@cache
def operand_options() -> dict[str, str]:
    """Return the keywords of `operand` with their texts."""
    return _parameters("operand")


@cache
def function_options() -> dict[str, str]:
    """Return the keywords of `@function` with their texts."""
    return {name: text for name, text in _parameters("function").items() if name != "function"}


@cache
def method_options() -> dict[str, str]:
    """Return the keywords of `@method`, and the decorator that may accompany it."""
    texts = {name: text for name, text in _parameters("method").items() if name != "function"}
    return texts | {"static": _summary("static")}


@cache
def dialect_options() -> dict[str, str]:
    """Return the options of a dialect with their texts."""
    text = " ".join(_doc("dialect").split())
    found = dict(re.findall(r"`(\w+)` \(([^()]+)\)", text))
    prefix = re.search(r"`prefix` \((.*?)\)", text)
    found["prefix"] = str(prefix[1]) if prefix else ""
    trait = re.search(r"Its fields are (.*?\.)", text)
    texts = {name: str(found.get(name, "")) for name in DIALECT_OPTIONS}
    return texts | {"a field": f"One of {trait[1]}" if trait else ""}


@cache
def decorators() -> dict[str, str]:
    """Return the decorators with their texts."""
    names = ("declare", "field", "method", "static", "function", "operator", "operand", "dialect")
    return {name: _summary(name) for name in names}


@cache
def _body(module: str) -> list[ast.stmt]:
    """Return the statements of a module of the language."""
    return ast.parse(Path(PACKAGE, f"{module}.py").read_text(encoding="utf-8")).body


def _attribute_docs(body: list[ast.stmt]) -> dict[str, str]:
    """Return the literals that follow assignments, by the assigned name."""
    found: dict[str, str] = {}
    for one, following in pairwise(body):
        target: ast.expr | None = one.target if isinstance(one, ast.AnnAssign) else None
        if isinstance(one, ast.Assign):
            target = one.targets[0]
        value = following.value if isinstance(following, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
            found[target.id] = " ".join(str(value.value).split())
    return found


def _typing_texts() -> dict[str, str]:
    for one in _body("ty"):
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "_TYPING":
            texts: dict[str, str] = ast.literal_eval(one.value)
            return texts
    return {}


def _doc(name: str) -> str:
    functions = [
        one
        for one in _body("dsl")
        if isinstance(one, ast.FunctionDef) and one.name == name and ast.get_docstring(one)
    ]
    return ast.get_docstring(functions[0]) or ""


def _summary(name: str) -> str:
    return " ".join(_doc(name).partition("\n\n")[0].split())


def _parameters(name: str) -> dict[str, str]:
    nowhere = Place(SourceFile("", ""), (1, 0, 1, 0))
    doc = parse_docstring(_doc(name), lambda _line, _name: nowhere)
    return {item.name: " ".join(item.text.split()) for item in doc.params}
