"""Forms of classes in script: the option `script` against the fields of its class.

In: the nodes of a package with their fields.  Out: diagnostics (TS038).  The library that reads and
prints script parses the form again, when it loads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest
from tschema.passes.hierarchy import init_order, required_arguments
from tschema.passes.resolved import Node

_FIELD = r"\{\w+\}"
_ARGUMENT = rf"(?:\w+ *= *)?{_FIELD}"
_ARGUMENTS = rf"(?P<arguments>{_ARGUMENT}(?:, *{_ARGUMENT})*)?"
_CALL = rf"(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\({_ARGUMENTS}\)"
_FORM = re.compile(
    rf"(?P<head>for +(?P<loop>{_FIELD}) +in +|with +|(?P<bound>{_FIELD}) *= *)?"
    rf"{_CALL}(?: +as +(?P<named>{_FIELD}))?",
    re.ASCII,
)
_EXPECTED = (
    "a call, such as `toy.clamp({value}, low={low})`, alone, or in `{var} = call`, "
    "`for {var} in call` or `with call as {var}`"
)


def check_script_forms(nodes: Iterable[Node], reporter: Reporter) -> None:
    """Report forms that do not fit their classes, and forms of one name."""
    first: dict[str, Node] = {}
    for node in nodes:
        if not node.options.script or node.imported is not None or node.is_broken:
            continue
        form = _FORM.fullmatch(node.options.script)
        faults = _faults(node, form) if form else iter([("is not a form in script", _EXPECTED)])
        for what, help in faults:
            message = f"`script` of `{node.name}` {what}"
            reporter.error("TS038", message, node.option_place("script"), help=help)
        if form and (other := first.setdefault(form["name"], node)) is not node:
            reporter.error(
                "TS038",
                f"`{other.name}` and `{node.name}` have the form `{form['name']}` both",
                node.option_place("script"),
                notes=[("the first one is here", other.option_place("script"))],
                help="name the calls differently",
            )


def _faults(node: Node, form: re.Match[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the faults of a form of valid syntax, each with a help."""
    head = (form["head"] or "").split(" ")[0]
    if form["named"] and head != "with":
        yield "has `as` without `with`", None
    if node.options.abstract:
        yield "is the form of an abstract class, which has no objects", "remove it"
    if node.options.register is not True or node.options.extern is not None:
        yield "needs a class that generated code registers", "remove it"
    arguments = (form["arguments"] or "").split(",") if form["arguments"] else []
    yield from _argument_faults(node, arguments)
    targets = [one for one in (form["loop"], form["bound"], form["named"]) if one]
    used = [one.strip("{}") for one in (*targets, *re.findall(_FIELD, form["arguments"] or ""))]
    yield from _field_faults(node, used, has_suite=head in ("for", "with"))


def _argument_faults(node: Node, arguments: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the faults in the order and the names of the arguments of the call."""
    names: set[str] = set()
    for argument in arguments:
        name, equals, field = argument.replace(" ", "").rpartition("=")
        field = field.strip("{}")
        if names and not equals:
            yield f"has `{{{field}}}` after an argument with a name", "write its name, too"
        if not equals:
            continue
        if name in names:
            yield f"has two arguments `{name}`", "rename one of them"
        if name != field and name in init_order(node):
            yield f"gives the field `{field}` the name of another field", "choose another name"
        names.add(name)


def _field_faults(
    node: Node, used: list[str], *, has_suite: bool
) -> Iterator[tuple[str, str | None]]:
    """Yield the fields that a form mentions wrongly, or lacks."""
    known = init_order(node)
    for name in dict.fromkeys(used):
        if name not in known:
            help = suggest(name, known) or "fields are arguments of the constructor"
            yield f"has no field `{name}` to write", help
        elif used.count(name) > 1:
            yield f"has `{{{name}}}` twice", "remove one of them"
    missing = [name for name in required_arguments(node) if name not in used]
    if has_suite and not missing:
        yield "has no suite", "leave out the field that holds the statement below it"
    for name in missing[1 if has_suite else 0 :]:
        yield f"lacks `{name}`, which has no default", f"add `{{{name}}}`"
