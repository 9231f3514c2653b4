"""The operators of ONNX that are refused, and why: for messages and for `docs/onnx.md`."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["REFUSED", "reason_of", "refused_rows"]

# By domain and reason; operators that are neither here nor supported have no reason but that.
REFUSED: dict[tuple[str, str], str] = {
    ("", "the shape of the result depends on elements"): (
        "Compress NonMaxSuppression NonZero Unique"
    ),
    ("", "loops over graphs"): "Loop Scan SequenceMap",
    ("", "recurrent networks"): "GRU LSTM RNN",
    ("", "sequences and optional values"): (
        "ConcatFromSequence Optional OptionalGetElement OptionalHasElement SequenceAt "
        "SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength "
        "SplitToSequence"
    ),
    ("", "text and images in files"): (
        "ImageDecoder RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer"
    ),
    ("", "quantized tensors"): (
        "ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearConv "
        "QLinearMatMul QuantizeLinear"
    ),
    ("", "random numbers"): (
        "Bernoulli Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike"
    ),
    ("", "not in relay"): (
        "BitCast BlackmanWindow Col2Im DFT DeformConv Det GridSample HammingWindow HannWindow "
        "LinearAttention MaxRoiPool MaxUnpool MelWeightMatrix ReverseSequence RoiAlign STFT "
        "TensorScatter"
    ),
    ("ai.onnx.ml", "maps and text"): (
        "CastMap CategoryMapper DictVectorizer LabelEncoder OneHotEncoder ZipMap"
    ),
    ("ai.onnx.ml", "not in relay"): (
        "FeatureVectorizer Imputer LinearClassifier LinearRegressor SVMClassifier SVMRegressor "
        "TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor"
    ),
}


def reason_of(domain: str, operator: str) -> str | None:
    """Return why an operator is refused; None if it is not in the table."""
    for (of_domain, reason), names in REFUSED.items():
        if of_domain == domain and operator in names.split():
            return reason
    return None


def refused_rows() -> Iterator[str]:
    """Yield the lines of the table as Markdown."""
    yield "| refused | operators |"
    yield "|---|---|"
    for (domain, reason), names in REFUSED.items():
        of_domain = f", domain `{domain}`" if domain else ""
        yield f"| {reason}{of_domain} | {', '.join(f'`{name}`' for name in names.split())} |"
