// Rewrite rules: how a pattern matches, and which rules a node is tried against.
#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>

#include "dtypes.h"
#include "error_of.h"
#include "uir/arith/analyzer_state.h"
#include "uir/arith/pattern_match.h"

namespace uir {
namespace {

using arith::Domain;
using arith::Match;
using arith::Means;
using ir::IntImm;
using ir::PrimExpr;
using tir::Var;

/*! \brief What a pattern binds in an expression; none if it does not match. */
std::optional<Match> MatchOf(const char* pattern, const PrimExpr& expr,
                             Domain domain = Domain::kAny) {
  const arith::RewriteRule rule{domain, arith::CompilePattern(pattern), nullptr, nullptr, 0, {}, 0,
                                false};
  Match match;
  const bool matches =
      rule.pattern->op == arith::CaseOf(expr) && MatchRule(rule, *arith::ShapeOf(expr), &match);
  return matches ? std::optional(match) : std::nullopt;
}

PrimExpr Simplified(const PrimExpr& expr) {
  arith::State state;
  return state.rewriter.Simplify(expr, Means::kAll);
}

TEST(MatchRule, BindsAVariableToOneValue) {
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  EXPECT_TRUE(MatchOf("x * y + x", x * y + x).has_value());
  EXPECT_FALSE(MatchOf("x * y + x", x * y + y).has_value());
  const PrimExpr difference = tir::Sub(x, y);
  const std::optional<Match> match = MatchOf("x - y", difference);
  ASSERT_TRUE(match.has_value());
  EXPECT_TRUE(match->exprs[0]->same_as(x));
  EXPECT_TRUE(match->exprs[1]->same_as(y));
}

TEST(MatchRule, ReadsADifferenceAsASumWithAConstant) {
  const Var x("x", kInt32);
  const PrimExpr four = IntImm(kInt32, 4);
  const std::optional<Match> match =
      MatchOf("fdiv(x + c1, y)", tir::FloorDiv(tir::Sub(x, four), x));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->consts[0], -4);
  // The least number has no opposite.
  const PrimExpr least = IntImm(kInt32, INT32_MIN);
  EXPECT_FALSE(MatchOf("fdiv(x + c1, y)", tir::FloorDiv(tir::Sub(x, least), x)).has_value());
}

TEST(MatchRule, KeepsToTheTypesOfItsDomain) {
  constexpr DLDataType kInt8{kDLInt, 8, 1};
  const Var x("x", kInt8);
  const PrimExpr sum = tir::Add(x, x);
  EXPECT_TRUE(MatchOf("x + x", sum, Domain::kAny).has_value());
  EXPECT_FALSE(MatchOf("x + x", sum, Domain::kIndex).has_value());
  EXPECT_FALSE(MatchOf("x + x", sum, Domain::kFloat).has_value());
}

TEST(CompilePattern, KnowsWhichPartsAreNumbers) {
  const arith::PatternNode* pattern = arith::CompilePattern("fmod(c1 * 2, c2) == x");
  EXPECT_TRUE(pattern->children[0]->is_number);
  EXPECT_FALSE(pattern->children[1]->is_number);
  EXPECT_FALSE(pattern->is_number);
  // A comparison of numbers is a condition and no number.
  EXPECT_FALSE(arith::CompilePattern("c1 < 2")->is_number);
  EXPECT_EQ(ErrorOf([] { arith::CompilePattern("q7 + 1"); }),
            "InternalError: a rule has `q7`, which a pattern cannot have");
}

TEST(RewriteRuleSet, TriesEveryRuleThatMatches) {
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  // The tests that reject rules early may not reject one whose pattern matches.
  for (const PrimExpr& expr : std::initializer_list<PrimExpr>{
           tir::FloorDiv(x * 8 + y, IntImm(kInt32, 8)), tir::FloorMod(x, y), tir::Add(x, x),
           tir::Sub(x * y, x), tir::LT(x, x + y), tir::Min(x, tir::Max(x, y)),
           tir::FloorDiv(tir::Sub(x, IntImm(kInt32, 4)), IntImm(kInt32, 2)),
           tir::Sub(x, tir::Sub(y, IntImm(kInt32, 4)))}) {
    const arith::Shape shape = *arith::ShapeOf(expr);
    std::set<int> tried;
    arith::NodeShape(shape).VisitRules([&](const arith::RewriteRule& rule) {
      tried.insert(rule.index);
      return false;
    });
    const auto& texts = arith::RewriteRuleSet::Global().texts();
    for (int index = 0; index < static_cast<int>(texts.size()); ++index) {
      const arith::RuleText& text = texts[static_cast<size_t>(index)];
      // Of a division by a constant, rules with the divisor twice are left out on purpose.
      const bool may_be_left_out = std::string(text.pattern).find("y)") != std::string::npos;
      if (may_be_left_out || !MatchOf(text.pattern, expr, text.domain)) continue;
      EXPECT_EQ(tried.count(index), 1) << text.pattern;
    }
  }
}

TEST(RewriteSimplifier, DividesByNegativeNumbersAndNeverByZero) {
  const Var x("x", kInt32);
  const PrimExpr by_zero = tir::FloorDiv(x, IntImm(kInt32, 0));
  EXPECT_TRUE(Simplified(by_zero).same_as(by_zero));
  const PrimExpr quotient = Simplified(tir::FloorDiv(x * -8, IntImm(kInt32, -8)));
  EXPECT_TRUE(quotient.same_as(x));
  const PrimExpr least = tir::FloorDiv(IntImm(kInt32, INT32_MIN), IntImm(kInt32, -1));
  EXPECT_EQ(Simplified(least).as<ir::IntImmNode>(), nullptr);
}

TEST(RewriteSimplifier, ReturnsAnUnchangedExpressionItself) {
  const PrimExpr sum = tir::Add(Var("x", kInt32), Var("y", kInt32));
  EXPECT_TRUE(Simplified(sum).same_as(sum));
}

}  // namespace
}  // namespace uir
