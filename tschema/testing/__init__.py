"""Help for tests of code that works on declared types: random objects made from a schema."""

from tschema.testing.strategies import Draw, Graphs, Rule

__all__ = ["Draw", "Graphs", "Rule"]
