"""Core ATen is imported, or refused by name; the page says which is which."""

from __future__ import annotations

import pytest
import torch

from uir.frontend.torch import UnsupportedModelError, from_exported_program
from uir.frontend.torch.operators import CONVERTERS

from .core_operators import PAGE, core_operators, is_refused, page, unknown_operators
from .eager import exported


def test_each_operator_is_imported_or_refused() -> None:
    assert len(core_operators()) > 180
    assert unknown_operators() == []
    assert not any(is_refused(operator) for operator in CONVERTERS)


def test_the_page_is_as_the_code() -> None:
    text = PAGE.read_text()
    assert page(text) == text


def test_a_refusal_has_its_reason() -> None:
    program = exported(lambda x: x + torch.rand(3), (torch.ones(3),))
    with pytest.raises(UnsupportedModelError, match=r"aten\.rand\.default `rand`: random numbers"):
        from_exported_program(program)
