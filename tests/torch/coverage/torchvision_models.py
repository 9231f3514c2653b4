"""The builders of torchvision, without those of quantized models."""

from __future__ import annotations

import torch
from torchvision import models

from .case import Case, Inputs, called, exported, image_case

__all__ = ["case", "names"]

# Builders by their modules; images are (channels, height, width), videos have frames too.
IMAGES = {"inception_v3": 299}
VIDEO = (3, 16, 112, 112)
LARGE_VIDEO = (3, 16, 224, 224)


def names() -> list[str]:
    """Return the builders, the first one of each family before the others."""
    found = [name for name in models.list_models() if "quantization" not in module_of(name)]
    families: dict[str, list[str]] = {}
    for name in found:
        families.setdefault(module_of(name), []).append(name)
    first = [several[0] for several in families.values()]
    return [*first, *(name for name in found if name not in first)]


def module_of(name: str) -> str:
    """Return the module that has a builder."""
    return str(models.get_model_builder(name).__module__)


def case(name: str) -> Case:
    """Return a model with random weights, and inputs of the size that it is made for."""
    options = {} if "optical_flow" in module_of(name) else {"weights": None}
    if any(word in module_of(name) for word in ("detection", "segmentation")):
        options["weights_backbone"] = None
    model = models.get_model(name, **options)
    if "optical_flow" in module_of(name):
        return Case(model.eval(), frames, "vision", exported, called)
    if "video" in module_of(name):
        is_large = any(word in name for word in ("mvit", "swin", "s3d"))
        return image_case(model, LARGE_VIDEO if is_large else VIDEO)
    size = IMAGES.get(name, 224)
    return image_case(model, (3, size, size))


def frames(size: int) -> Inputs:
    """Return pairs of frames."""
    return {name: torch.randn(size + 1, 3, 128, 128) for name in ("image1", "image2")}
