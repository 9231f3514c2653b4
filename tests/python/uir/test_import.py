"""What `import uir` does not import: what few programs need, and what takes long."""

from __future__ import annotations

import subprocess
import sys

LATER = [
    "difflib",
    "tschema.cli.main",
    "tschema.runtime.declared",
    "tschema.runtime.type_layout",
    "uir.relay.interpreter",
    "uir.relay.reference",
    "uir.transform.instrument.explorer_page",
]


def test_what_is_imported_later() -> None:
    program = "import sys, uir; print(*sys.modules, sep='\\n')"
    imported = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert "uir.transform" in imported
    assert [name for name in LATER if name in imported] == []


def test_what_is_imported_later_is_there() -> None:
    program = (
        "from tschema.runtime import layout, load_types;"
        "from uir.transform import Explorer;"
        "print(layout.__name__, load_types.__name__, Explorer.__name__)"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed.split() == ["layout", "load_types", "Explorer"]
