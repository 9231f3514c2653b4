"""Records of the types of a registry.

In: a `Registry`.  Out: `Found`.  It records the facts of a registry; other modules decide whether
the schema language can express them.
"""

from __future__ import annotations

from typing import Literal

from tschema.importer.records import (
    Found,
    FoundClass,
    FoundDefault,
    FoundField,
    FoundMethod,
    FoundParameter,
)
from tschema.importer.registry.ask import (
    ProbedDefault,
    ProbedField,
    ProbedMethod,
    ProbedType,
    Registry,
)
from tschema.importer.registry.type_schemas import TypeReader, UnknownType, decode_metadata, spell
from tschema.importer.registry.virtual_tables import polymorphic_keys
from tschema.ir.model import TypeRef

_INIT = "__ffi_init__"
_OMITTED_FLAGS = {
    "compare_off": "`{}` does not count in ordered comparisons",
    "hash_off": "`{}` does not count in hashes of values",
}
"""The meanings of those flags of a field that the schema language has no option for."""

_Structural = Literal["ignore", "def", "def_pattern"]
_STRUCTURAL: dict[str, _Structural] = {
    "structural_ignore": "ignore",
    "structural_def": "def",
    "structural_def_pattern": "def_pattern",
}


def read_registry(registry: Registry, source: str) -> Found:
    """
    Return the classes of a registry; plain values of the ABI have type keys too, and are left out.

    Parameters
    ----------
    registry
        The result of the probe.
    source
        The origin of the registry, for messages.
    """
    reader = _Reader(registry)
    classes = tuple(reader.read(one) for one in registry.types if one.parent is not None)
    return Found(source=source, classes=classes)


class _Reader:
    """Reads the types of one registry."""

    def __init__(self, registry: Registry) -> None:
        self._types = TypeReader({one.key for one in registry.types})
        self._polymorphic = polymorphic_keys(registry.types)

    def read(self, probed: ProbedType) -> FoundClass:
        omitted = [
            text.format(field.name)
            for field in probed.fields
            for flag, text in _OMITTED_FLAGS.items()
            # What structural equality ignores does not count there either.
            if flag in field.flags and "structural_ignore" not in field.flags
        ]
        fields = [self._field(field, omitted) for field in probed.fields]
        named = [method for method in probed.methods if not method.name.startswith("__")]
        methods = [self._method(method, omitted) for method in named]
        has_init = any(method.name == _INIT for method in probed.methods)
        return FoundClass(
            key=probed.key,
            parent=probed.parent,
            doc=probed.doc,
            fields=tuple(sorted(fields, key=lambda field: field.offset or 0)),
            methods=tuple(method for method in methods if method is not None),
            registered=probed.registered,
            abstract=not probed.creator and not has_init,
            mutable=any(field.writable for field in fields),
            structural=probed.structural,
            polymorphic=probed.key in self._polymorphic,
            child_slots=probed.child_slots,
            size=probed.size or None,
            omitted=tuple(omitted),
        )

    def _field(self, probed: ProbedField, omitted: list[str]) -> FoundField:
        schema = decode_metadata(probed.metadata)
        ref, unknown = None, None
        try:
            ref = self._types.member(schema, probed.size)
        except UnknownType:
            unknown = spell(schema)
        default = probed.default
        if default is not None and default.type is not None:
            omitted.append(f"the default of `{probed.name}`, which no literal makes")
        kinds = [kind for flag, kind in _STRUCTURAL.items() if flag in probed.flags]
        return FoundField(
            name=probed.name,
            type=ref,
            unknown_type=unknown,
            doc=probed.doc,
            default=_default(default, ref),
            init="init_off" not in probed.flags,
            kw_only="kw_only" in probed.flags,
            repr="repr_off" not in probed.flags,
            structural=kinds[0] if kinds else None,
            writable="writable" in probed.flags,
            offset=probed.offset,
            size=probed.size,
            align=probed.align,
        )

    def _method(self, probed: ProbedMethod, omitted: list[str]) -> FoundMethod | None:
        try:
            params, returns = self._types.signature(decode_metadata(probed.metadata))
        except UnknownType as unknown:
            omitted.append(f"method `{probed.name}`, whose signature has `{unknown}`")
            return None
        is_static = "static" in probed.flags
        return FoundMethod(
            name=probed.name,
            # The first parameter of a method is the object.
            params=tuple(FoundParameter(type=ref) for ref in params[0 if is_static else 1 :]),
            returns=returns,
            doc=probed.doc,
            static=is_static,
        )


def _default(default: ProbedDefault | None, ref: TypeRef | None) -> FoundDefault | None:
    if default is None or default.type is not None:
        return None
    if default.factory is not None:
        return FoundDefault(factory=default.factory)
    value = default.literal
    # An integer or a boolean is as good a default to C++, and not to Python.
    if ref is not None and ref.kind == "bool" and isinstance(value, int):
        value = bool(value)
    elif isinstance(value, bool) and ref is not None and ref.kind not in ("bool", "Any"):
        value = int(value)
    return FoundDefault(value=value)
