// Vectorizes loops of kind `VECTORIZED`.
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/ir/node_error.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/substitute.h>

#include <cstdint>
#include <string>
#include <utility>

#include "../analysis/loop_jumps.h"
#include "../rewrite/lane_maker.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

tir::Stmt SerialLoop(const tir::ForNode* loop) {
  return tir::For(loop->loop_var, loop->min, loop->extent, tir::ForKind::kSerial, loop->body,
                  std::nullopt, loop->annotations, loop->step, loop->span);
}

/*! \brief Vectorizes loops, inner ones first. */
class LoopVectorizer : public StmtRewriter {
 public:
  explicit LoopVectorizer(bool is_enabled) : is_enabled_(is_enabled) {}

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const arith::ConstraintScope scope(facts_);
    if (!op->step.has_value() && !arith::IsKnown(facts_, op->loop_var)) {
      facts_->Bind(op->loop_var, ir::Range(op->min, op->extent));
    }
    const tir::Stmt visited = StmtRewriter::VisitFor(op);
    const auto* loop = visited.as<tir::ForNode>();
    if (loop->kind != tir::ForKind::kVectorized) return visited;
    if (!is_enabled_ || FindLoopJumps(loop->body).any()) return SerialLoop(loop);
    const ffi::Optional<int64_t> count = loop->TripCount();
    if (!count.has_value()) {
      ir::ThrowAt(op, "ValueError",
                  "loop `" + std::string(loop->loop_var->name) +
                      "` is to be vectorized and must have a constant extent");
    }
    return Vectorized(loop, count.value());
  }

  tir::Stmt VisitBind(const tir::BindNode* op) override {
    arith::BindDefinition(facts_, op->var, op->value);
    return StmtRewriter::VisitBind(op);
  }

 private:
  tir::Stmt Vectorized(const tir::ForNode* loop, int64_t count) const {
    if (count == 0) return tir::SeqStmt(ffi::Array<tir::Stmt>());
    if (count == 1) return Substitute(loop->body, {{loop->loop_var, loop->min}});
    if (count > INT16_MAX) return SerialLoop(loop);
    return LaneMaker(loop, static_cast<int>(count), &facts_).MakeLanes(loop->body);
  }

  bool is_enabled_;
  /*! \brief Knows the ranges of loops, and which variables hold data. */
  arith::Analyzer facts_;
};

}  // namespace

Pass VectorizeLoop(bool enable_vectorize) {
  auto vectorize = [enable_vectorize](tir::Stmt body, const PassContext&) {
    return LoopVectorizer(enable_vectorize)(std::move(body));
  };
  return MakeBodyPass(vectorize, "VectorizeLoop");
}

}  // namespace uir::transform
