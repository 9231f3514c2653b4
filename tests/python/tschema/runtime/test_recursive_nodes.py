"""The page docs/schema/recursive-nodes.md: its declarations are generated, its program runs."""

from __future__ import annotations

import re
from pathlib import Path

from ...support.process import run_python
from ...support.project import ROOT
from .conftest import make_schema

PAGE = (ROOT / "docs/schema/recursive-nodes.md").read_text()


def test_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    declarations, program = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    schema = make_schema(tmp_path, declarations, package="shapes")
    assert run_python(program.replace("schema.json", str(schema))) == shown
