"""The architectures of transformers: the base class of each configuration, tiny."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any

import torch
import transformers
from torch import nn
from transformers.exporters.configs import DynamoConfig
from transformers.exporters.exporter_dynamo import DynamoExporter
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

from .case import Case, Inputs, varying
from .tiny_configs import VOCABULARY, candidates

__all__ = ["case", "names"]

# Batches and lengths of the two sizes.
SIZES = ((3, 8), (2, 13))
SENTENCES = ("input_ids", "attention_mask", "decoder_input_ids", "mm_token_type_ids", "bbox")


def names() -> list[str]:
    """Return the types of models that have a base class."""
    return sorted(MODEL_MAPPING_NAMES)


def case(name: str) -> Case:
    """Return the smallest model of a type that takes the inputs that are made for it.

    Raises
    ------
    ValueError
        If none does.
    """
    classes = MODEL_MAPPING_NAMES[name]
    model_class = getattr(transformers, classes if isinstance(classes, str) else classes[0])
    problems = []
    for config in candidates(CONFIG_MAPPING[name]):
        try:
            torch.manual_seed(0)
            return fitting(model_class(config).eval())
        except Exception as error:  # The next configuration may fit the model.
            problems.append(f"{type(error).__name__}: {error}")
    raise ValueError("; ".join(problems))


def fitting(model: nn.Module) -> Case:
    """Return the case of a model with all inputs that are made for it, or with sentences alone.

    Images or sound beside sentences need marks in the sentences, which differ between models.
    """
    kind = kind_of(model)
    for names in (None, SENTENCES):
        found = case_of(model, kind, names)
        try:
            with torch.no_grad():
                found.call(model, found.inputs(0))
            return found
        except Exception:
            if names or kind != "several":
                raise
    raise AssertionError("the last call returns or raises")


def case_of(model: nn.Module, kind: str, names: Collection[str] | None) -> Case:
    """Return the case of a model, which takes its inputs by their names: by some of them or all."""

    def call(called: nn.Module, given: Inputs) -> Any:
        return called(**given)

    def made(size: int) -> Inputs:
        found = inputs(model, size)
        return {name: found[name] for name in found if not names or name in names}

    return Case(model, made, kind, exported, call)


def kind_of(model: nn.Module) -> str:
    """Return "text", "vision", "speech" or "several"."""
    parameters = inspect.signature(model.forward).parameters
    kinds = {
        "text": "input_ids" in parameters,
        "vision": "pixel_values" in parameters or "pixel_values_videos" in parameters,
        "speech": bool({"input_values", "input_features"} & set(parameters)),
    }
    found = [kind for kind, is_one in kinds.items() if is_one]
    return found[0] if len(found) == 1 else "several"


def inputs(model: nn.Module, size: int) -> Inputs:
    """Return the inputs of a size that the model knows: sentences with masks, images or sound."""
    batch, length = SIZES[size]
    parameters = inspect.signature(model.forward).parameters
    makers: dict[str, Callable[[], torch.Tensor]] = {
        "input_ids": lambda: torch.randint(4, VOCABULARY - 3, (batch, length)),
        "attention_mask": lambda: mask(batch, length),
        "pixel_values": lambda: torch.randn(batch, *image_shape(model.config)),
        "pixel_values_videos": lambda: torch.randn(batch, *video_shape(model.config)),
        "bbox": lambda: boxes(batch, length),
        "mm_token_type_ids": lambda: torch.zeros(batch, length, dtype=torch.int64),
        "input_features": lambda: torch.randn(batch, *feature_shape(model.config)),
        "input_values": lambda: torch.randn(batch, *sound_shape(model.config)),
    }
    if "input_ids" not in parameters:
        del makers["attention_mask"]
    if getattr(model.config, "is_encoder_decoder", False):
        makers["decoder_input_ids"] = makers["input_ids"]
    found = {name: make() for name, make in makers.items() if name in parameters}
    if not found:
        raise ValueError(f"no inputs for {', '.join(parameters)}")
    return found


def mask(batch: int, length: int) -> torch.Tensor:
    """Return a mask in which the first sentence is padded at its end."""
    found = torch.ones(batch, length, dtype=torch.int64)
    found[0, length // 2 :] = 0
    return found


def boxes(batch: int, length: int) -> torch.Tensor:
    """Return the place of each word on a page: left, top, right and bottom, up to 1000."""
    corners = torch.randint(1000, (batch, length, 2, 2)).sort(2).values
    return corners.reshape(batch, length, 4)


def image_shape(config: Any) -> tuple[int, ...]:
    """Return the shape of an image, or of a video."""
    inner = getattr(config, "vision_config", config)
    channels = getattr(inner, "num_channels", 3)
    size = getattr(inner, "image_size", 64)
    size = tuple(size) if isinstance(size, (list, tuple)) else (size or 64,) * 2
    frames = getattr(inner, "num_frames", None)
    start = (frames,) if isinstance(frames, int) else ()
    return (*start, channels if isinstance(channels, int) else 3, *size)


def video_shape(config: Any) -> tuple[int, ...]:
    """Return the shape of a video: frames, channels, height and width."""
    shape = image_shape(config)
    inner = getattr(config, "vision_config", config)
    frames = getattr(inner, "num_frames", getattr(inner, "frames_per_clip", 2))
    return (frames if isinstance(frames, int) else 2, *shape[-3:])


def feature_shape(config: Any) -> tuple[int, int]:
    """Return the shape of the spectrum of a sound: as Whisper has it, or with time first."""
    if hasattr(config, "num_mel_bins") and hasattr(config, "max_source_positions"):
        return config.num_mel_bins, 2 * config.max_source_positions
    inner = getattr(config, "encoder_config", config)
    return 64, getattr(inner, "num_mel_bins", getattr(inner, "input_feat_per_channel", 80))


def sound_shape(config: Any) -> tuple[int, ...]:
    """Return the shape of a sound: its samples, or the spectrum of each moment."""
    if hasattr(config, "num_mel_bins") and hasattr(config, "max_length"):
        return config.max_length, config.num_mel_bins
    return (2000,)


def exported(model: nn.Module, given: Inputs) -> Any:
    """Return a program of any batch and length, as transformers' own exporter makes it."""
    shapes = varying(lambda one: [0] if one.is_floating_point() else [0, 1], given)
    config = DynamoConfig(dynamic=True, dynamic_shapes=shapes)
    return DynamoExporter().export_program(model, dict(given), config)[0]
