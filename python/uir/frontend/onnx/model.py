"""Reading and checking of models."""

from __future__ import annotations

from os import PathLike, fspath
from typing import TypeAlias

import onnx
import onnx.checker
import onnx.inliner
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

from ..errors import Unsupported, UnsupportedModelError

__all__ = ["Model", "opset_of", "read_model"]

Model: TypeAlias = onnx.ModelProto | bytes | str | PathLike[str]

# What exporters of 2017 wrote.
OLDEST_OPSET = 6

INVALID = (onnx.checker.ValidationError, DecodeError, RuntimeError, ValueError)


def read_model(model: Model) -> onnx.ModelProto:
    """Return a model that ONNX's checker accepts, with calls of the model's functions inlined.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged, the model is malformed (a cycle, a value that nothing defines), or
        its external data lies outside its folder.
    """
    name = "the model" if isinstance(model, onnx.ModelProto | bytes) else f"`{fspath(model)}`"
    try:
        proto = _read(model)
        return onnx.inliner.inline_local_functions(proto) if proto.functions else proto
    except INVALID as error:
        raise ValueError(f"from_onnx: {name} is not a valid model: {error}") from error


def _read(model: Model) -> onnx.ModelProto:
    if isinstance(model, onnx.ModelProto):
        onnx.checker.check_model(model)
        return model
    if isinstance(model, bytes):
        proto = onnx.load_model_from_string(model)
        onnx.checker.check_model(proto)
        return proto
    path = fspath(model)
    with open(path, "rb"):
        pass  # The checker does not tell a missing file from a damaged one.
    onnx.checker.check_model(path)  # With the path, it looks at external data too.
    return onnx.load(path)


def opset_of(model: onnx.ModelProto) -> int:
    """Return the version of ONNX's own operators in a model; the newest if it uses none.

    Raises
    ------
    UnsupportedModelError
        If it is too old, or newer than the package `onnx`.
    """
    newest = onnx.defs.onnx_opset_version()
    versions = [one.version for one in model.opset_import if one.domain in ("", "ai.onnx")]
    version = versions[0] if versions else newest
    if not OLDEST_OPSET <= version <= newest:
        reason = f"version {version} of the operators, not {OLDEST_OPSET} to {newest}; "
        reason += "`onnx.version_converter` converts models"
        raise UnsupportedModelError("from_onnx", [Unsupported(model.graph.name, "graph", reason)])
    return version
