"""Checks of an adoption by what knows C++: the compiler of the project."""

from tschema.adoption.trial import Tried, try_plan

__all__ = ["Tried", "try_plan"]
