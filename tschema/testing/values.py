"""Random plain values: everything that a field can hold beside nodes, enums and containers.

In: the kind of a type.  Out: a hypothesis strategy of values as Python has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tvm_ffi
from hypothesis import strategies as st

from tschema.ir.kinds import INTEGER_RANGES

_TEXTS = st.text(max_size=12) | st.sampled_from(["", "\0", "日本語のテキスト", "nine....!"])
_BYTES = st.binary(max_size=12) | st.sampled_from([b"", b"\0\xff", b"nine....!"])
_DTYPES = st.sampled_from(["int32", "float32x4", "bool", "uint8", "bfloat16", "int4x8"])
_DEVICES = st.sampled_from([("cpu", 0), ("cuda", 3), ("vulkan", 2**31 - 1)])


def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.sampled_from([low, high]) | st.integers(low, high)


PLAIN: Mapping[str, st.SearchStrategy[Any]] = {
    **{kind: _integers(*limits) for kind, limits in INTEGER_RANGES.items()},
    "bool": st.booleans(),
    "float32": st.floats(width=32),
    "float64": st.floats(),
    "DataType": _DTYPES.map(tvm_ffi.dtype),
    "Device": _DEVICES.map(lambda name: tvm_ffi.device(*name)),
    "String": _TEXTS,
    "Bytes": _BYTES,
    "Any": st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | _TEXTS | _BYTES,
    "Object": st.lists(st.integers(0, 3), max_size=2).map(tvm_ffi.Array),
    "Shape": st.lists(st.integers(0, 2**62), max_size=4).map(
        lambda sizes: tvm_ffi.Shape(tuple(sizes))
    ),
}
"""By kind.  An unsigned 64-bit value stays below 2**63, the limit of the ABI."""
