"""The steps of a simplification."""

from schema.ir.expr import PrimExprNode
from tschema import Object, declare, method, ty


@declare
class StepMethod(ty.IntEnum):
    """
    What rewrote a sub-expression.

    Attributes
    ----------
    RULE
        A rewrite rule.
    SUM
        The canonical form of sums.
    COMPARISON
        The comparison of two sides by bounds, congruences and stated inequalities.
    FACT
        The stated value of a variable or of a condition.
    EVALUATION
        Arithmetic on constants, a choice whose condition is constant, or the order of operands.
    REGROUPING
        Other parentheses in a chain of `and`, `or`, `min` or `max`.
    REPETITION
        Earlier steps, which rewrote the same sub-expression in another place.
    """

    RULE = 0
    SUM = 1
    COMPARISON = 2
    FACT = 3
    EVALUATION = 4
    REGROUPING = 5
    REPETITION = 6


@declare
class ExplanationStepNode(Object):
    """
    One rewriting of a sub-expression.

    See Also
    --------
    ExplanationStep
    Explanation

    Attributes
    ----------
    method
        What rewrote it.
    rule
        The rule as `pattern -> result if condition`; empty for other methods.
    source
        The file of the rule and its row among the rules there, as `rules/logic.cc, row 24`; empty
        for other methods.
    index
        The place of the rule in `rewrite_rules()`, from 0; -1 for other methods.
    path
        Where the sub-expression is: at each level from the root, the place of a part among the
        parts of its parent, from 0.
    before
        The sub-expression.
    after
        What takes its place.
    facts
        The stated conditions that the step needs; without any one of them it is not made.
    result
        The whole expression after the step.
    """

    type_key = "uir.arith.ExplanationStep"
    method: StepMethod
    rule: ty.String
    source: ty.String
    index: ty.int64_t
    path: ty.Array[ty.int64_t]
    before: PrimExprNode
    after: PrimExprNode
    facts: ty.Array[PrimExprNode]
    result: PrimExprNode


@declare
class ExplanationNode(Object):
    """
    The steps from an expression to its simplified form, each from the result of the last.

    See Also
    --------
    Explanation
    Analyzer

    Attributes
    ----------
    expr
        The expression.
    steps
        The steps, in order.
    result
        What `simplify` returns for `expr`.
    """

    type_key = "uir.arith.Explanation"
    expr: PrimExprNode
    steps: ty.Array[ExplanationStepNode]
    result: PrimExprNode

    @method
    def text(self) -> ty.String:
        """
        Return the explanation as text: the expression, and each step with its reason.

        Returns
        -------
        text
            Lines without a final newline.
        """
        ...
