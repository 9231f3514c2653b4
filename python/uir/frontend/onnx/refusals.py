"""The operators of ONNX that are refused, and why: for messages and for `onnx.md`."""

from __future__ import annotations

from ..refusals import Refusals

__all__ = ["HELP", "REFUSED", "split_reason"]

# By domain and reason; operators that are neither here nor supported have no reason but that.
REFUSED: dict[str, Refusals] = {
    "": {
        "text and images in files": (
            "ImageDecoder RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer"
        ),
        "not in relay": ("BitCast BlackmanWindow HammingWindow HannWindow MaxRoiPool"),
    },
    "ai.onnx.ml": {
        "maps and text": "CastMap CategoryMapper DictVectorizer",
    },
}

# By reason.
HELP: dict[str, str] = {
    "text and images in files": "decode them before the model and give tensors as inputs",
    "not in relay": "export the model with other operators, or compute it before the model",
    "maps and text": "make tensors of them before the model and give these as inputs",
}


def split_reason(stated: int, found: int) -> str:
    """Return why a `Split` is refused whose `num_outputs` is not the number of its outputs."""
    return f"`num_outputs` is {stated}, of {found} outputs"
