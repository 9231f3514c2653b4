// The expressions that a node consists of, by their place.
#include "./sub_expressions.h"

#include <uir/tir/prim_expr_functor.h>

#include <utility>

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Visits the parts of a node, and replaces one of them. */
class Parts : public tir::PrimExprMutator {
 public:
  Parts(int64_t place, const PrimExpr* replacement) : place_(place), replacement_(replacement) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (std::exchange(is_root_, false)) return PrimExprMutator::VisitPrimExpr(std::move(expr));
    found_.push_back(expr);
    const bool is_wanted = static_cast<int64_t>(found_.size()) == place_ + 1;
    return is_wanted ? *replacement_ : expr;
  }

  std::vector<PrimExpr>& found() { return found_; }

 private:
  int64_t place_;
  const PrimExpr* replacement_;
  bool is_root_ = true;
  std::vector<PrimExpr> found_;
};

}  // namespace

std::vector<PrimExpr> SubExpressionsOf(const PrimExpr& expr) {
  Parts parts(-1, nullptr);
  parts.VisitPrimExpr(expr);
  return std::move(parts.found());
}

PrimExpr WithSubExpression(const PrimExpr& expr, int64_t place, const PrimExpr& part) {
  return Parts(place, &part).VisitPrimExpr(expr);
}

}  // namespace uir::arith
