/*!
 * \file uir/transform/linear_mutator.h
 * \brief A mutator that takes time linear in the expressions of a graph, not in its paths.
 */
#ifndef UIR_TRANSFORM_LINEAR_MUTATOR_H_
#define UIR_TRANSFORM_LINEAR_MUTATOR_H_

#include <tvm/ffi/cast.h>
#include <uir/tir/stmt_functor.h>

#include <unordered_map>
#include <utility>

namespace uir::transform {

/*!
 * \brief Makes something of an expression that is held in several places once.
 *
 * It is for mutators whose result depends on the expression alone, not on the place.
 */
class LinearMutator : public tir::StmtMutator {
 public:
  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override {
    if (expr.unique() || IsLeaf(expr)) return StmtMutator::VisitPrimExpr(std::move(expr));
    const auto found = seen_.find(expr.get());
    if (found != seen_.end()) return found->second.second;
    ir::PrimExpr result = StmtMutator::VisitPrimExpr(expr);
    const tvm::ffi::Object* key = expr.get();
    seen_.emplace(key, std::make_pair(std::move(expr), result));
    return result;
  }

 private:
  static bool IsLeaf(const ir::PrimExpr& expr) {
    return expr.as<tir::VarNode>() != nullptr || expr.as<ir::IntImmNode>() != nullptr ||
           expr.as<ir::FloatImmNode>() != nullptr;
  }

  /*! \brief What became of expressions, by address; both are kept alive. */
  std::unordered_map<const tvm::ffi::Object*, std::pair<ir::PrimExpr, ir::PrimExpr>> seen_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LINEAR_MUTATOR_H_
