"""The symbol table: what each name of each file stands for."""

from __future__ import annotations

from .schemas import node


def test_a_class_is_found_where_it_is_imported(stages) -> None:
    made = stages(one=node("A"), two="from schema.one import ANode\n" + node("B", base="ANode"))
    symbols = made.symbols()
    two = next(file for file in symbols.files if file.stem == "two")
    assert symbols.find(two, "ANode").key == "toy.A"
    assert symbols.find(two, "Nothing") is None


def test_files_come_after_those_that_they_import(stages) -> None:
    made = stages(a="from schema.b import BNode\n" + node("A", base="BNode"), b=node("B"))
    assert [file.stem for file in made.symbols().files] == ["b", "a"]


def test_a_cycle_of_imports_is_reported(stages) -> None:
    made = stages(
        a="from schema.b import BNode\n" + node("A"), b="from schema.a import ANode\n" + node("B")
    )
    made.symbols()
    assert "TS007" in made.codes()
