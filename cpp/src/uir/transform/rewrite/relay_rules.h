/*!
 * \file relay_rules.h
 * \brief Rewrite rules of high-level expressions: their text, and how they match.
 *
 * A rule is three texts in Python syntax, from which tests build matching expressions: a pattern, a
 * result and a condition. Calls and infix operators are operators of relay. A name matches any
 * operand or, after `=`, the value of an attribute. Attributes that a pattern does not name may
 * have any value. A number matches a constant tensor whose elements all equal it bit for bit. `y`
 * is the matched expression. A rule applies only if its result has the type of the matched
 * expression, so that it need not require equal shapes or data types.
 */
#ifndef UIR_TRANSFORM_REWRITE_RELAY_RULES_H_
#define UIR_TRANSFORM_REWRITE_RELAY_RULES_H_

#include <tvm/ffi/optional.h>
#include <uir/relay/expr.h>

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../ir/formula.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The text of a rule; the condition may be empty. */
struct RelayRuleText {
  /*! \brief The data types of `x` that it holds for: `any`, `number`, `float`, `int`, `signed`
   * (numbers with a sign), `unsigned` or `bool`. */
  const char* domain;
  const char* pattern;
  const char* result;
  const char* condition;
};

/*! \brief All rules, in the order in which they are tried. */
const std::vector<RelayRuleText>& RelayRules();

/*! \brief The value that a variable is bound to; None for a parameter. */
using DefinitionOf = std::function<ffi::Optional<ir::RelayExpr>(const relay::VarNode*)>;

/*! \brief The parsed rules, by the operator at the root of the pattern. */
class RelayRuleSet {
 public:
  /*! \param only The index of the only rule, or -1 for all. */
  explicit RelayRuleSet(int64_t only = -1);

  /*!
   * \brief Apply the first rule that matches an expression.
   * \param expr A call, or an item of a tuple.
   * \param definition_of Finds the operands of operands.
   * \return The result, of the same type: an atom, or a call of atoms; None if no rule matches.
   */
  ffi::Optional<ir::RelayExpr> Apply(const ir::RelayExpr& expr,
                                     const DefinitionOf& definition_of) const;

 private:
  struct Rule {
    const char* domain;
    ir::Formula pattern;
    ir::Formula result;
    /*! \brief The condition; none or one. */
    std::vector<ir::Formula> condition;
    std::vector<std::string> names;
  };
  class Matcher;

  static Rule Parse(const RelayRuleText& text);
  static ffi::Optional<ir::RelayExpr> Apply(const Rule& rule, const ir::RelayExpr& expr,
                                            const DefinitionOf& definition_of);

  std::unordered_map<std::string, std::vector<Rule>> rules_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_RELAY_RULES_H_
