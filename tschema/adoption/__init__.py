"""Checks of an adoption with the project's compiler and with its registrations."""

from tschema.adoption.compile_trial import Tried, try_plan
from tschema.adoption.registrations import changed_registrations

__all__ = ["Tried", "changed_registrations", "try_plan"]
