"""The page of operators that the registry has and no schema file declares."""

from __future__ import annotations

from uir import ir

from .addresses import ROOT
from .cells import cell, row_anchor

__all__ = ["registry_page"]

HEAD = """# Operators without a declaration

Look up the operators that `uir.ir.get_op` knows and no schema file declares. Most have the names
of TVM, so that programs with them are read, printed and transformed.

| operator | arguments | result |
|---|---|---|
"""


def registry_page() -> str:
    """Return the page, with an anchor for each operator."""
    names = sorted(str(name) for name in ir.list_op_names())
    declared = {path.stem for path in (ROOT / "generated/docs/operators").glob("*.md")}
    rows = [_row(ir.get_op(name)) for name in names if f"uir.{name}" not in declared]
    return HEAD + "".join(rows)


def _row(op: ir.Op) -> str:
    count = "any number" if op.num_inputs < 0 else str(op.num_inputs)
    return f"| {row_anchor(op.name)}`{op.name}` | {count} | {cell(op.description)} |\n"
