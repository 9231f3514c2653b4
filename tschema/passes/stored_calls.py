"""Calls of operators in files of older versions, as the declarations describe them.

In: the options `renamed_from` and `upgrade` of an operator.  Out: rules, and what files hold of its
attributes; or the reason that a rule is invalid.  A rule is a call of the old form and one of the
new form: `soft(x, *, beta) -> soften(x, low=beta, high=1.0)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tschema.ir.declarations import FunctionDecl

_ARROW = "->"


class BadUpgrade(Exception):
    """A rule that is invalid, and why."""


class Argument(Struct, frozen=True):
    """The value that a rule gives a parameter: a stored value, by name, or a constant."""

    stored: str | None = None
    constant: bool | int | float | str | None = None


class Upgrade(Struct, frozen=True):
    """A rule: the old form of a call, and the values of today's parameters."""

    name: str
    """The operator's old name."""
    operands: tuple[str, ...]
    attributes: tuple[str, ...]
    given: Mapping[str, Argument]
    """By parameter; a parameter that the rule leaves out has its default."""


class StoredAttribute(Struct, frozen=True):
    """What files hold of an attribute: the names that it had, or a value where they lack it."""

    renamed_from: tuple[str, ...] = ()
    constant: Argument | None = None


def rule_texts(decl: FunctionDecl) -> tuple[str, ...]:
    """Return the rules of an operator as written."""
    value = decl.options.get("upgrade")
    return value.texts() if value is not None else ()


def former_names(decl: FunctionDecl) -> tuple[str, ...]:
    """Return the names that an operator had, in `renamed_from` and in rules that parse."""
    value = decl.options.get("renamed_from")
    names = [*(value.texts() if value is not None else ())]
    names += [rule.name for rule in valid_rules(decl)]
    return tuple(name for name in dict.fromkeys(names) if name != decl.name)


def valid_rules(decl: FunctionDecl) -> Iterator[Upgrade]:
    """Yield the rules that parse; `parse_upgrade` reports the errors of the others."""
    for text in rule_texts(decl):
        try:
            yield parse_upgrade(text, decl)
        except BadUpgrade:
            continue


def stored_attributes(decl: FunctionDecl) -> tuple[dict[str, StoredAttribute], tuple[str, ...]]:
    """Return what files hold of an operator's attributes, by name, and the names that are gone."""
    names = {param.name for param in decl.params if param.operand is None}
    renamed: dict[str, list[str]] = {}
    constants: dict[str, Argument] = {}
    removed: dict[str, None] = {}
    for rule in valid_rules(decl):
        given = {name: one for name, one in rule.given.items() if name in names}
        for name, one in given.items():
            if one.stored is None:
                constants.setdefault(name, one)
            elif one.stored != name:
                renamed.setdefault(name, []).append(one.stored)
        used = {one.stored for one in given.values()}
        removed.update((name, None) for name in rule.attributes if name not in used | names)
    stored = {
        name: StoredAttribute(tuple(renamed.get(name, ())), constants.get(name))
        for name in dict.fromkeys((*renamed, *constants))
    }
    return stored, tuple(removed)


def parse_upgrade(text: str, decl: FunctionDecl) -> Upgrade:
    """Return the rule that a text states.

    Parameters
    ----------
    text
        `soft(x, *, beta) -> soften(x, low=beta)`: attributes follow the star on the left.

    Raises
    ------
    BadUpgrade
        It is not such a rule, or names what neither side has.
    """
    before, arrow, after = text.partition(_ARROW)
    if not arrow:
        raise BadUpgrade("there is no `->`")
    name, operands, attributes = _old_form(before)
    given = _new_form(after, decl)
    known = {*operands, *attributes}
    for parameter, one in given.items():
        if one.stored is not None and one.stored not in known:
            raise BadUpgrade(f"`{parameter}` is `{one.stored}`, which the old form does not have")
    return Upgrade(name, operands, attributes, given)


def _old_form(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    head, _, rest = text.strip().partition("(")
    name = head.strip()
    try:
        tree = ast.parse(f"def _({rest}: pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadUpgrade("the old form is not a call") from None
    definition = tree.body[0]
    is_call = len(tree.body) == 1 and all(map(str.isidentifier, name.split(".")))
    if not is_call or not isinstance(definition, ast.FunctionDef):
        raise BadUpgrade("the old form is not a call")
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.defaults or any(arguments.kw_defaults):
        raise BadUpgrade("the old form has names alone")
    operands = (*arguments.posonlyargs, *arguments.args)
    return name, _names(operands), _names(arguments.kwonlyargs)


def _names(arguments: Sequence[ast.arg]) -> tuple[str, ...]:
    return tuple(argument.arg for argument in arguments)


def _new_form(text: str, decl: FunctionDecl) -> dict[str, Argument]:
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadUpgrade("the new form is not a call") from None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != decl.name:
        raise BadUpgrade(f"the new form is not a call of `{decl.name}`")
    names = [param.name for param in decl.params]
    if len(call.args) > len(names):
        raise BadUpgrade(f"the new form has {len(call.args)} arguments, expected {len(names)}")
    given = dict(zip(names, map(_argument, call.args), strict=False))
    for keyword in call.keywords:
        if keyword.arg not in names:
            raise BadUpgrade(f"`{decl.name}` has no parameter `{keyword.arg or '**'}`")
        if keyword.arg in given:
            raise BadUpgrade(f"the new form gives `{keyword.arg}` twice")
        given[keyword.arg] = _argument(keyword.value)
    return given


def _argument(node: ast.expr) -> Argument:
    if isinstance(node, ast.Name):
        return Argument(stored=node.id)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise BadUpgrade(f"`{ast.unparse(node)}` is neither a name nor a constant") from None
    if value is not None and not isinstance(value, bool | int | float | str):
        raise BadUpgrade(f"`{ast.unparse(node)}` is neither a name nor a constant")
    return Argument(constant=value)
