/*!
 * \file einsum_equation.h
 * \brief Equations of sums of products in Einstein's notation.
 */
#ifndef UIR_SRC_RELAY_EINSUM_EQUATION_H_
#define UIR_SRC_RELAY_EINSUM_EQUATION_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace uir::relay {

/*! \brief An equation, such as `ij, jk -> ik`. */
class EinsumEquation {
 public:
  /*! \brief The names of the axes of an operand or the result; `*rest` for an ellipsis. */
  using Term = std::vector<std::string>;

  /*! \throws ValueError if it is not an equation. */
  explicit EinsumEquation(const std::string& text);

  const std::vector<Term>& operands() const { return operands_; }
  const Term& result() const { return result_; }
  /*! \brief The equation as a relation of shapes: `(i, j), (j, k) -> (i, k)`. */
  std::string RelationText() const;

 private:
  Term ParseTerm(std::string_view text) const;
  /*! \brief Without an arrow, the result is the ellipsis and the sorted letters that occur once. */
  void AddImplicitResult();
  void CheckResult() const;

  const std::string text_;
  std::vector<Term> operands_;
  /*! \brief The number of occurrences of each name in the operands. */
  std::map<std::string, int> counts_;
  Term result_;
};

/*! \throws ValueError that shows the equation. */
[[noreturn]] void FailEquation(const std::string& equation, const std::string& reason);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_EINSUM_EQUATION_H_
