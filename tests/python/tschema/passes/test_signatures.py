"""Methods and functions."""

from __future__ import annotations

import pytest

from .schemas import node

METHOD = '''
    @method
    def scaled(self, {}) -> {}:
        """Return it, scaled."""
        ...
'''
FUNCTION = '''

@function
def area(x: ty.float64 = 2.0) -> ty.float64:
    """Return the area."""
    ...
'''


def test_a_method_has_parameters_and_a_result(stages) -> None:
    made = stages(node("A") + METHOD.format("by: ty.float64 = 1.5, *", "ANode").replace(", *", ""))
    (info,) = made.node("ANode").methods
    assert [(one.name, str(one.type)) for one in info.model.params] == [("by", "float64")]
    assert str(info.model.returns) == "toy.A"


def test_a_function_has_a_global_name(stages) -> None:
    resolved = stages(FUNCTION).resolved()
    ((_, function),) = resolved.files[0].functions
    assert (function.key, function.params[0].default.value) == ("toy.area", 2.0)


@pytest.mark.parametrize(
    ("params", "code"), [("by", "TS032"), ("*by: int", "TS033"), ("**by: int", "TS033")]
)
def test_a_bad_parameter_is_reported(stages, params: str, code: str) -> None:
    assert stages(node("A") + METHOD.format(params, "int")).resolved_codes() == [code]
