"""Types, from annotations to `TypeRef`s.

In: a `TypeExpr` and the symbol table.  Out: a `TypeRef`, or None after an error was reported.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import did_you_mean, suggest
from tschema.ir.declarations import FileDecl, TypeExpr, missing_import
from tschema.ir.kinds import ARITY, INTEGER_RANGES
from tschema.ir.model import TypeKind, TypeRef
from tschema.passes.symbols import Symbol, Symbols
from tschema.passes.vocabulary import CONSTRUCTORS, SCALARS

_CONTAINERS = frozenset({"Array", "List", "Map", "Dict", "Tuple"})


class Use(Struct, frozen=True):
    """Where a type is written, for messages."""

    what: str
    """Such as: field `value`."""
    file: FileDecl
    before: int | None = None
    """Only classes of the file with a smaller order may be named; None for no limit."""


class TypeResolver:
    """Resolves the types of one package."""

    def __init__(self, symbols: Symbols, reporter: Reporter) -> None:
        self._symbols = symbols
        self._reporter = reporter

    @property
    def nullable(self) -> frozenset[str]:
        """The type keys of classes whose references may be null."""
        return self._symbols.nullable

    def resolve(self, expr: TypeExpr, use: Use) -> TypeRef | None:
        """Return the type, or None after reporting why there is none."""
        if expr.name == "|":
            return self._alternatives(expr, use)
        if expr.given is not None:
            help = "only a field as a whole has a foreign type"
            return self._refuse("TS015", f"{use.what} cannot have the type `{expr}`", expr, help)
        absolute = use.file.qualify(expr.name)
        kind = CONSTRUCTORS.get(absolute)
        if kind is not None:
            return self._constructed(kind, expr, use)
        return self._plain(expr, absolute, use)

    def result(self, expr: TypeExpr, use: Use) -> TypeRef | None:
        """Return the type of a result, which may be `None`."""
        if expr.name == "None":
            return TypeRef(kind="None")
        return self.resolve(expr, use)

    def _plain(self, expr: TypeExpr, absolute: str, use: Use) -> TypeRef | None:
        if expr.name in ("...", "()", "None"):
            return self._refuse("TS015", f"{use.what} cannot have the type `{expr}`", expr)
        symbol = self._symbols.table.get(absolute)
        kind = SCALARS.get(absolute)
        if symbol is None and kind is None:
            return self._unknown(expr, use)
        if expr.args:
            return self._refuse("TS016", f"type `{expr.name}` takes no arguments", expr)
        if symbol is None:
            return TypeRef(kind=kind or "Any")
        self._check_order(symbol, expr, use)
        if not symbol.is_enum and symbol.reference is None:
            what = f"{use.what} cannot hold a `{expr}`, which has no reference class"
            return self._refuse("TS015", what, expr, f"remove `ref = None` from `{symbol.name}`")
        return TypeRef(kind="enum" if symbol.is_enum else "node", key=symbol.key)

    def _unknown(self, expr: TypeExpr, use: Use) -> TypeRef | None:
        if self._symbols.is_reported(use.file, expr.name):
            return None
        message = f"unknown type `{expr.name}` in {use.what}"
        return self._refuse("TS012", message, expr, self._suggestion(expr.name, use))

    def _suggestion(self, name: str, use: Use) -> str | None:
        lacking = missing_import(name, use.file.scope) or self._symbols.elsewhere(name)
        if lacking:
            return lacking
        if f"tschema.ty.{name}" in SCALARS or f"tschema.ty.{name}" in CONSTRUCTORS:
            return did_you_mean(name, f"ty.{name}")
        if name.rpartition(".")[2] == "Callable":
            return did_you_mean(name, "ty.Function")
        return suggest(name, self._visible(use.file))

    def _visible(self, file: FileDecl) -> list[str]:
        """Return the names of types as a file can write them."""
        known = {*SCALARS, *CONSTRUCTORS}
        names = [local for local, target in file.scope.items() if target in self._symbols.table]
        modules = {name[:at] for name in known for at, letter in enumerate(name) if letter == "."}
        for local, target in file.scope.items():
            if target in modules:
                inside = (name for name in known if name.startswith(f"{target}."))
                names += [local + name[len(target) :] for name in inside]
        return names + [name for name in known if "." not in name]

    def _check_order(self, symbol: Symbol, expr: TypeExpr, use: Use) -> None:
        if use.before is None or symbol.file is not use.file or symbol.order < use.before:
            return
        itself = symbol.order == use.before
        when = "inside" if itself else "before"
        way_out = (
            "use an abstract base class, declared before it (`abstract = True`), or `ty.Object`"
            if itself
            else f"declare `{symbol.name}` earlier, or use a base type such as `ty.Object`"
        )
        self._reporter.error(
            "TS014",
            f"type `{expr.name}` is used {when} its declaration in {use.what}",
            expr.place,
            notes=() if itself else [(f"`{symbol.name}` is declared here", symbol.place)],
            help=way_out,
        )

    def _constructed(self, kind: TypeKind, expr: TypeExpr, use: Use) -> TypeRef | None:
        if kind == "Union":
            return self._alternatives(expr, use)
        count = len(expr.args)
        arity = ARITY.get(kind, count or 1)
        if count != arity:
            expected = f"{arity} argument{'s' if arity > 1 else ''}"
            return self._refuse("TS016", f"type `{expr.name}` takes {expected}, not {count}", expr)
        if kind == "Tuple" and any(arg.name in ("...", "()") for arg in expr.args):
            return self._refuse(
                "TS016", f"type `{expr}` has no fixed length", expr, help="use `ty.Array[T]`"
            )
        args = [self.resolve(arg, use) for arg in expr.args]
        if None in args:
            return None
        return self._checked(kind, tuple(arg for arg in args if arg is not None), expr)

    def _checked(self, kind: TypeKind, args: tuple[TypeRef, ...], expr: TypeExpr) -> TypeRef | None:
        if kind == "Optional" and args[0].kind in ("Optional", "Any"):
            return self._refuse(
                "TS016",
                f"`{expr}` is optional twice",
                expr,
                help=f"write `{expr.args[0]}`, which already takes None",
            )
        if kind in ("Map", "Dict") and any(ref.kind in _CONTAINERS for ref in args[0].walk()):
            return self._refuse(
                "TS016", f"type `{expr.args[0]}` cannot be the key of `{expr.name}`", expr.args[0]
            )
        return TypeRef(kind=kind, args=args)

    def _alternatives(self, expr: TypeExpr, use: Use) -> TypeRef | None:
        """Resolve a union; one with None is an optional."""
        rest = [arg for arg in expr.args if arg.name != "None"]
        if not rest:
            return self._refuse("TS016", f"type `{expr}` has no alternatives", expr)
        refs = [self.resolve(arg, use) for arg in rest]
        if None in refs:
            return None
        found = tuple(ref for ref in refs if ref is not None)
        is_optional = len(rest) < len(expr.args)
        inner = found[0] if len(found) == 1 and is_optional else self._union(found, expr)
        if inner is None or not is_optional:
            return inner
        return self._checked("Optional", (inner,), TypeExpr("|", tuple(rest), expr.place))

    def _union(self, args: tuple[TypeRef, ...], expr: TypeExpr) -> TypeRef | None:
        if len(args) < 2:
            return self._refuse("TS016", f"type `{expr}` has one alternative only", expr)
        for arg, written in zip(args, expr.args, strict=False):
            if arg.kind in ("Any", "Optional"):
                return self._refuse(
                    "TS016",
                    f"`{written}` cannot be an alternative of a union",
                    written,
                    help="put `None` beside the alternatives" if arg.kind == "Optional" else None,
                )
        same = Counter(_wire(arg) for arg in args).most_common(1)[0]
        if same[1] > 1:
            return self._refuse("TS016", f"two alternatives of `{expr}` cannot be told apart", expr)
        return TypeRef(kind="Union", args=args)

    def _refuse(
        self, code: str, message: str, expr: TypeExpr, help: str | None = None
    ) -> TypeRef | None:
        self._reporter.error(code, message, expr.place, help=help)
        return None


def _wire(ref: TypeRef) -> TypeRef:
    """Return the type of a value inside an `Any`, where integers have no width."""
    if ref.kind in INTEGER_RANGES or ref.kind == "enum":
        return TypeRef(kind="int64")
    return TypeRef(kind="float64") if ref.kind in ("float32", "float64") else ref
