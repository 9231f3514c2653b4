"""What has no syntax: tensors and foreign objects, by `metadata` at the end of the text."""

from __future__ import annotations

import numpy as np
import pytest
import tvm_ffi

from uir import ir, script
from uir.script import ScriptError


def constant(*values: float) -> tvm_ffi.Tensor:
    return tvm_ffi.from_dlpack(np.array(values, dtype="float32"))


def test_tensors() -> None:
    tensor = constant(1.5, -2.0)
    attrs = ir.DictAttrs({"weights": tensor, "again": tensor, "other": constant(3.0)})
    text = script.print(attrs)
    assert text.splitlines()[0] == (
        'ir.DictAttrs({"weights": metadata["ffi.Tensor"][0], "again": metadata["ffi.Tensor"][0], '
        '"other": metadata["ffi.Tensor"][1]})'
    )
    parsed = script.parse_value(text)
    assert ir.structural_equal(attrs, parsed)
    assert parsed.dict["weights"].same_as(parsed.dict["again"])
    assert np.array_equal(np.from_dlpack(parsed.dict["other"]), np.array([3.0], dtype="float32"))


def test_without_metadata_the_text_cannot_be_parsed() -> None:
    text = script.print(ir.DictAttrs({"weights": constant(1.0)}), meta=False)
    assert "base64" not in text
    assert text.endswith("# `metadata` is left out, so that this text cannot be parsed")
    with pytest.raises(ScriptError, match="print with `meta=True`"):
        script.parse_value(text)


def test_a_function_has_no_form() -> None:
    text = script.print(ir.DictAttrs({"f": tvm_ffi.convert(lambda: None)}))
    with pytest.raises(ScriptError, match=r"a `ffi\.Function` has no form as text"):
        script.parse_value(text)


@pytest.mark.parametrize(
    "entry",
    ["", "int32;2;AQ==", "int32;x;AQ==", "nothing;1;AQ==", "int32;9999999999999,9999999999;"],
)
def test_malformed_entries_are_refused(entry: str) -> None:
    with pytest.raises(ScriptError):
        script.parse_value(f'[metadata["ffi.Tensor"][0]]\nmetadata = {{"ffi.Tensor": ["{entry}"]}}')
