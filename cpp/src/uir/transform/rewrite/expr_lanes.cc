// Expressions with vectors for variables.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>
#include <uir/transform/expr_lanes.h>

#include "./lane_maker.h"

namespace uir::transform {

namespace {

/*! \brief A loop over the lanes; no expression uses its variable. */
tir::For LoopOver(int lanes) {
  const DLDataType dtype = ir::IntType(32);
  return tir::For(tir::Var("lane", dtype), tir::make_const(0, dtype), tir::make_const(lanes, dtype),
                  tir::ForKind::kVectorized, tir::SeqStmt(ffi::Array<tir::Stmt>()), std::nullopt,
                  {}, std::nullopt, std::nullopt);
}

class ExprLaneMaker : public LaneMaker {
 public:
  ExprLaneMaker(const Substitution& vectors, const tir::ForNode* loop, int lanes)
      : LaneMaker(loop, lanes), vectors_(vectors) {}

 protected:
  ir::PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = vectors_.find(ffi::GetRef<tir::Var>(op));
    return found == vectors_.end() ? LaneMaker::VisitVar(op) : (*found).second;
  }

 private:
  const Substitution& vectors_;
};

}  // namespace

std::optional<ir::PrimExpr> ExprLanes(const ir::PrimExpr& expr, const Substitution& vectors,
                                      int lanes) {
  if (lanes == 1) return Substitute(expr, vectors);
  const tir::For loop = LoopOver(lanes);
  try {
    return ExprLaneMaker(vectors, loop.get(), lanes)(expr);
  } catch (const NoLanes&) {
    return std::nullopt;
  }
}

}  // namespace uir::transform
