"""The smallest model of each family of timm: a family is a module of `timm.models`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import timm
from timm.models._registry import _module_to_models

from .case import Case, image_case

__all__ = ["case", "names"]

# Words in names of models, the smallest ones first.
SIZES = ("test", "atto", "femto", "pico", "nano", "zepto", "micro", "mini", "tiny", "xxs", "xs")
LATER = ("small", "s", "m", "base", "b", "medium", "large", "l", "huge", "giant", "gigantic")


def names() -> list[str]:
    """Return one model of each family."""
    return [min(models, key=size_of) for _, models in sorted(_module_to_models.items()) if models]


def size_of(name: str) -> tuple[int, int, int, str]:
    """Return what orders models by size, as their names tell it."""
    words = name.split("_")
    places = [SIZES.index(word) for word in words if word in SIZES]
    later = [LATER.index(word) for word in words if word in LATER]
    numbers = numbers_of(words)
    rank = min(places) if places else len(SIZES) + max(later, default=0)
    return rank, max(numbers, default=0), len(name), name


def numbers_of(words: Iterable[str]) -> list[int]:
    """Return the numbers in words."""
    return [int(one) for word in words for one in re.findall(r"\d+", word)]


def case(name: str) -> Case:
    """Return a model of images of the size that it is made for."""
    model = timm.create_model(name)
    return image_case(model, tuple(model.pretrained_cfg["input_size"]))
