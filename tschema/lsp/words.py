"""The words of the schema language, with what the language's own docstrings say of them.

In: the vocabulary of the passes, and the source of `tschema/ty.py` and `tschema/dsl.py`, which
editors show on hover.  Out: words with their texts.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

from tschema.diagnostics.source import Place, SourceFile
from tschema.frontend.docstring import parse_docstring
from tschema.passes import dialects, operators
from tschema.passes.fields import FIELD_OPTIONS
from tschema.passes.options import CLASS_OPTIONS
from tschema.passes.vocabulary import CONSTRUCTORS, EFFECTS, FOREIGN, KINDS, SCALARS

ROOT = Path(__file__).resolve().parents[4]
_TREES = {name: ast.parse((ROOT / "tschema" / f"{name}.py").read_text()) for name in ("ty", "dsl")}


def types() -> dict[str, str]:
    """Return the types of `ty` with their texts."""
    names = [one.removeprefix("tschema.ty.") for one in (*SCALARS, *CONSTRUCTORS, FOREIGN)]
    names = [name for name in names if "." not in name and f"tschema.ty.{name}" in _known()]
    texts = _attribute_docs(_TREES["ty"].body) | _typing_texts()
    classes: dict[str, str] = {
        one.name: ast.get_docstring(one) or ""
        for one in _TREES["ty"].body
        if isinstance(one, ast.ClassDef | ast.FunctionDef)
    }
    found = {**classes, **texts}
    return {name: found.get(name, "") for name in (*dict.fromkeys(names), "IntEnum")}


def _known() -> set[str]:
    return {*SCALARS, *CONSTRUCTORS, FOREIGN}


def class_options() -> dict[str, str]:
    """Return the class options with their texts."""
    (known,) = (
        one for one in _TREES["ty"].body if isinstance(one, ast.ClassDef) and one.name == "Object"
    )
    texts = _attribute_docs(known.body)
    return {
        name: texts.get(name, "") for name in ("type_key", *sorted({*CLASS_OPTIONS} - {"type_key"}))
    }


def field_options() -> dict[str, str]:
    """Return the options of a field with their texts."""
    texts = _parameters("field")
    return {name: texts.get(name, "") for name in FIELD_OPTIONS}


def operator_options() -> dict[str, str]:
    """Return the keywords of `@operator` with their texts."""
    texts = _parameters("operator")
    for name, values in {"kind": KINDS, "effect": EFFECTS}.items():
        texts[name] += f" One of {', '.join(f'`{one}`' for one in values)}."
    return {name: texts.get(name, "") for name in operators._OPTIONS}


def operand_options() -> dict[str, str]:
    """Return the keywords of `operand` with their texts."""
    return _parameters("operand")


def function_options() -> dict[str, str]:
    """Return the keywords of `@function` with their texts."""
    return {name: text for name, text in _parameters("function").items() if name != "function"}


def method_options() -> dict[str, str]:
    """Return the keywords of `@method`, and the decorator that may stand beside it."""
    texts = {name: text for name, text in _parameters("method").items() if name != "function"}
    return texts | {"static": _summary("static")}


def dialect_options() -> dict[str, str]:
    """Return the options of a dialect with their texts."""
    text = " ".join(_doc("dialect").split())
    found = dict(re.findall(r"`(\w+)` \(([^()]+)\)", text))
    prefix = re.search(r"`prefix` \((.*?)\)", text)
    found["prefix"] = str(prefix[1]) if prefix else ""
    trait = re.search(r"Its fields are (.*?\.)", text)
    texts = {name: str(found.get(name, "")) for name in dialects._OPTIONS}
    return texts | {"a field": f"One of {trait[1]}" if trait else ""}


def decorators() -> dict[str, str]:
    """Return the decorators with their texts."""
    names = ("declare", "field", "method", "static", "function", "operator", "operand", "dialect")
    return {name: _summary(name) for name in names}


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
    for one in _TREES["ty"].body:
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "_TYPING":
            texts: dict[str, str] = ast.literal_eval(one.value)
            return texts
    return {}


def _doc(name: str) -> str:
    functions = [
        one
        for one in _TREES["dsl"].body
        if isinstance(one, ast.FunctionDef) and one.name == name and ast.get_docstring(one)
    ]
    return ast.get_docstring(functions[0]) or ""


def _summary(name: str) -> str:
    return " ".join(_doc(name).partition("\n\n")[0].split())


def _parameters(name: str) -> dict[str, str]:
    nowhere = Place(SourceFile("", ""), (1, 0, 1, 0))
    doc = parse_docstring(_doc(name), lambda _line, _name: nowhere)
    return {item.name: " ".join(item.text.split()) for item in doc.params}
