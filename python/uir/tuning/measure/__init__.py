"""Measurements of candidates, each in a process of its own."""

from .measurer import Measured, Measurer
from .process import Limits, ProcessMeasurer

__all__ = ["Limits", "Measured", "Measurer", "ProcessMeasurer"]
