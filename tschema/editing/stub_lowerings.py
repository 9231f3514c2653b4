"""Lowerings that are missing: of operators whose declarations do not define their results.

In: a configuration and its schema.  Out: the new bytes of files, with a function for each such
operator that throws an error.  The function goes next to the project's other lowerings, in their
language, and in Python where there is none.  It writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tschema.backends.cpp.operators import typed_operators
from tschema.editing.stub import Stubbed
from tschema.ir.casing import camel_case
from tschema.ir.model import Operator, Schema
from tschema.output.files import Rewrite
from tschema.project.config import Config
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import read_files

_REGISTERS = re.compile(r"""(?i:register_?lowering)\(\s*["']([\w.]+)["']""")
"""In C++, by a macro or a function, and in Python, by a decorator."""
_SUFFIXES = (".cc", ".cpp", ".cxx", ".py")
_PYTHON_HEAD = '''\
"""What operators compute."""

from __future__ import annotations

from uir import relay, te, transform
'''
_CPP_HEAD = """\
// What operators compute.
#include "./operator_call.h"
"""


def stub_lowerings(config: Config, schema: Schema) -> Stubbed:
    """Write the lowerings that a project misses."""
    known = dict(_registered(config.root))
    missing = [one for one in _without_rules(schema) if one[1].key not in known]
    old: dict[PurePosixPath, bytes] = {}
    new: dict[PurePosixPath, bytes] = {}
    for stem, operator in missing:
        path = _place(stem, known)
        standing = config.root / path
        if path not in new and standing.is_file():
            old[path] = standing.read_bytes()
        text = new.get(path, old.get(path, b""))
        new[path] = _python(text, operator) if path.suffix == ".py" else _cpp(text, operator)
    bodies = tuple(f"the lowering of `{operator.key}`" for _, operator in missing)
    return Stubbed(Rewrite(old, new), bodies)


def _without_rules(schema: Schema) -> Iterator[tuple[str, Operator]]:
    """Yield the operators on tensors that no data computes, each with its schema file's stem."""
    for space in schema.namespaces:
        for operator in typed_operators(space, schema):
            rules = (operator.scalar, operator.compute, operator.decompose, operator.builds)
            if operator.key is not None and not any(rules):
                yield space.file, operator


def _registered(root: Path) -> Iterator[tuple[str, PurePosixPath]]:
    """Yield the operators that have a lowering, each with the file that registers it."""
    for path, data in read_files(str(root), _SUFFIXES, PROJECT_MARKS):
        text = data.decode("utf-8", "replace")
        yield from ((match[1], PurePosixPath(path)) for match in _REGISTERS.finditer(text))


def _place(stem: str, known: dict[str, PurePosixPath]) -> PurePosixPath:
    """Return the file for a lowering, given those of the others."""
    files = list(dict.fromkeys(known.values()))
    cpp = [path for path in files if path.suffix != ".py" and "tests" not in path.parts]
    if cpp:
        return cpp[0].with_name(f"{stem}.cc")
    python = [path for path in files if path.suffix == ".py" and "tests" not in path.parts]
    return python[0] if python else PurePosixPath("lowerings.py")


def _python(text: bytes, operator: Operator) -> bytes:
    kinds = (
        "list[te.Tensor]" if one.variadic else "te.Tensor | None" if one.optional else "te.Tensor"
        for one in operator.operands
    )
    params = (f"{one.name}: {kind}" for one, kind in zip(operator.operands, kinds, strict=True))
    listed = ", ".join(["call: relay.Call", *params])
    body = f"""

@transform.register_lowering("{operator.key}")
def lower_{operator.name}({listed}) -> te.Tensor:
    \"\"\"Compute `{operator.key}`; the attributes are those of `call.attrs`.\"\"\"
    raise NotImplementedError("the lowering of `{operator.key}` has no body yet")
"""
    return (text.rstrip(b"\n") + b"\n" if text.strip() else _PYTHON_HEAD.encode()) + body.encode()


def _cpp(text: bytes, operator: Operator) -> bytes:
    name = f"Lower{camel_case(operator.name)}"
    body = f"""
namespace uir::transform {{

namespace {{

Values {name}(const OperatorCall& call) {{
  TVM_FFI_THROW(NotImplementedError) << "the lowering of `{operator.key}` has no body yet";
}}

}}  // namespace

UIR_TRANSFORM_REGISTER_LOWERING("{operator.key}", {name});

}}  // namespace uir::transform
"""
    return (text.rstrip(b"\n") + b"\n" if text.strip() else _CPP_HEAD.encode()) + body.encode()
