"""The forms in which files hold calls of an operator, resolved.

In: an operator with its declaration.  Out: its `StoredCall`s, and diagnostics of the options
`renamed_from` and `upgrade`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.ir.declarations import FunctionDecl
from tschema.ir.model import Dialect, Function, Operator, Parameter, StoredArgument, StoredCall
from tschema.passes.stored_calls import Argument, BadUpgrade, Upgrade, parse_upgrade, rule_texts

_FORM = "write the old form and the new one: `soft(x, *, beta) -> soften(x, low=beta)`"


class StoredCallResolver:
    """Resolves the forms of one operator."""

    def __init__(
        self, decl: FunctionDecl, function: Function, dialect: Dialect, reporter: Reporter
    ) -> None:
        self._decl = decl
        self._params = {param.name: param for param in function.params}
        self._dialect = dialect
        self._reporter = reporter

    def resolve(self, operator: Operator) -> tuple[StoredCall, ...]:
        """Return the forms that the declaration states."""
        calls = [StoredCall(name=self._key(name)) for name in self._renamed_from()]
        for text in self._rules():
            try:
                rule = parse_upgrade(text, self._decl)
                calls += self._stored_call(rule, operator)
            except BadUpgrade as error:
                self._report("upgrade", f"bad `upgrade` of operator `{self._decl.name}`: {error}")
        return tuple(calls)

    def _renamed_from(self) -> tuple[str, ...]:
        value = self._decl.options.get("renamed_from")
        if value is None:
            return ()
        names = value.texts()
        is_valid = all(part.isidentifier() for name in names for part in name.split("."))
        if not names or not is_valid or self._decl.name in names:
            message = f"option `renamed_from` of operator `{self._decl.name}` cannot be {value}"
            self._report("renamed_from", message, "expected a name that it had, or a list of names")
            return ()
        return names

    def _rules(self) -> tuple[str, ...]:
        texts = rule_texts(self._decl)
        if "upgrade" in self._decl.options and not texts:
            value = self._decl.options["upgrade"]
            self._report("upgrade", f"option `upgrade` of `{self._decl.name}` cannot be {value}")
        return texts

    def _key(self, name: str) -> str:
        """Return the name in the registry of a name in the dialect."""
        return name if "." in name else f"{self._dialect.prefix}.{name}"

    def _stored_call(self, rule: Upgrade, operator: Operator) -> Iterator[StoredCall]:
        """Yield the form of a rule, none if calls are stored as they are now."""
        is_renamed = rule.name != self._decl.name
        if self._dialect.attributes is None:
            stored = (*rule.operands, *rule.attributes)
            arguments = tuple(self._flat_arguments(rule, operator, stored))
        else:
            stored = rule.operands
            self._check_attributes(rule, operator)
            arguments = tuple(self._operands(rule, operator))
        if arguments == tuple(StoredArgument(stored=index) for index in range(len(stored))):
            if is_renamed:
                yield StoredCall(name=self._key(rule.name))
            return
        if not is_renamed and len(arguments) == len(stored):
            raise BadUpgrade(
                f"a call of now has {len(stored)} arguments too, so that files cannot tell the two "
                "forms apart; rename the operator"
            )
        name = self._key(rule.name)
        yield StoredCall(name=name, num_arguments=len(stored), arguments=arguments)

    def _operands(self, rule: Upgrade, operator: Operator) -> Iterator[StoredArgument]:
        """Yield the operands of a call whose attributes are a node."""
        for operand in operator.operands:
            given = rule.given.get(operand.name, Argument())
            if given.constant is not None:
                raise BadUpgrade(f"operand `{operand.name}` cannot be a constant")
            if given.stored is None:
                if not operand.optional:
                    raise BadUpgrade(f"the new form does not give operand `{operand.name}`")
                yield StoredArgument()
                continue
            if given.stored not in rule.operands:
                raise BadUpgrade(f"operand `{operand.name}` was an attribute; register a function")
            yield StoredArgument(stored=rule.operands.index(given.stored))

    def _check_attributes(self, rule: Upgrade, operator: Operator) -> None:
        """Reject changes that the fields of the node of attributes cannot express."""
        for name in operator.attributes:
            given = rule.given.get(name)
            if given is not None and given.stored in rule.operands:
                raise BadUpgrade(f"attribute `{name}` was an operand; register a function")
            if name in rule.attributes and given != Argument(stored=name):
                raise BadUpgrade(
                    f"attribute `{name}` is `{name}` in files; give it on, or rename the operator's"
                )
            self._require(name, given)

    def _flat_arguments(
        self, rule: Upgrade, operator: Operator, stored: tuple[str, ...]
    ) -> Iterator[StoredArgument]:
        """Yield the arguments of a call that has attributes among them."""
        optional = {operand.name for operand in operator.operands if operand.optional}
        if any(operand.variadic for operand in operator.operands):
            raise BadUpgrade("an operand takes several values; register a function")
        for name in (*(one.name for one in operator.operands), *operator.attributes):
            if name == operator.result:
                continue  # It is the data type of the call, not an argument.
            given = rule.given.get(name)
            if given is not None and given.stored is not None:
                yield StoredArgument(stored=stored.index(given.stored))
            elif given is not None and given.constant is not None:
                yield StoredArgument(constant=given.constant)
            elif name not in optional:
                yield StoredArgument(constant=self._require(name, given))

    def _require(self, name: str, given: Argument | None) -> bool | int | float | str | None:
        """Return the default of a parameter that a rule leaves out."""
        param: Parameter = self._params[name]
        if given is not None:
            return given.constant
        if param.default is None or param.default.factory is not None:
            raise BadUpgrade(f"the new form does not give `{name}`, which has no default")
        return param.default.literal

    def _report(self, option: str, message: str, help: str = _FORM) -> None:
        place: Place = self._decl.options[option].place
        self._reporter.error("TS081", message, place, help=help)
