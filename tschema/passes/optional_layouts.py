"""Fields that tvm-ffi 0.1.12 lays out otherwise than a schema does.

In: a resolved package. Out: an error for each `Optional` field whose value is neither a reference,
a text nor a number of 64 bits: since 0.1.13 it is laid out as `Any`, before as `std::optional`.
"""

from __future__ import annotations

from tschema.diagnostics.errors import Reporter
from tschema.ir.kinds import OBJECT_KINDS
from tschema.ir.model import TypeRef
from tschema.passes.resolved import ResolvedPackage

_SAME_SIZE = frozenset({*OBJECT_KINDS, "String", "Bytes", "Any", "int64", "uint64", "float64"})


def check_optional_layouts(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report the fields of a package whose layout is another one in tvm-ffi 0.1.12."""
    for node in resolved.nodes():
        for info in node.fields:
            if info.decl is None or not _differs(info.model.type):
                continue
            reporter.error(
                "TS098",
                f"field `{info.model.name}` of `{node.name}` needs tvm-ffi 0.1.13: 0.1.12 lays out "
                "this `Optional` otherwise",
                info.decl.place,
                help='make it `ty.Any`, or set `tvm_ffi = ">=0.1.13"` in `[cpp]`',
            )


def _differs(ref: TypeRef) -> bool:
    return ref.kind == "Optional" and ref.args[0].kind not in _SAME_SIZE
