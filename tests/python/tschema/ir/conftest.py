"""What the tests of the front end make schemas with."""

from ..frontend.conftest import build, build_folder

__all__ = ["build", "build_folder"]
