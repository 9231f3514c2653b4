// Partitioning of loops into parts with and without checks.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/reduce.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/loop_partition.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/substitute.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/loop_conditions.h"
#include "../analysis/loop_jumps.h"
#include "../analysis/loop_parts.h"
#include "../rewrite/condition_settler.h"
#include "../rewrite/no_op.h"
#include "../rewrite/thread_branch.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsMark(const tir::CallNode* call) { return IsLikely(call) || IsIgnored(call); }

/*! \brief Whether a statement has a mark or a hint of this pass. */
bool HasMarks(const Stmt& stmt) {
  return !tschema::Walk(stmt, [](const ffi::Object* node) {
    const ffi::AnyView view(node);
    const auto* call = view.as<tir::CallNode>();
    const auto* loop = view.as<tir::ForNode>();
    const auto* attr = view.as<tir::AttrStmtNode>();
    const bool is_mark = (call != nullptr && IsMark(call)) ||
                         (loop != nullptr && loop->annotations.count(kLoopPartitionHint) != 0) ||
                         (attr != nullptr && attr->attr_key == kLoopPartitionHint);
    return is_mark ? tschema::kInterrupt : tschema::kAdvance;
  });
}

/*! \brief Removes the marks and hints of this pass. */
class MarkRemover : public LinearMutator {
 protected:
  PrimExpr VisitCall(const tir::CallNode* op) override {
    if (IsMark(op)) return VisitPrimExpr(op->args[0]);
    return LinearMutator::VisitCall(op);
  }
  Stmt VisitFor(const tir::ForNode* op) override {
    Stmt result = LinearMutator::VisitFor(op);
    if (op->annotations.count(kLoopPartitionHint) == 0) return result;
    const auto* loop = result.as<tir::ForNode>();
    ffi::Map<ffi::String, ffi::Any> annotations = loop->annotations;
    annotations.erase(kLoopPartitionHint);
    return tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, loop->body,
                    loop->thread_binding, std::move(annotations), loop->step, loop->span);
  }
  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (op->attr_key == kLoopPartitionHint) return VisitStmt(op->body);
    return LinearMutator::VisitAttrStmt(op);
  }
};

/*! \brief The middle part of a loop, whose conditions need no check. */
struct Middle {
  Iterations iterations;
  ConditionValues values;
};

class Partitioner : public AnalyzingMutator {
 public:
  explicit Partitioner(LoopPartitionOptions options)
      : AnalyzingMutator(arith::Analyzer()), options_(std::move(options)) {}

  /*! \brief Return expressions unchanged. */
  PrimExpr VisitPrimExpr(PrimExpr expr) override { return expr; }

 protected:
  Stmt VisitFor(const tir::ForNode* op) override {
    if (op->kind == tir::ForKind::kThreadBinding) return VisitThreadLoop(op);
    if (!IsCandidate(op)) return AnalyzingMutator::VisitFor(op);
    CheckIsNew(op->loop_var, op);
    const ConditionKind kind = IsHinted(op) ? ConditionKind::kAll : ConditionKind::kLikely;
    std::vector<LoopCondition> conditions =
        FindLoopConditions(op->loop_var, op->body, analyzer(), kind);
    const bool is_numbered = IsNumbered(op->min) && IsNumbered(op->extent);
    std::optional<Stmt> parts;
    if (is_numbered) parts = PartitionAtNumbers(op, conditions);
    if (!parts && HasScalarIterations(op)) parts = PartitionBetween(op, conditions);
    if (!parts && !is_numbered && HasScalarIterations(op)) parts = PartitionIfRun(op, kind);
    if (parts) return *std::move(parts);
    const bool is_unrolled = is_numbered && IsUnrolled(op, conditions.size());
    Stmt loop = AnalyzingMutator::VisitFor(op);
    return is_unrolled ? Unrolled(loop.as<tir::ForNode>()) : loop;
  }

  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (op->attr_key == kLoopPartitionHint) NoteHint(op->node);
    const std::optional<tir::IterVar> launch = op->node.as<tir::IterVar>();
    if (!launch || op->attr_key != "thread_extent") return AnalyzingMutator::VisitAttrStmt(op);
    const PrimExpr begin = ir::IntImm(op->value->dtype, 0);
    const Stmt body = BranchInBlock(*launch, begin, op->value, op->body);
    const tir::AttrStmt branched(op->node, op->attr_key, op->value, body, op->span);
    return AnalyzingMutator::VisitAttrStmt(body.same_as(op->body) ? op : branched.get());
  }

 private:
  static bool IsNumbered(const PrimExpr& expr) { return expr.as<ir::IntImmNode>() != nullptr; }

  /*! \brief Whether the kind of loop permits an extent that is not constant. */
  static bool HasScalarIterations(const tir::ForNode* op) {
    return op->kind == tir::ForKind::kSerial || op->kind == tir::ForKind::kParallel;
  }

  /*! \brief Whether to unroll a loop with conditions that could not be solved. */
  bool IsUnrolled(const tir::ForNode* op, size_t num_conditions) const {
    return options_->unroll_loop_with_partition_hint_no_interval && IsHinted(op) &&
           op->kind == tir::ForKind::kSerial && num_conditions > 0;
  }

  static Stmt Unrolled(const tir::ForNode* op) {
    return tir::For(op->loop_var, op->min, op->extent, tir::ForKind::kUnrolled, op->body,
                    std::nullopt, op->annotations, std::nullopt, op->span);
  }

  void NoteHint(const ffi::Any& node) {
    if (const auto var = node.as<tir::Var>()) hinted_.insert(var->get());
    if (const auto axis = node.as<tir::IterVar>()) hinted_.insert((*axis)->var.get());
  }

  bool IsHinted(const tir::ForNode* op) const {
    return op->annotations.count(kLoopPartitionHint) != 0 || hinted_.count(op->loop_var.get()) != 0;
  }

  Stmt VisitThreadLoop(const tir::ForNode* op) {
    if (!op->thread_binding.has_value()) return AnalyzingMutator::VisitFor(op);
    const tir::IterVar& thread = op->thread_binding.value();
    const tir::IterVar axis(op->loop_var, std::nullopt, thread->iter_type, thread->thread_tag);
    const Stmt body = BranchInBlock(axis, op->min, op->extent, op->body);
    if (body.same_as(op->body)) return AnalyzingMutator::VisitFor(op);
    const tir::For branched(op->loop_var, op->min, op->extent, op->kind, body, op->thread_binding,
                            op->annotations, op->step, op->span);
    return AnalyzingMutator::VisitFor(branched.get());
  }

  /*! \brief The body of a launch of blocks, with a branch for blocks in which conditions hold. */
  Stmt BranchInBlock(const tir::IterVar& axis, const PrimExpr& min, const PrimExpr& extent,
                     const Stmt& body) {
    const std::string tag = axis->thread_tag;
    const bool is_hinted = hinted_.count(axis->var.get()) != 0;
    const bool is_const = IsNumbered(min) && IsNumbered(extent);
    const bool is_asked = !is_const || is_hinted || options_->partition_const_loop;
    if (tag.rfind("blockIdx.", 0) != 0 || !is_asked || num_parts_ > kMostParts) return body;
    if (DependsOnMemory(extent) || axis->var->dtype != extent->dtype) return body;
    const ConditionKind kind = is_hinted ? ConditionKind::kAll : ConditionKind::kLikely;
    const PrimExpr end = Simple(tir::Add(min, extent));
    const std::optional<Middle> middle =
        MiddleOf(min, end, FindLoopConditions(axis->var, body, analyzer(), kind));
    if (!middle) return body;
    ++num_parts_;
    PrimExpr inside = ir::IntImm(ir::BoolType(), 1);
    const auto& [begin, last] = middle->iterations;
    if (begin.has_value()) inside = tir::LE(begin.value(), axis->var);
    if (last.has_value()) inside = tir::logical_and(inside, tir::LT(axis->var, last.value()));
    return BranchInThreads(body, inside, middle->values);
  }

  bool IsCandidate(const tir::ForNode* op) const {
    const DLDataType dtype = op->loop_var->dtype;
    if (op->kind == tir::ForKind::kThreadBinding || op->step.has_value()) return false;
    if (dtype.code != kDLInt || dtype.bits < 32 || num_parts_ > kMostParts) return false;
    if (DependsOnMemory(op->min) || DependsOnMemory(op->extent)) return false;
    const bool is_const = IsNumbered(op->min) && IsNumbered(op->extent);
    if (is_const && !options_->partition_const_loop && !IsHinted(op)) return false;
    // With `break`, the parts could not run one after another.
    return !FindLoopJumps(op->body).has_break;
  }

  /*! \brief Split a loop at the constants at which a condition changes; `nullopt` without any. */
  std::optional<Stmt> PartitionAtNumbers(const tir::ForNode* op,
                                         const std::vector<LoopCondition>& conditions) {
    const int64_t begin = *tir::IntConstOf(op->min);
    int64_t end = 0;
    if (__builtin_add_overflow(begin, *tir::IntConstOf(op->extent), &end)) return std::nullopt;
    std::vector<LoopCondition> numbered;
    std::vector<LoopCondition> others;
    for (const LoopCondition& condition : conditions) {
      (HasNumbers(condition) ? numbered : others).push_back(condition);
    }
    const std::vector<NumberedPart> parts = PartsOf(begin, end, numbered);
    const bool is_known = std::any_of(
        parts.begin(), parts.end(), [](const NumberedPart& part) { return !part.values.empty(); });
    if (!is_known || parts.size() > kMostPartsOfLoop) return std::nullopt;
    num_parts_ += static_cast<int64_t>(parts.size()) - 1;
    ffi::Array<Stmt> stmts;
    for (const NumberedPart& part : parts) {
      Stmt body = SettleConditions(op->body, part.values);
      if (IsNoOp(body)) continue;
      Stmt loop = NumberedLoop(op, part, body, others);
      const bool is_open = IsUnrolled(op, numbered.size() - part.values.size());
      const auto* whole = loop.as<tir::ForNode>();
      const bool is_whole = whole != nullptr && whole->loop_var.same_as(op->loop_var);
      stmts.push_back(is_open && is_whole ? Unrolled(whole) : std::move(loop));
    }
    return tir::flatten_seq(std::move(stmts));
  }

  /*! \brief The loop of one part; its body is partitioned in turn. */
  Stmt NumberedLoop(const tir::ForNode* op, const NumberedPart& part, const Stmt& body,
                    const std::vector<LoopCondition>& others) {
    const DLDataType dtype = op->loop_var->dtype;
    const PrimExpr begin = ir::IntImm(dtype, part.begin);
    const bool is_one = part.end - part.begin == 1 && AnnotationsOf(op).empty();
    if (is_one && !options_->no_unroll_loop_with_extent_one && !FindLoopJumps(body).any()) {
      // The next part binds the same variables.
      const arith::ConstraintScope scope(analyzer());
      return VisitStmt(Substitute(body, {{op->loop_var, begin}}));
    }
    const PrimExpr extent = ir::IntImm(dtype, part.end - part.begin);
    const Stmt loop = WithBounds(op, begin, extent, body);
    if (HasScalarIterations(op)) {
      if (auto parts = PartitionBetween(loop.as<tir::ForNode>(), others)) return *std::move(parts);
    }
    return WithBounds(op, begin, extent, VisitIn(op->loop_var, begin, extent, body));
  }

  /*! \brief Split a loop under the condition that it runs, so that limits do not overflow. */
  std::optional<Stmt> PartitionIfRun(const tir::ForNode* op, ConditionKind kind) {
    const PrimExpr runs = tir::LT(ir::IntImm(op->extent->dtype, 0), op->extent);
    if (analyzer()->CanProve(runs)) return std::nullopt;
    const arith::ConstraintScope scope(analyzer(), runs);
    std::optional<Stmt> parts =
        PartitionBetween(op, FindLoopConditions(op->loop_var, op->body, analyzer(), kind));
    if (!parts) return std::nullopt;
    return tir::IfThenElse(runs, *std::move(parts), std::nullopt, op->span);
  }

  /*! \brief Split a loop before and after the iterations in which its conditions hold. */
  std::optional<Stmt> PartitionBetween(const tir::ForNode* op,
                                       const std::vector<LoopCondition>& conditions) {
    const PrimExpr end = Simple(tir::Add(op->min, op->extent));
    const std::optional<Middle> middle = MiddleOf(op->min, end, conditions);
    if (!middle) return std::nullopt;
    const auto& [iterations, values] = *middle;
    const PrimExpr first = iterations.begin.value_or(op->min);
    const PrimExpr last = iterations.end.value_or(end);
    PrimExpr begin_mid = op->min;
    PrimExpr end_mid = end;
    num_parts_ += 2;
    ffi::Array<Stmt> parts;
    if (iterations.begin.has_value()) {
      begin_mid = Simple(tir::Min(Simple(tir::Max(op->min, first)), end));
      Append(op, op->min, begin_mid, ValuesIn(op->min, first, conditions), &parts);
    }
    if (iterations.end.has_value()) {
      end_mid = Simple(tir::Max(Simple(tir::Min(last, end)), begin_mid));
    }
    ConditionValues values_mid = ValuesIn(first, last, conditions);
    values_mid.insert(values.begin(), values.end());
    Append(op, begin_mid, end_mid, values_mid, &parts);
    if (iterations.end.has_value()) {
      Append(op, end_mid, end, ValuesIn(last, end, conditions), &parts);
    }
    return tir::flatten_seq(std::move(parts));
  }

  /*! \brief The iterations in which the most conditions hold, chosen greedily; `nullopt` if none
   * holds. */
  std::optional<Middle> MiddleOf(const PrimExpr& min, const PrimExpr& end,
                                 const std::vector<LoopCondition>& conditions) {
    Middle middle;
    for (const LoopCondition& condition : conditions) {
      const KnownValue& known = condition.known.front();
      const bool is_one_range = condition.known.size() == 1 || !condition.known[1].value;
      if (!known.value || !is_one_range) continue;
      Iterations next = middle.iterations;
      Tighten<tir::Max>(known.iterations.begin, &next.begin);
      Tighten<tir::Min>(known.iterations.end, &next.end);
      if (!next.begin.has_value() || analyzer()->CanProveLessEqual(next.begin.value(), min)) {
        next.begin = std::nullopt;
      }
      if (!next.end.has_value() || analyzer()->CanProveLessEqual(end, next.end.value())) {
        next.end = std::nullopt;
      }
      // Skip a condition that would leave no iterations.
      if (IsEmpty(next, min, end)) continue;
      middle.iterations = std::move(next);
      middle.values.emplace(condition.comparison.get(), true);
    }
    if (middle.values.empty()) return std::nullopt;
    return middle;
  }

  bool IsEmpty(const Iterations& middle, const PrimExpr& min, const PrimExpr& end) {
    const PrimExpr first = Simple(tir::Max(middle.begin.value_or(min), min));
    return analyzer()->CanProveLessEqual(Simple(tir::Min(middle.end.value_or(end), end)), first);
  }

  template <typename Op>
  void Tighten(const ffi::Optional<PrimExpr>& limit, ffi::Optional<PrimExpr>* known) {
    if (!limit.has_value()) return;
    *known = known->has_value() ? Simple(Op(known->value(), limit.value())) : limit;
  }

  /*! \brief Add a loop over a part; its body is partitioned in turn. */
  void Append(const tir::ForNode* op, const PrimExpr& begin, const PrimExpr& end,
              const ConditionValues& values, ffi::Array<Stmt>* parts) {
    if (analyzer()->CanProveLessEqual(end, begin)) return;
    const Stmt body = SettleConditions(op->body, values);
    if (IsNoOp(body)) return;
    const PrimExpr extent = Simple(tir::Sub(end, begin));
    parts->push_back(WithBounds(op, begin, extent, VisitIn(op->loop_var, begin, extent, body)));
  }

  /*! \brief The conditions that are known in all iterations between two limits. */
  ConditionValues ValuesIn(const PrimExpr& begin, const PrimExpr& end,
                           const std::vector<LoopCondition>& conditions) {
    ConditionValues values;
    for (const LoopCondition& condition : conditions) {
      for (const KnownValue& known : condition.known) {
        if (Covers(known.iterations, begin, end)) {
          values.emplace(condition.comparison.get(), known.value);
        }
      }
    }
    return values;
  }

  bool Covers(const Iterations& iterations, const PrimExpr& begin, const PrimExpr& end) {
    const bool begins = !iterations.begin.has_value() ||
                        analyzer()->CanProveLessEqual(iterations.begin.value(), begin);
    return begins && (!iterations.end.has_value() ||
                      analyzer()->CanProveLessEqual(end, iterations.end.value()));
  }

  PrimExpr Simple(const PrimExpr& expr) { return analyzer()->Simplify(expr); }

  static ffi::Map<ffi::String, ffi::Any> AnnotationsOf(const tir::ForNode* op) {
    ffi::Map<ffi::String, ffi::Any> annotations = op->annotations;
    annotations.erase(kLoopPartitionHint);
    return annotations;
  }

  static Stmt WithBounds(const tir::ForNode* op, const PrimExpr& begin, const PrimExpr& extent,
                         Stmt body) {
    return tir::For(op->loop_var, begin, extent, op->kind, std::move(body), std::nullopt,
                    AnnotationsOf(op), std::nullopt, op->span);
  }

  /*! \brief The maximal number of parts of a loop between constants. */
  static constexpr size_t kMostPartsOfLoop = 16;
  /*! \brief The maximal number of loops to add to a function; each part may split inner loops. */
  static constexpr int64_t kMostParts = 1024;

  LoopPartitionOptions options_;
  std::unordered_set<const tir::VarNode*> hinted_;
  int64_t num_parts_ = 0;
};

}  // namespace

Stmt LoopPartition(Stmt stmt, const LoopPartitionOptions& options) {
  if (!HasMarks(stmt)) return stmt;
  return MarkRemover().VisitStmt(Partitioner(options).VisitStmt(std::move(stmt)));
}

Pass LoopPartition() {
  auto partition = [](tir::PrimFunc func, const ir::IRModule&, const PassContext& context) {
    Stmt body = LoopPartition(func->body, OptionsOf<LoopPartitionOptions>(context));
    if (body.same_as(func->body)) return func;
    // The parts of a loop get separate variables.
    return ConvertSSA(WithBody(std::move(func), std::move(body)));
  };
  return MakePrimFuncPass(partition, 0, "LoopPartition");
}

}  // namespace uir::transform
