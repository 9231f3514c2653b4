"""The order of all tests: what takes long comes first, so that no worker is left with it."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the files that are marked `long` to the front."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
