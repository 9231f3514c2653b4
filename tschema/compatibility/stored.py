"""Whether objects and calls in files of the old version load in the new one.

In: two versions of a class or of an operator.  Out: whether their data load, and the new names of
fields.  The answer for a declaration is the one that the loaders find for a file.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.compatibility.types import is_wider
from tschema.ir.model import Field, Namespace, Operator, Schema, Type


def former_fields(schema: Schema, type_: Type) -> dict[str, str]:
    """Return what fields are called now, by the names that they had; inherited ones too."""
    fields = schema.fields(type_)
    return {former: field.name for field in fields for former in field.renamed_from}


def removed_fields(schema: Schema, type_: Type) -> set[str]:
    """Return the names that loaders skip in objects of a class."""
    return {name for one in schema.ancestry(type_) for name in one.removed_fields}


def is_filled_in(field: Field) -> bool:
    """Return whether loaders know the value of a field in files that lack it."""
    return field.default is not None or field.stored_default is not None or not field.init


def objects_load(old: Schema, before: Type, new: Schema, after: Type) -> bool:
    """Return whether objects of a class load with any values of their fields."""
    fields = {field.name: field for field in new.fields(after)}
    former, removed = former_fields(new, after), removed_fields(new, after)
    stored: Mapping[str, Field] = {field.name: field for field in old.fields(before)}
    for name, field in stored.items():
        now = fields.pop(name if name in fields else former.get(name, ""), None)
        if now is None and name not in removed:
            return False
        if now is not None and not is_wider(field.type, now.type, new):
            return False
    return all(map(is_filled_in, fields.values()))


def calls_load(
    old: Schema,
    space: Namespace,
    before: Operator,
    new: Schema,
    after: Operator,
) -> bool:
    """Return whether calls of an operator of a namespace load.

    Parameters
    ----------
    old, space, before
        The operator in the old version.
    new, after
        The operator in the new one, which may have another name.
    """
    dialect = old.dialect(space.name)
    if dialect is None or before.key is None:
        return False
    is_flat = dialect.attributes is None
    forms = [one for one in after.stored_calls if one.name == before.key]
    if after.key != before.key and not forms:
        return False
    count = _num_arguments(before, is_flat=is_flat)
    arguments_load = any(one.num_arguments == count for one in forms) or (
        _operands_load(before, after)
        and (not is_flat or before.attributes == after.attributes)
        and (after.key == before.key or any(one.num_arguments is None for one in forms))
    )
    return arguments_load and (is_flat or _attributes_load(old, before, new, after))


def _num_arguments(operator: Operator, *, is_flat: bool) -> int | None:
    """Return how many arguments a stored call has; None if that depends on the call."""
    if not is_flat:
        return len(operator.operands)
    if any(one.variadic or one.optional for one in operator.operands):
        return None
    attributes = [name for name in operator.attributes if name != operator.result]
    return len(operator.operands) + len(attributes)


def _operands_load(before: Operator, after: Operator) -> bool:
    """Return whether the operands of a stored call are operands of now, which files do not name."""
    pairs = zip(before.operands, after.operands, strict=False)
    return len(before.operands) <= len(after.operands) and (
        all(
            was.variadic == now.variadic
            and (now.optional or not was.optional)
            and now.dtype in (was.dtype, "any")
            for was, now in pairs
        )
        and all(one.optional for one in after.operands[len(before.operands) :])
    )


def _attributes_load(old: Schema, before: Operator, new: Schema, after: Operator) -> bool:
    if after.attrs is None:
        return before.attrs is None
    now = new.type(after.attrs)
    if before.attrs is None:
        return all(map(is_filled_in, new.fields(now)))
    is_known = before.attrs in (now.key, *now.former_keys)
    return is_known and objects_load(old, old.type(before.attrs), new, now)
