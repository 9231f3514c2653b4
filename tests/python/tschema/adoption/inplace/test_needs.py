"""What a file brings in, as far as the file itself can tell."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tschema.backends.base import Need
from tschema.backends.needs import unmet_needs

STRING = Need("tvm/ffi/string.h", "#include <tvm/ffi/string.h>")
SPAN = Need("include/toy/span.h", '#include "../span.h"')
CLASS = Need("c_class", "from tschema.runtime import c_class")
RUST = Need("Span", "use super::span::Span;")


@pytest.mark.parametrize(
    ("path", "text", "need"),
    [
        ("a.h", "#include <tvm/ffi/string.h>\n", STRING),
        ("a.h", "  # include  <tvm/ffi/tvm_ffi.h>\r\n", STRING),
        ("a.h", '#include "toy/span.h"\n', SPAN),
        ("a.h", '#include "../span.h"\n', SPAN),
        ("a.py", "from tschema.runtime import c_class\n", CLASS),
        ("a.py", "if X:\n    from y import z as c_class\n", CLASS),
        ("a.py", "try:\n    import a\nexcept E:\n    c_class = None\n", CLASS),
        ("a.py", "from y import *\n", CLASS),
        ("a.py", "this does not parse\n", CLASS),
        ("a.rs", "use super::span::{self, Span};\n", RUST),
        ("a.rs", "use crate::prelude::*;\n", RUST),
        ("a.rs", "pub struct Span(i32);\n", RUST),
    ],
)
def test_it_is_met(path: str, text: str, need: Need) -> None:
    assert unmet_needs(PurePosixPath(path), text.encode(), [need]) == []


@pytest.mark.parametrize(
    ("path", "text", "need"),
    [
        ("a.h", "// #include <tvm/ffi/string.h>\n", STRING),
        ("a.h", '#include "other/span.h"\n', SPAN),
        ("a.py", "# c_class\nimport dataclasses\n", CLASS),
        ("a.py", "def f():\n    import c_class\n", CLASS),
        ("a.rs", "// use super::span::Span;\n", RUST),
        ("a.rs", 'const S: &str = "use Span;";\n', RUST),
    ],
)
def test_it_is_not_met(path: str, text: str, need: Need) -> None:
    assert unmet_needs(PurePosixPath(path), text.encode(), [need, need]) == [need]
