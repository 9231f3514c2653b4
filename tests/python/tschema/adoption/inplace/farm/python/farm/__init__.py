"""A farm."""

from .animal import Animal, Cow, Mood
from .herd import Herd

__all__ = ["Animal", "Cow", "Herd", "Mood"]
