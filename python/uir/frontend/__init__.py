"""Importers: models of other frameworks become modules."""

__all__: list[str] = []
