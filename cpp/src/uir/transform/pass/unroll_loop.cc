// Unrolls loops.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/op.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/linear_visitor.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./body_pass.h"

namespace uir::transform {

namespace {

/*! \brief The maximal number of steps of an unrolled loop; more would take compilers minutes. */
constexpr int64_t kMostSteps = int64_t{1} << 16;

/*! \brief The steps of `count` iterations, at most INT64_MAX. */
int64_t StepsOf(int64_t count, int64_t steps) {
  int64_t product = 0;
  return __builtin_mul_overflow(count, steps, &product) ? INT64_MAX : product;
}

/*! \brief The facts about a statement that decide whether to unroll. */
struct Body {
  int64_t steps = 0;
  int64_t loop_depth = 0;
  int64_t unrolled_depth = 0;
  /*! \brief Whether a `break` or `continue` leaves the loop around the statement. */
  bool has_jumps = false;

  void Add(const Body& other) {
    has_jumps |= other.has_jumps;
    if (__builtin_add_overflow(steps, other.steps, &steps)) steps = INT64_MAX;
    loop_depth = std::max(loop_depth, other.loop_depth);
    unrolled_depth = std::max(unrolled_depth, other.unrolled_depth);
  }
};

/*! \brief Collects the variables in indices of buffers in registers. */
class LocalAccessFinder : public LinearVisitor {
 public:
  std::unordered_set<const tir::VarNode*> vars;

 protected:
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    Add(op->buffer, op->indices);
    LinearVisitor::VisitBufferLoad(op);
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Add(op->buffer, op->indices);
    LinearVisitor::VisitBufferStore(op);
  }

 private:
  void Add(const tir::Buffer& buffer, const ffi::Array<ir::PrimExpr>& indices) {
    const ffi::String scope = buffer->Scope();
    if (scope != "local" && scope != "warp") return;
    for (const ir::PrimExpr& index : indices) {
      tschema::Walk(index, [&](const tir::VarNode* var) { vars.insert(var); });
    }
  }
};

class LoopUnroller : public StmtRewriter {
 public:
  explicit LoopUnroller(UnrollLoopOptions options) : options_(std::move(options)) {}

  tir::Stmt Run(tir::Stmt body) {
    if (options_->unroll_local_access) local_access_.VisitStmt(body);
    return VisitStmt(std::move(body));
  }

  tir::Stmt VisitStmt(tir::Stmt stmt) override {
    const tir::StmtNode* key = stmt.get();
    const Body before = std::exchange(body_, {});
    tir::Stmt result = StmtRewriter::VisitStmt(std::move(stmt));
    bodies_[key] = body_;
    body_.Add(before);
    return result;
  }

 protected:
  int64_t StmtContext() const override {
    return options_->auto_max_step ^ (options_->explicit_unroll ? INT64_MIN : 0);
  }
  void ReuseResult(const tir::StmtNode* stmt) override { body_ = bodies_.at(stmt); }

  tir::Stmt VisitFor(const tir::ForNode* op) override {
    tir::Stmt visited = StmtRewriter::VisitFor(op);
    const auto* loop = visited.as<tir::ForNode>();
    const ffi::Optional<int64_t> count = loop->TripCount();
    if (loop->kind == tir::ForKind::kUnrolled && !count.has_value()) {
      ir::ThrowAt(op, "ValueError",
                  "loop `" + std::string(loop->loop_var->name) +
                      "` is to be unrolled and must have a constant extent");
    }
    // `break` and `continue` need the loop, so it is not unrolled.
    const bool has_jumps = std::exchange(body_.has_jumps, false);
    if (!has_jumps && IsSingle(loop, count)) return WrittenOut(loop, count.value());
    if (has_jumps || !IsUnrolled(loop, count)) {
      ++body_.loop_depth;
      return visited;
    }
    const int64_t steps = StepsOf(count.value(), std::max<int64_t>(body_.steps, 1));
    if (options_->explicit_unroll && steps > kMostSteps) {
      ++body_.loop_depth;
      return OfKind(loop, tir::ForKind::kSerial);
    }
    body_.steps = StepsOf(count.value(), body_.steps);
    ++body_.unrolled_depth;
    if (options_->explicit_unroll) return WrittenOut(loop, count.value());
    if (loop->kind == tir::ForKind::kUnrolled) return visited;
    return OfKind(loop, tir::ForKind::kUnrolled);
  }

  tir::Stmt VisitWhile(const tir::WhileNode* op) override {
    tir::Stmt visited = StmtRewriter::VisitWhile(op);
    ++body_.loop_depth;
    body_.has_jumps = false;
    return visited;
  }

  tir::Stmt VisitBreak(const tir::BreakNode* op) override { return Jump(op); }

  tir::Stmt VisitContinue(const tir::ContinueNode* op) override { return Jump(op); }

  tir::Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    ++body_.steps;
    return ffi::GetRef<tir::Stmt>(op);
  }

  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override {
    ++body_.steps;
    return ffi::GetRef<tir::Stmt>(op);
  }

  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    const auto* value = op->value.as<ir::IntImmNode>();
    const bool is_step = op->attr_key == "pragma_auto_unroll_max_step";
    if (value == nullptr || (!is_step && op->attr_key != "pragma_unroll_explicit")) {
      return StmtRewriter::VisitAttrStmt(op);
    }
    const UnrollLoopOptions outer = options_;
    options_ = UnrollLoopOptions(is_step ? value->value : outer->auto_max_step,
                                 outer->auto_max_depth, outer->auto_max_extent,
                                 is_step ? outer->explicit_unroll : value->value != 0,
                                 outer->unroll_local_access);
    tir::Stmt body = VisitStmt(op->body);
    options_ = outer;
    return body;
  }

 private:
  tir::Stmt Jump(const tir::StmtNode* op) {
    ++body_.steps;
    body_.has_jumps = true;
    return ffi::GetRef<tir::Stmt>(op);
  }

  /*! \brief Whether to replace a loop of at most one iteration by its body. */
  bool IsSingle(const tir::ForNode* loop, ffi::Optional<int64_t> count) const {
    const bool is_repeated = loop->kind != tir::ForKind::kThreadBinding;
    return is_repeated && options_->auto_max_extent == 1 && count.has_value() && count.value() <= 1;
  }

  bool IsUnrolled(const tir::ForNode* loop, ffi::Optional<int64_t> count) const {
    if (loop->kind == tir::ForKind::kUnrolled) return true;
    if (loop->kind != tir::ForKind::kSerial || !count.has_value()) return false;
    if (local_access_.vars.count(loop->loop_var.get()) != 0) return true;
    if (body_.loop_depth > 0 || body_.unrolled_depth > options_->auto_max_depth) return false;
    const bool is_short = count.value() <= options_->auto_max_extent;
    return is_short || (options_->auto_max_step > 0 &&
                        StepsOf(count.value(), body_.steps) <= options_->auto_max_step);
  }

  static tir::Stmt OfKind(const tir::ForNode* loop, tir::ForKind kind) {
    return tir::For(loop->loop_var, loop->min, loop->extent, kind, loop->body, std::nullopt,
                    loop->annotations, loop->step, loop->span);
  }

  static tir::Stmt WrittenOut(const tir::ForNode* loop, int64_t count) {
    ffi::Array<tir::Stmt> stmts;
    const DLDataType dtype = loop->loop_var->dtype;
    const auto* step = loop->step.has_value() ? loop->step.value().as<ir::IntImmNode>() : nullptr;
    const int64_t distance = step == nullptr ? 1 : step->value;
    for (int64_t i = 0; i < count; ++i) {
      // The first iteration keeps the variables, so that each is bound once.
      tir::Stmt body = i == 0 ? loop->body : RenewBindings(loop->body);
      const ir::PrimExpr value = tir::add(loop->min, tir::make_const(i * distance, dtype));
      stmts.push_back(Substitute(std::move(body), {{loop->loop_var, value}}));
    }
    return tir::flatten_seq(std::move(stmts));
  }

  UnrollLoopOptions options_;
  LocalAccessFinder local_access_;
  /*! \brief The facts about the visited part of the present statement. */
  Body body_;
  /*! \brief The facts about each statement, from its last visit. */
  std::unordered_map<const tir::StmtNode*, Body> bodies_;
};

}  // namespace

Pass UnrollLoop() {
  auto unroll = [](tir::Stmt body, const PassContext& context) {
    return LoopUnroller(OptionsOf<UnrollLoopOptions>(context)).Run(std::move(body));
  };
  return MakeBodyPass(unroll, "UnrollLoop");
}

}  // namespace uir::transform
