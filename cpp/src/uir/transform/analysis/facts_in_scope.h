/*!
 * \file facts_in_scope.h
 * \brief The conditions and bindings around a statement, passed to an analyzer only for a proof.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_FACTS_IN_SCOPE_H_
#define UIR_TRANSFORM_ANALYSIS_FACTS_IN_SCOPE_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/stmt.h>

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Collects facts for rare proofs: only a proof costs time, not a condition or a binding.
 *
 * Conditions and bindings that depend on memory are ignored, because a store may change them.
 */
class FactsInScope {
 public:
  /*! \brief Note a binding; a variable with two bindings has no known value. */
  void Define(const tir::BindNode* op);
  /*! \brief Enter a branch that runs only if a condition is true, or only if it is false. */
  void Enter(const ir::PrimExpr& condition, bool value) {
    conditions_.emplace_back(&condition, value);
  }
  /*! \brief Leave the innermost branch. */
  void Leave() { conditions_.pop_back(); }
  /*! \brief Whether the statement is inside a branch. */
  bool has_conditions() const { return !conditions_.empty(); }
  /*! \brief Whether the facts here prove each pair of expressions equal. */
  bool CanProveEqual(const ffi::Array<ir::PrimExpr>& a, const ffi::Array<ir::PrimExpr>& b,
                     const arith::Analyzer& analyzer);

 private:
  void DefineVariablesOf(const ir::PrimExpr& expr, const arith::Analyzer& analyzer, int depth);

  std::vector<std::pair<const ir::PrimExpr*, bool>> conditions_;
  std::vector<const tir::BindNode*> bindings_;
  /*! \brief The bindings by variable, of the first `num_found_` ones; null if there are two. */
  std::unordered_map<const tir::VarNode*, const tir::BindNode*> found_;
  size_t num_found_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_FACTS_IN_SCOPE_H_
