"""What can be known of integer expressions before a program runs."""

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
        No value is below it; -2^63 stands for no bound.
    max_value
        No value is above it; 2^63-1 stands for no bound.
    """

    type_key = "uir.arith.IntInterval"
    post_init = True
    min_value: ty.int64_t
    max_value: ty.int64_t


@declare
class IntCongruenceNode(Object):
    """
    Set `{coeff * k + base}` over all integers k, which an expression's values lie in.

    See Also
    --------
    IntCongruence
    Analyzer

    Attributes
    ----------
    coeff
        The distance of neighbours, at least 0: 0 for the constant `base`, 1 for any integer.
    base
        One of the values: from 0 to `coeff - 1` unless `coeff` is 0.
    """

    type_key = "uir.arith.IntCongruence"
    post_init = True
    coeff: ty.int64_t
    base: ty.int64_t


@declare
class AnalyzerNode(Object):
    """
    Simplifies and proves, with what it has been told about variables.

    Index arithmetic, in `int32` and `int64`, is taken not to overflow; that of other integer types
    wraps around.

    See Also
    --------
    Analyzer

    Attributes
    ----------
    state
        What has been told so far, None before anything is asked; C++ alone knows how.
    """

    type_key = "uir.arith.Analyzer"
    structural = None
    state: ty.Optional[ty.Object] = field(default=None, init=False, repr=False)

    @method
    def bind_range(self, var: VarNode, range: RangeNode) -> None:
        """
        State the range of a variable's values.

        Parameters
        ----------
        var
            The variable.
        range
            The values that it takes.
        """
        ...

    @method
    def bind_value(self, var: VarNode, value: PrimExprNode) -> None:
        """
        State the value of a variable, which is put in its place.

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
        State what a variable is modulo some number.

        Parameters
        ----------
        var
            The variable.
        coeff
            The number, positive.
        base
            The remainder.
        """
        ...

    @method
    def assume(self, condition: PrimExprNode) -> None:
        """
        Take a condition for true until the innermost constraint is left.

        Parameters
        ----------
        condition
            A boolean.
        """
        ...

    @method
    def enter_constraint(self, condition: PrimExprNode) -> None:
        """
        Take a condition for true until `exit_constraint` is called.

        Parameters
        ----------
        condition
            A boolean.
        """
        ...

    @method
    def exit_constraint(self) -> None:
        """Forget the condition that was entered last; an error if there is none."""
        ...

    @method
    def simplify(self, expr: PrimExprNode) -> PrimExprNode:
        """
        Simplify an expression by every means there is.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        result
            An expression of the same value; `expr` itself if nothing is simpler.
        """
        ...

    @method
    def rewrite_simplify(self, expr: PrimExprNode) -> PrimExprNode:
        """
        Simplify an expression by the rewrite rules.

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
        Write index arithmetic as sums of products in one form.

        Parameters
        ----------
        expr
            The expression.

        Returns
        -------
        result
            An expression of the same value; `expr` itself if it has that form.
        """
        ...

    @method
    def const_int_bound(self, expr: PrimExprNode) -> IntIntervalNode:
        """
        Find bounds of an integer expression.

        Parameters
        ----------
        expr
            The expression, an integer or a boolean.

        Returns
        -------
        bound
            The bounds; those of the data type if nothing more is known.
        """
        ...

    @method
    def modular_set(self, expr: PrimExprNode) -> IntCongruenceNode:
        """
        Find what an integer expression is modulo some number.

        Parameters
        ----------
        expr
            The expression, an integer.

        Returns
        -------
        set
            A set that its values lie in; all integers if nothing more is known.
        """
        ...

    @method
    def can_prove(self, condition: PrimExprNode) -> ty.bool:
        """
        Tell whether a condition is known to hold.

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
        Tell whether two expressions are known to have the same value.

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
        Tell whether `a < b` is known to hold.

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
        Tell whether `a <= b` is known to hold.

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
    List the rules that expressions are rewritten by.

    Returns
    -------
    rules
        Of each rule four texts in the syntax of Python: the domain (`any`, `index`, `bool`,
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
        The rule's place in `rewrite_rules`.
    expr
        The expression.

    Returns
    -------
    result
        The rule's result, simplified; None if the rule does not apply.
    """
    ...
