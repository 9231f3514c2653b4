"""The page on building programs does what it says."""

from __future__ import annotations

import re
from typing import Any

from uir.ir import IRModule, verify

from ..support.project import ROOT

PAGE = (ROOT / "docs" / "compiler" / "building.md").read_text("utf-8")


def test_the_python_of_the_page_runs() -> None:
    names: dict[str, Any] = {}
    functions = []
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(block, "building.md", "exec"), names)
        if "func" in names:
            functions.append(names.pop("func"))
    assert [func.get_attr("global_symbol") for func in functions] == ["add_one", "matmul"]
    assert [list(verify(IRModule.from_func(func))) for func in functions] == [[], []]


def test_what_the_page_names_is_there() -> None:
    from uir import ir, te, tir

    ib = tir.builder()
    spaces = {"tir": tir, "te": te, "ib": ib, "uir.ir": ir, "A": tir.decl_buffer((1,))}
    for space, name in re.findall(r"`(uir\.ir|tir|te|ib|A)\.(\w+)", PAGE):
        assert hasattr(spaces[space], name), f"{space}.{name}"
    listed = PAGE[PAGE.index("Scopes are `with`") : PAGE.index("Each statement records")]
    for name in re.findall(r"`(\w+)`", listed.replace("`with`", "")):
        assert hasattr(ib, name), name
