"""The packages of script, and the names in them that the parser knows."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from .. import ir, script
from .names import Names

__all__ = ["PACKAGES", "STATEMENTS", "known_names", "split_path"]

PACKAGES = ("tir", "relay", "ir")

STATEMENTS = {
    "tir.alloc_buffer": "Declare a buffer that its block allocates.",
    "tir.allocate": "Allocate memory for the statements that follow.",
    "tir.block": "Open a block, by `with`.",
    "tir.evaluate": "Evaluate an expression for its effect.",
    "tir.func_attr": "State the attributes of the function.",
    "tir.match_buffer": "Name the buffer of a parameter, or a part of another buffer.",
    "tir.reads": "State the regions that a block reads.",
    "tir.where": "State the condition under which a block runs.",
    "tir.writes": "State the regions that a block writes.",
}
"""Forms that have no function of Python."""

_BITS = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64), "bfloat": (16,)}
_TYPES = ("bool", "handle", *(f"{kind}{bits}" for kind, every in _BITS.items() for bits in every))
"""Of `tir`: no list of names has those, because any number of lanes may follow."""

_USUAL = {"T": "tir", "R": "relay", "I": "script"}
"""The names that texts give to packages without an import."""


def split_path(names: Names, path: str) -> tuple[str, str] | None:
    """Return the package and the name of a dotted name; None if it is of no package."""
    first, _, rest = path.partition(".")
    full = f"{names.aliases.get(first, _USUAL.get(first, first))}.{rest}".strip(".")
    *packages, name = full.removeprefix("uir.").removeprefix("script.").split(".")
    return (packages[0], name) if len(packages) == 1 and packages[0] in PACKAGES else None


@cache
def known_names(package: str) -> tuple[str, ...]:
    """Return the names of a package that the parser knows, in the order of the alphabet."""
    operators = (str(name).partition(".") for name in ir.list_op_names())
    found = {name for first, _, name in operators if first == package and "." not in name}
    found |= {name for name in dir(import_module(f"uir.{package}")) if not name.startswith("_")}
    found |= {path.partition(".")[2] for path in STATEMENTS if path.startswith(f"{package}.")}
    found |= {*_TYPES} if package == "tir" else set()
    return tuple(sorted(name for name in found if _is_known(f"{package}.{name}")))


def _is_known(path: str) -> bool:
    """Return whether the parser knows a name, which it says of calls without arguments too."""
    errors = script.diagnose(f"@tir.prim_func\ndef main():\n    {path}()\n")
    return not any(str(one.message).startswith("unknown name") for one in errors)
