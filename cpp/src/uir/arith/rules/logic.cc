// Rules of booleans and choices; what guards another operand stays before it.
#include "../rewrite_rule.h"

namespace uir::arith {

namespace {

constexpr Domain kAny = Domain::kAny;
constexpr Domain kBool = Domain::kBool;
constexpr Domain kValue = Domain::kValue;

constexpr RuleText kRules[] = {
    // Conjunction.
    {kBool, "b1 and True", "b1", ""},
    {kBool, "b1 and False", "False", ""},
    {kBool, "b1 and b1", "b1", ""},
    {kBool, "b1 and not b1", "False", ""},
    {kBool, "(b1 and b2) and b1", "b1 and b2", ""},
    {kBool, "(b1 and b2) and not b1", "False", ""},
    {kBool, "(b1 or b2) and b1", "b1", ""},
    {kBool, "(b1 or b2) and not b1", "not b1 and b2", ""},
    {kAny, "x == y and x != y", "False", ""},
    {kAny, "x < y and y < x", "False", ""},
    {kAny, "x < y and y <= x", "False", ""},
    {kAny, "x < y and x == y", "False", ""},
    {kAny, "x < y and x <= y", "x < y", ""},
    {kAny, "x < y and x != y", "x < y", ""},
    {kAny, "x <= y and y <= x", "x == y", ""},
    {kAny, "x <= y and x == y", "x == y", ""},
    {kAny, "x <= y and x != y", "x < y", ""},
    {kAny, "x == c1 and x == c2", "False", "c1 != c2"},
    {kAny, "x == c1 and x != c2", "x == c1", "c1 != c2"},
    {kAny, "x < c1 and x < c2", "x < min(c1, c2)", ""},
    {kAny, "c1 < x and c2 < x", "max(c1, c2) < x", ""},
    {kAny, "x < c1 and c2 < x", "False", "c1 <= c2 + 1"},
    {kAny, "x < c1 and c2 <= x", "False", "c1 <= c2"},
    {kAny, "x < c1 and x == c2", "x == c2", "c2 < c1"},
    {kAny, "x < c1 and x == c2", "False", "c2 >= c1"},
    {kAny, "c1 < x and x == c2", "x == c2", "c1 < c2"},
    {kAny, "c1 < x and x == c2", "False", "c1 >= c2"},
    // Disjunction.
    {kBool, "b1 or False", "b1", ""},
    {kBool, "b1 or True", "True", ""},
    {kBool, "b1 or b1", "b1", ""},
    {kBool, "b1 or not b1", "True", ""},
    {kBool, "(b1 or b2) or b1", "b1 or b2", ""},
    {kBool, "(b1 or b2) or not b1", "True", ""},
    {kBool, "(b1 and b2) or b1", "b1", ""},
    {kBool, "(b1 and b2) or not b1", "not b1 or b2", ""},
    {kBool, "(b1 and b2) or (b1 and b3)", "b1 and (b2 or b3)", ""},
    {kAny, "x == y or x != y", "True", ""},
    {kAny, "x < y or y <= x", "True", ""},
    {kAny, "x <= y or y <= x", "True", ""},
    {kAny, "x < y or y < x", "x != y", ""},
    {kAny, "x < y or x == y", "x <= y", ""},
    {kAny, "x < y or x <= y", "x <= y", ""},
    {kAny, "x <= y or x == y", "x <= y", ""},
    {kAny, "x < y or x != y", "x != y", ""},
    {kAny, "x <= y or x != y", "True", ""},
    {kAny, "x != c1 or x != c2", "True", "c1 != c2"},
    {kAny, "x != c1 or x == c2", "x != c1", "c1 != c2"},
    {kAny, "x < c1 or x < c2", "x < max(c1, c2)", ""},
    {kAny, "c1 < x or c2 < x", "min(c1, c2) < x", ""},
    {kAny, "x < c1 or c2 < x", "True", "c2 < c1"},
    {kAny, "x < c1 or c2 <= x", "True", "c2 <= c1"},
    // Negation.
    {kBool, "not True", "False", ""},
    {kBool, "not False", "True", ""},
    {kBool, "not not b1", "b1", ""},
    {kAny, "not (x < y)", "y <= x", ""},
    {kAny, "not (x <= y)", "y < x", ""},
    {kValue, "not (x == y)", "x != y", ""},
    {kValue, "not (x != y)", "x == y", ""},
    {kBool, "not (b1 and not b2)", "not b1 or b2", ""},
    {kBool, "not (b1 or not b2)", "not b1 and b2", ""},
    // Equality of booleans.
    {kBool, "b1 == True", "b1", ""},
    {kBool, "b1 == False", "not b1", ""},
    {kBool, "b1 != True", "not b1", ""},
    {kBool, "b1 != False", "b1", ""},
    {kBool, "b1 == b1", "True", ""},
    {kBool, "b1 != b1", "False", ""},
    // Choices.
    {kValue, "select(True, x, y)", "x", ""},
    {kValue, "select(False, x, y)", "y", ""},
    {kValue, "select(b1, x, x)", "x", ""},
    {kValue, "select(not b1, x, y)", "select(b1, y, x)", ""},
    {kValue, "select(b1, select(b1, x, y), z)", "select(b1, x, z)", ""},
    {kValue, "select(b1, x, select(b1, y, z))", "select(b1, x, z)", ""},
    {kBool, "select(b1, True, False)", "b1", ""},
    {kBool, "select(b1, False, True)", "not b1", ""},
    {kAny, "select(x < y, x, y)", "min(x, y)", ""},
    {kAny, "select(x < y, y, x)", "max(x, y)", ""},
    {kAny, "select(x <= y, x, y)", "min(x, y)", ""},
    {kAny, "select(x <= y, y, x)", "max(x, y)", ""},
    {kAny, "select(x == y, x, y)", "y", ""},
    {kAny, "select(b1, x, y) + select(b1, z, w)", "select(b1, x + z, y + w)", ""},
    {kAny, "select(b1, x, y) - select(b1, z, w)", "select(b1, x - z, y - w)", ""},
    {kAny, "select(b1, x, y) - x", "select(b1, 0, y - x)", ""},
    {kAny, "select(b1, x, y) - y", "select(b1, x - y, 0)", ""},
    {kAny, "min(select(b1, x, y), select(b1, z, w))", "select(b1, min(x, z), min(y, w))", ""},
    {kAny, "max(select(b1, x, y), select(b1, z, w))", "select(b1, max(x, z), max(y, w))", ""},
};

}  // namespace

std::vector<RuleText> LogicRules() { return {std::begin(kRules), std::end(kRules)}; }

}  // namespace uir::arith
