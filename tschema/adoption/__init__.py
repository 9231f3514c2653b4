"""Checks of an adoption by what the project has: its compiler, and what its code registers."""

from tschema.adoption.compile_trial import Tried, try_plan
from tschema.adoption.registrations import changed_registrations

__all__ = ["Tried", "changed_registrations", "try_plan"]
