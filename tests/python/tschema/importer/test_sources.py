"""Which of the classes that were found an import wants."""

from __future__ import annotations

from tschema.importer.records import Found, FoundClass
from tschema.importer.sources import Sources, without_other_libraries


def _sources(written: frozenset[str]) -> Sources:
    keys = ("toy.Point", "toy.Made", "other.Stream", "side.Line")
    found = Found(source="a test", classes=[FoundClass(key=key, name="A") for key in keys])
    return Sources(found, frozenset(keys), (), "toy", written)


def test_classes_of_dependencies_are_left_out() -> None:
    kept = without_other_libraries(_sources(frozenset({"toy.Point", "side.Line"})), {"toy"})
    # A header declares `side.Line`, whose root is missing in the configuration: that is an error.
    assert kept.wanted == {"toy.Point", "toy.Made", "side.Line"}
    assert kept.foreign == ("other.Stream",)


def test_a_registry_alone_is_the_library_itself() -> None:
    assert without_other_libraries(_sources(frozenset()), {"toy"}).foreign == ()
