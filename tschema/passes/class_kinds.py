"""Kinds of classes: the requirements of their options on each other and on inherited ones.

In: a resolved node, whose ancestors have passed.  Out: its options and defaults filled in, and
diagnostics.  One function for each kind, and one line in `complete`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.ir.kinds import HEADER_SIZE, INTEGER_RANGES
from tschema.ir.model import Default, Enum, Field, Restatement, TypeRef
from tschema.passes.layout import end_of
from tschema.passes.resolved import FieldInfo, Node, RestatementInfo

_TEXTS = ("String", "Bytes")
_MAY_BE_NULL = frozenset({"node", "Object", "Function", "Tensor", "Module", "Optional", "Any"})
_EMPTY = {"Array": "list", "List": "list", "Map": "dict", "Dict": "dict"}
_BY_ITSELF = frozenset({"Shape", "Tuple"})
"""Kinds whose values C++ makes without arguments, which no literal of a schema says."""
_OF_OBJECTS = ("cow", "default_constructible", "dispatch", "mutable", "post_init")
"""Options that have no meaning for a class of another library."""


def complete(node: Node, enums: Mapping[str, Enum], reporter: Reporter) -> None:
    """Fill in the options that a class takes from its kind, and report contradictions."""
    _inherit_table_pointer(node, reporter)
    _inherit_default_construction(node, reporter)
    _check_extern(node, reporter)
    _check_reference(node, reporter)
    _check_registered(node, reporter)
    if node.options.default_constructible:
        _check_parents(node, reporter)
        node.fields = [_initialized(node, info, enums, reporter) for info in node.fields]
        node.restated += map(_initialized_elsewhere, _required_of_others(node))
    _check_initializers(node, reporter)


# -- Virtual functions --------------------------------------------------------------------------


def _inherit_table_pointer(node: Node, reporter: Reporter) -> None:
    """Make a class below a polymorphic one polymorphic, as C++ does."""
    if node.parent is None or not node.parent.options.polymorphic:
        _check_dispatched(node, reporter)
        return
    if "polymorphic" in node.given and not node.options.polymorphic:
        _error(
            node,
            "polymorphic",
            "is not polymorphic below a class that is",
            reporter,
            note=(f"`{node.parent.name}` has virtual functions", node.parent),
            help="remove the option",
        )
    node.options = replace(node.options, polymorphic=True)


def _check_dispatched(node: Node, reporter: Reporter) -> None:
    """Report a table pointer that begins below a dispatch root, whose functors do not know it."""
    root = next((one for one in node.ancestors() if one.options.dispatch), None)
    if root is not None and node.options.polymorphic:
        _error(
            node,
            "polymorphic",
            f"is polymorphic below the dispatch root `{root.name}`, which is not",
            reporter,
            note=(f"`{root.name}` is declared here", root),
            help=f"write `polymorphic = True` in `{root.name}`",
        )


# -- Classes of other libraries, and those by hand -----------------------------------------------


def _check_extern(node: Node, reporter: Reporter) -> None:
    if node.parent is not None and node.parent.is_opaque and not node.is_opaque:
        parent = node.parent
        _error(
            node,
            "extern",
            f"derives from `{parent.name}`, whose layout is not known",
            reporter,
            note=(f"`{parent.name}` is `extern` without a `size`", parent),
            help="write the `size` of the parent, or make this class `extern` without one too",
        )
    if node.options.extern is None:
        if node.extern_size is not None:
            help = "write `extern` with the header that has the class, or remove `size`"
            _error(node, "size", "has a `size` without `extern`", reporter, help=help)
        return
    if node.extern_size is not None:
        _check_size(node, node.extern_size, reporter)
    for option in _OF_OBJECTS:
        if option in node.given:
            what = f"is `extern` and gives `{option}`"
            _error(node, option, what, reporter, help="remove the option")
    if node.decl is not None and node.decl.methods:
        what = "is `extern` and declares methods"
        _error(node, "extern", what, reporter, help="remove them: its library registers its own")


def _check_size(node: Node, size: int, reporter: Reporter) -> None:
    """Report fields that the class has no room for."""
    parent = node.parent
    start = HEADER_SIZE if parent is None or parent.extern_size is None else parent.extern_size
    end = end_of((info.model for info in node.fields), start)
    if end > size:
        what = f"has a `size` of {size} bytes, and fields up to byte {end}"
        _error(node, "size", what, reporter, help="write its `sizeof` in C++")


# -- Reference classes --------------------------------------------------------------------------


def _check_reference(node: Node, reporter: Reporter) -> None:
    options = node.options
    if options.dispatch and options.ref is None:
        what = "is a dispatch root, and its reference class is None"
        _error(node, "ref", what, reporter, help="remove `ref`, or `dispatch`")
    if "ref_init" in node.given and options.ref in ("hand", None):
        what = f"gives `ref_init`, but its reference class is {_reference(options.ref)}"
        _error(node, "ref_init", what, reporter, help="remove `ref_init`")
    if not options.cow:
        return
    if options.ref in ("hand", None):
        what = f"gives `cow`, but its reference class is {_reference(options.ref)}"
        _error(node, "cow", what, reporter, help="remove `cow`")


def check_copy_on_write(node: Node, reporter: Reporter) -> None:
    """Report a `CopyOnWrite` of a class that has subclasses, once that is known."""
    if node.options.cow and not node.options.final and node.options.register != "hand":
        what = "gives `cow` and is not final: a copy would lack the fields of subclasses"
        _error(node, "cow", what, reporter, help="remove `cow`, or make the class final")


def _reference(ref: str | None) -> str:
    return "written by hand" if ref == "hand" else "None"


# -- Registration -------------------------------------------------------------------------------


def _check_registered(node: Node, reporter: Reporter) -> None:
    parent = node.parent
    if parent is None or parent.options.register or not node.options.register:
        return
    if parent.options.extern is not None:
        return
    _error(
        node,
        "register",
        f"is registered below `{parent.name}`, which is not",
        reporter,
        note=(f"`{parent.name}` has `register = False`", parent),
        help=f"write `register = False` in `{node.name}` too, or register `{parent.name}`",
    )


# -- Default construction -----------------------------------------------------------------------


def _inherit_default_construction(node: Node, reporter: Reporter) -> None:
    """Make a class below a default-constructible one default-constructible."""
    if node.parent is None or not node.parent.options.default_constructible:
        return
    if "default_constructible" in node.given and not node.options.default_constructible:
        _error(
            node,
            "default_constructible",
            "is not default-constructible below a class that is",
            reporter,
            note=(f"`{node.parent.name}` is default-constructible", node.parent),
            help="remove the option",
        )
    node.options = replace(node.options, default_constructible=True)


def _check_parents(node: Node, reporter: Reporter) -> None:
    """Report an ancestor that C++ cannot construct without arguments."""
    parent = node.parent
    if parent is None or parent.options.default_constructible or parent.options.extern:
        return
    takes = [one.model.name for above in parent.lineage() for one in above.fields if one.model.init]
    if takes:
        _error(
            node,
            "default_constructible",
            f"is default-constructible below `{parent.name}`, whose constructor takes `{takes[0]}`",
            reporter,
            note=(f"`{parent.name}` is declared here", parent),
            help=f"write `default_constructible = True` in `{parent.name}`",
        )


def _initialized(
    node: Node, info: FieldInfo, enums: Mapping[str, Enum], reporter: Reporter
) -> FieldInfo:
    """Return a field with the default that its initializer, or C++, gives it."""
    field = info.model
    if field.default is not None or not info.registered:
        return info
    default = Default(initializer=True) if field.cpp_init else _value_of(field.type, enums)
    if default is None and node.options.register == "hand":
        # The author's constructor leaves it as it is, or fills it in.
        default = Default(initializer=True)
    if default is not None:
        return FieldInfo(replace(field, default=default), info.decl, info.registered)
    reporter.error(
        "TS028",
        f"field `{field.name}` of `{node.name}` has no initializer, and C++ gives "
        f"`{field.type}` no useful value",
        info.decl.place if info.decl else node.place,
        help="give it a default, or `field(cpp_init=...)`",
    )
    return info


def _required_of_others(node: Node) -> Iterator[Field]:
    """Yield the inherited fields of classes of other libraries, whose initializers are theirs."""
    known = {one.model.name for above in node.lineage() for one in above.restated}
    for ancestor in node.ancestors():
        for info in ancestor.fields if ancestor.options.extern is not None else ():
            is_required = info.model.init and info.model.default is None
            if is_required and info.model.name not in known:
                yield info.model


def _initialized_elsewhere(field: Field) -> RestatementInfo:
    """Return what makes a field an optional argument."""
    default = Default(initializer=True)
    restated = Restatement(
        name=field.name, doc=field.doc, default=default, kw_only=field.kw_only, init=True
    )
    return RestatementInfo(restated)


def _value_of(ref: TypeRef, enums: Mapping[str, Enum]) -> Default | None:
    """Return what C++ makes of a member that is value-initialized; None if it is of no use."""
    if ref.kind == "bool":
        return Default(value=False)
    if ref.kind in INTEGER_RANGES:
        return Default(value=0)
    if ref.kind in ("float32", "float64"):
        return Default(value=0.0)
    if ref.kind in _TEXTS:
        return Default(value="")
    if ref.kind in _EMPTY:
        return Default(factory="list" if _EMPTY[ref.kind] == "list" else "dict")
    if ref.kind in _MAY_BE_NULL:
        return Default(value=None)
    if ref.kind in _BY_ITSELF:
        return Default(initializer=True)
    return _zero(next((enum for enum in enums.values() if enum.key == ref.key), None))


def _zero(enum: Enum | None) -> Default | None:
    members = enum.members if enum is not None else ()
    return next((Default(value=one.name) for one in members if one.value == 0), None)


def _check_initializers(node: Node, reporter: Reporter) -> None:
    """Report initializers that no constructor would use."""
    if node.options.default_constructible:
        return
    for info in _with_initializer(node.fields):
        if info.model.init and info.decl is not None:
            reporter.error(
                "TS026",
                f"`cpp_init` of field `{info.model.name}` has no effect: the constructor of "
                f"`{node.name}` takes the field",
                info.decl.options["cpp_init"].place,
                help="write `init=False`, or `default_constructible = True` in the class",
            )


def _with_initializer(fields: Iterable[FieldInfo]) -> Iterable[FieldInfo]:
    return (info for info in fields if info.model.cpp_init is not None)


def _error(
    node: Node,
    option: str,
    what: str,
    reporter: Reporter,
    *,
    note: tuple[str, Node] | None = None,
    help: str | None = None,
) -> None:
    """Report an invalid option of a class."""
    notes: list[tuple[str, Place | None]] = [(note[0], note[1].place)] if note else []
    place = node.option_place(option)
    reporter.error("TS030", f"`{node.name}` {what}", place, notes=notes, help=help)
