"""Hovering a public name shows what it does: summary, parameters, result, fields."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import uir
import uir_nodes


def public_modules() -> list[str]:
    """Return the modules whose names users import: the packages below uir."""
    below = [found.name for found in pkgutil.iter_modules(uir.__path__) if found.ispkg]
    return [f"uir.{name}" for name in below]


def documented(owner: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a public value, and the public methods and properties that a class defines itself."""
    yield owner, value
    if not inspect.isclass(value):
        return
    for name, member in vars(value).items():
        # A field is told of in the class's own docstring.
        if name.startswith("_") or name in vars(value).get("__annotations__", {}):
            continue
        if isinstance(member, (staticmethod, classmethod)):
            member = member.__func__
        if isinstance(member, property) or inspect.isfunction(member):
            yield f"{owner}.{name}", member


def public_names() -> list[tuple[str, Any]]:
    """Return what the public modules export, and the members of their classes."""
    found: dict[str, Any] = {}
    for module_name in public_modules():
        module = importlib.import_module(module_name)
        assert module.__doc__, f"`{module_name}` has no docstring"
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.ismodule(value) or not callable(value) or is_of_tvm_ffi(value):
                continue
            found.update(documented(f"{module_name}.{name}", value))
    return sorted(found.items())


def is_of_tvm_ffi(value: Any) -> bool:
    """Whether a class is one of tvm-ffi's, which `uir.runtime` exports under its own name."""
    return inspect.isclass(value) and value.__module__.partition(".")[0] == "tvm_ffi"


def sections(doc: str) -> dict[str, str]:
    """Return the numpy sections of a docstring, by title."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", inspect.cleandoc(doc), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def parameters(function: Any) -> list[str]:
    """Return the names of a function's parameters, without the object itself."""
    names = list(inspect.signature(function).parameters)
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def told(section: str, name: str) -> bool:
    """Whether a section has an entry of a name; one entry may have several."""
    entries = re.findall(r"^(\S[^\n:]*)", section, flags=re.M)
    return any(name in re.split(r",\s*\**|\s+", entry.lstrip("*")) for entry in entries)


def missing(value: Any) -> Iterator[str]:
    """Yield what the documentation of a value lacks."""
    doc = inspect.getdoc(value)
    if not doc or not doc.strip().split("\n")[0].rstrip().endswith((".", ":", ";")):
        yield "a summary"
        return
    found = sections(doc)
    if inspect.isclass(value):
        yield from missing_fields(value)
    elif inspect.isfunction(value) and not is_case(value):
        told_of = found.get("Parameters", "")
        yield from (f"parameter `{name}`" for name in parameters(value) if not told(told_of, name))
        result = inspect.signature(value).return_annotation
        if result not in (
            None,
            "None",
            "NoReturn",
            inspect.Signature.empty,
        ) and not found.keys() & {
            "Returns",
            "Yields",
        }:
            yield "what it returns"


def is_case(function: Any) -> bool:
    """Whether a method is a case of a functor, of which its class tells."""
    return function.__name__.startswith("visit_") and parameters(function) == ["node"]


def missing_fields(value: type) -> Iterator[str]:
    """Yield the fields of a class that its documentation does not tell of."""
    if issubclass(value, Enum) or not value.__module__.startswith("uir"):
        return
    told_of = "".join(
        sections(inspect.getdoc(base) or "").get("Attributes", "") for base in value.__mro__
    )
    names = [name for name in vars(value).get("__annotations__", {}) if name[0] != "_"]
    yield from (f"field `{name}`" for name in names if not told(told_of, name))


def bare_members(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the members of an enum that no string follows."""
    for member, after in pairwise([*body, ast.Pass()]):
        if isinstance(member, ast.Assign) and not isinstance(after, ast.Expr):
            yield ast.unparse(member.targets[0])


def enums() -> Iterator[ast.ClassDef]:
    """Yield the enums in the generated sources: their public names hide where they stand."""
    for path in sorted(Path(next(iter(uir_nodes.__path__))).rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and "IntEnum" in map(ast.unparse, node.bases):
                yield node


def test_every_member_of_an_enum_is_documented() -> None:
    found = list(enums())
    assert "ForKind" in [node.name for node in found]
    bare = [f"{node.name}.{name}" for node in found for name in bare_members(node.body)]
    assert [name for name in bare if not name.endswith("__module__")] == []


@pytest.mark.parametrize("module", public_modules())
def test_everything_public_is_documented(module: str) -> None:
    bare = [
        f"{name}: {', '.join(lacks)}"
        for name, value in public_names()
        if name.startswith(f"{module}.") and (lacks := list(missing(value)))
    ]
    assert bare == []
