"""Class options."""

from __future__ import annotations

import pytest

from tschema.ir.codec import encode

from .schemas import node


def test_options_are_taken_as_they_stand(stages) -> None:
    options = stages(node("A", "abstract = True", "reserve = 3")).node("ANode").options
    assert (options.abstract, options.reserve) == (True, 3)


def test_an_option_that_is_given_as_by_default_makes_no_difference(build) -> None:
    given = node("A", 'structural = "tree"', "abstract = False", "reserve = 0")
    assert encode(build(given)) == encode(build(node("A")))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("abstrakt = True", "TS029"), ("abstract = 1", "TS030"), ('structural = "graph"', "TS030"),
        ('ref_name = "A\\n"', "TS030"), ('cpp_base = "acme::Base<int"', "TS030"),
        ('extern = "a//b.h"', "TS030"), ("renamed_from = []", "TS030"),
    ],
)  # fmt: skip
def test_a_bad_option_is_reported(stages, line: str, code: str) -> None:
    assert stages(node("A", line)).resolved_codes() == [code]


def test_a_base_in_cpp_may_be_a_template(stages) -> None:
    made = stages(node("A", 'cpp_base = "::acme::Base<int, char>"'))
    assert made.node("ANode").options.cpp_base == "::acme::Base<int, char>"
    assert made.codes() == []
