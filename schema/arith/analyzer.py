"""Static analysis of integer expressions: bounds, congruences, simplification and proofs."""

from schema.arith.explanation import ExplanationNode
from schema.ir.expr import PrimExprNode
from schema.ir.range import RangeNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


@declare
class IntIntervalNode(Object):
    """
    Bounds of an integer expression.

    See Also
    --------
    IntInterval
    Analyzer

    Attributes
    ----------
    min_value
        The inclusive lower bound; -2^63 if there is none.
    max_value
        The inclusive upper bound; 2^63-1 if there is none.
    """

    type_key = "uir.arith.IntInterval"
    post_init = True
    min_value: ty.int64_t
    max_value: ty.int64_t


@declare
class IntCongruenceNode(Object):
    """
    Congruence class of an expression's values: `{coeff * k + base}` over all integers k.

    See Also
    --------
    IntCongruence
    Analyzer

    Attributes
    ----------
    coeff
        The modulus, at least 0: 0 for the constant `base`, 1 for any integer.
    base
        The remainder, from 0 to `coeff - 1`; any value if `coeff` is 0.
    """

    type_key = "uir.arith.IntCongruence"
    post_init = True
    coeff: ty.int64_t
    base: ty.int64_t


@declare
class AnalyzerNode(Object):
    """
    Simplifies expressions and proves conditions from stated facts about variables.

    Sums and products of `int32` and `int64` indices are assumed to fit; data and other integer
    types wrap around (docs/compiler/semantics.md).

    See Also
    --------
    Analyzer

    Attributes
    ----------
    state
        The C++ state of the analyzer; None before the first call.
    """

    type_key = "uir.arith.Analyzer"
    structural = None
    state: ty.Optional[ty.Object] = field(default=None, init=False, repr=False)

    @method
    def bind_range(self, var: VarNode, range: RangeNode) -> None:
        """
        State the range of a variable.

        Parameters
        ----------
        var
            The variable.
        range
            The range of its values.
        """
        ...

    @method
    def bind_value(self, var: VarNode, value: PrimExprNode) -> None:
        """
        State the value of a variable, which replaces it.

        Parameters
        ----------
        var
            The variable.
        value
            Its value, of the data type of `var`.
        """
        ...

    @method
    def bind_modular(self, var: VarNode, coeff: ty.int64_t, base: ty.int64_t) -> None:
        """
        State that a variable is congruent to `base` modulo `coeff`.

        Parameters
        ----------
        var
            The variable.
        coeff
            The modulus, positive.
        base
            The remainder.
        """
        ...

    @method
    def assume(self, condition: PrimExprNode) -> None:
        """
        Assume a condition until the innermost constraint is exited.

        Parameters
        ----------
        condition
            A boolean.
        """
        ...

    @method
    def enter_constraint(self, condition: PrimExprNode) -> None:
        """
        Assume a condition until the matching `exit_constraint`.

        Parameters
        ----------
        condition
            A boolean.
        """
        ...

    @method
    def exit_constraint(self) -> None:
        """
        Exit the innermost constraint.

        Raises
        ------
        ValueError
            If no constraint is open.
        """
        ...

    @method
    def simplify(self, expr: PrimExprNode) -> PrimExprNode:
        """
        Simplify an expression by all methods, until the result is stable.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        result
            An expression of the same value; `expr` itself if it cannot be simplified.
        """
        ...

    @method
    def explain(self, expr: PrimExprNode) -> ExplanationNode:
        """
        Simplify an expression, and record each step: its rewrite, its rule and its facts.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        explanation
            The steps from `expr` to `simplify(expr)`; none if it cannot be simplified.
        """
        ...

    @method
    def rewrite_simplify(self, expr: PrimExprNode) -> PrimExprNode:
        """
        Simplify an expression by the rewrite rules only.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        result
            An expression of the same value; `expr` itself if no rule applies.
        """
        ...

    @method
    def canonical_simplify(self, expr: PrimExprNode) -> PrimExprNode:
        """
        Rewrite index arithmetic into the canonical form of sums of products.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        result
            An expression of the same value; `expr` itself if it is canonical.
        """
        ...

    @method
    def const_int_bound(self, expr: PrimExprNode) -> IntIntervalNode:
        """
        Compute the bounds of an integer expression.

        Parameters
        ----------
        expr
            The expression, an integer or a boolean.

        Returns
        -------
        bound
            The bounds, at most those of the data type.
        """
        ...

    @method
    def modular_set(self, expr: PrimExprNode) -> IntCongruenceNode:
        """
        Compute the congruence class of an integer expression.

        Parameters
        ----------
        expr
            The expression, an integer.

        Returns
        -------
        set
            The class of its values; that of all integers if nothing is known.
        """
        ...

    @method
    def can_prove(self, condition: PrimExprNode) -> ty.bool:
        """
        Return whether a condition is proved to hold.

        Parameters
        ----------
        condition
            A boolean.

        Returns
        -------
        proved
            True only if it holds for all values of the variables.
        """
        ...

    @method
    def can_prove_equal(self, a: PrimExprNode, b: PrimExprNode) -> ty.bool:
        """
        Return whether two expressions are proved to have the same value.

        Parameters
        ----------
        a
            An expression.
        b
            An expression of the data type of `a`.

        Returns
        -------
        proved
            True only if they are equal for all values of the variables.
        """
        ...

    @method
    def can_prove_less(self, a: PrimExprNode, b: PrimExprNode) -> ty.bool:
        """
        Return whether `a < b` is proved to hold.

        Parameters
        ----------
        a
            A scalar integer.
        b
            A scalar integer of the data type of `a`.

        Returns
        -------
        proved
            True only if it holds for all values of the variables.
        """
        ...

    @method
    def can_prove_less_equal(self, a: PrimExprNode, b: PrimExprNode) -> ty.bool:
        """
        Return whether `a <= b` is proved to hold.

        Parameters
        ----------
        a
            A scalar integer.
        b
            A scalar integer of the data type of `a`.

        Returns
        -------
        proved
            True only if it holds for all values of the variables.
        """
        ...


@function
def rewrite_rules() -> ty.Array[ty.Array[ty.String]]:
    """
    List the rewrite rules.

    Returns
    -------
    rules
        Four strings for each rule, in Python syntax: the domain (`any`, `index`, `bool`,
        `float`, `value`), the pattern, the result, and the condition, which may be empty.
    """
    ...


@function
def apply_rewrite_rule(index: ty.int64_t, expr: PrimExprNode) -> ty.Optional[PrimExprNode]:
    """
    Apply one rewrite rule to the root of an expression.

    Parameters
    ----------
    index
        The index of the rule in `rewrite_rules()`, from 0.
    expr
        The expression.

    Returns
    -------
    result
        The rule's result, simplified; None if the rule does not apply.
    """
    ...
