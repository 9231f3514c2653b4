"""Base classes: from the name in a class head to the parent `Node`.

In: a node without a parent.  Out: the same node, linked.  Types of imported packages become nodes
here, with their ancestors.
"""

from __future__ import annotations

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest
from tschema.ir.declarations import TypeExpr, missing_import
from tschema.ir.model import ROOT_KEY, Schema, Type
from tschema.passes.resolved import FieldInfo, MethodInfo, Node, RestatementInfo
from tschema.passes.symbols import Symbol, Symbols
from tschema.passes.vocabulary import ROOT_BASES

_MOST_ANCESTORS = 200
"""Ancestors of a class, the root left out."""


def _fields(type_: Type) -> list[FieldInfo]:
    """Return the members of an imported type, in memory order."""
    hidden = set(type_.unregistered)
    return [FieldInfo(one, registered=one not in hidden) for one in type_.members]


class BaseResolver:
    """Links the nodes of a package, which it must be given parents first."""

    def __init__(self, symbols: Symbols, reporter: Reporter) -> None:
        self._symbols = symbols
        self._reporter = reporter
        self._linked: dict[Symbol, Node] = {}
        self._imported: dict[str, Node] = {}
        self._in_cycle: set[Symbol] = set()

    def link(self, node: Node, symbol: Symbol) -> None:
        """Set the parent of a node, or mark the node as broken."""
        base = self._single_base(node)
        if base is None:
            node.is_broken = True
        elif node.file is not None and node.file.qualify(base.name) not in ROOT_BASES:
            node.parent = self._parent(node, symbol, base)
            node.is_broken |= node.parent is None or node.parent.is_broken
            node.is_broken |= self._is_too_deep(node)
        if symbol.decl is node.decl:
            self._linked[symbol] = node

    def _is_too_deep(self, node: Node) -> bool:
        """Report a class that has more ancestors than compilers are ready for."""
        count = sum(1 for _ in node.ancestors())
        if node.is_broken or node.decl is None or count <= _MOST_ANCESTORS:
            return False
        self._reporter.error(
            "TS013",
            f"class `{node.name}` has {count} ancestors, more than {_MOST_ANCESTORS}",
            node.decl.place,
            help="derive it from a class further up",
        )
        return True

    def _single_base(self, node: Node) -> TypeExpr | None:
        decl = node.decl
        if decl is None or (decl.broken and not decl.bases):
            return None
        if len(decl.bases) == 1 and not decl.bases[0].args:
            return decl.bases[0]
        wrong = "has no base class" if not decl.bases else "must have one plain base class"
        self._reporter.error(
            "TS009",
            f"class `{node.name}` {wrong}",
            decl.place,
            help=f"write `class {node.name}(Object)`" if not decl.bases else None,
        )
        return None

    def _parent(self, node: Node, symbol: Symbol, base: TypeExpr) -> Node | None:
        assert node.file is not None
        target = self._symbols.find(node.file, base.name)
        if target is None:
            self._report_unknown(node, base)
            return None
        if target.is_enum:
            self._reporter.error("TS009", f"base class `{base.name}` is an enum", base.place)
            return None
        if isinstance(target.imported, Type) and target.schema is not None:
            parent: Node | None = self._import(target.imported, target.schema)
        else:
            parent = self._linked.get(target)
        if parent is None:
            self._report_order(node, symbol, target, base)
        elif parent.options.final:
            self._report_final(node, parent, base)
        return parent

    def _import(self, type_: Type, schema: Schema) -> Node:
        known = self._imported.get(type_.key)
        if known is not None:
            return known
        parent = None
        if type_.parent != ROOT_KEY:
            parent = self._import(schema.type(type_.parent), schema)
        node = Node(
            name=type_.name,
            key=type_.key,
            ref=type_.ref,
            parent=parent,
            options=type_.options,
            fields=_fields(type_),
            restated=[RestatementInfo(restated) for restated in type_.restated],
            methods=[MethodInfo(method) for method in type_.methods],
            imported=type_,
        )
        self._imported[type_.key] = node
        return node

    def _report_unknown(self, node: Node, base: TypeExpr) -> None:
        assert node.file is not None
        if self._symbols.is_reported(node.file, base.name):
            return
        visible = [name for name in node.file.scope if name != node.name]
        self._reporter.error(
            "TS009",
            f"unknown base class `{base.name}` of `{node.name}`",
            base.place,
            help=missing_import(base.name, node.file.scope)
            or self._symbols.elsewhere(base.name)
            or suggest(base.name, visible),
        )

    def _report_order(self, node: Node, symbol: Symbol, target: Symbol, base: TypeExpr) -> None:
        """Report a base that is not linked yet: a cycle, or a class further down."""
        cycle = self._cycle(symbol)
        if symbol in cycle:
            if symbol not in self._in_cycle:
                chain = " -> ".join(f"`{one.name}`" for one in [*cycle, symbol])
                message = f"class `{node.name}` inherits from itself"
                notes = [(f"the chain is {chain}", None)] if len(cycle) > 1 else []
                self._reporter.error("TS010", message, base.place, notes=notes)
            self._in_cycle.update(cycle)
        elif target.file is node.file:
            self._reporter.error(
                "TS011",
                f"base class `{base.name}` of `{node.name}` is declared later",
                base.place,
                notes=[(f"`{base.name}` is declared here", target.place)],
                help=f"move `{base.name}` before `{node.name}`",
            )

    def _cycle(self, start: Symbol) -> list[Symbol]:
        """Return the chain of bases from a class up to itself; without it if there is no cycle."""
        chain = [start]
        while True:
            decl, file = chain[-1].decl, chain[-1].file
            if decl is None or file is None or not decl.bases:
                return []
            base = self._symbols.find(file, decl.bases[0].name)
            if base is None or base is start:
                return chain if base is start else []
            if base in chain:
                return []
            chain.append(base)

    def _report_final(self, node: Node, parent: Node, base: TypeExpr) -> None:
        place = parent.decl.place if parent.decl else None
        leaf = "" if parent.decl else ", as a leaf of its package is unless it says otherwise"
        self._reporter.error(
            "TS013",
            f"base class `{base.name}` of `{node.name}` is final",
            base.place,
            notes=[(f"`{parent.name}` is declared final{leaf}", place)],
            help=f"write `final = False` in `{parent.name}`",
        )
