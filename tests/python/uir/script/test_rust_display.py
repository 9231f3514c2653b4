"""Each class that Python prints as script has `Display` in Rust."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
DISPLAY = (ROOT / "rust" / "uir" / "src" / "script" / "display.rs").read_text()
PRINTED = {
    "uir.ir.BaseExpr",
    "uir.ir.IRModule",
    "uir.ir.Range",
    "uir.ir.Type",
    "uir.tir.BufferRegion",
    "uir.tir.Stmt",
}
"""The classes to which `install_text` gives `__str__`; `BaseFunc` is an expression."""


def printed_classes() -> set[str]:
    schema = json.loads((ROOT / "generated" / "schema.json").read_text())
    types = {one["key"]: one for space in schema["namespaces"] for one in space.get("types", ())}

    def is_printed(key: str) -> bool:
        return key in PRINTED or (key in types and is_printed(types[key]["parent"]))

    return {f"{key.split('.')[1]}::{one['ref']}" for key, one in types.items() if is_printed(key)}


def test_every_printed_class_has_display() -> None:
    lists = re.findall(r"^display! \{ (\w+):\n(.*?)^\}", DISPLAY, re.MULTILINE | re.DOTALL)
    found = [f"{module}::{name}" for module, names in lists for name in re.findall(r"\w+", names)]
    assert len(found) == len({*found})
    assert {*found} == printed_classes()
