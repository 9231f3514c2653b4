// The iterations of a loop in which conditions of its body are constant.
#include "./loop_conditions.h"

#include <tschema/walk.h>
#include <uir/arith/deduce_bound.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_visitor.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./speculation.h"

namespace uir::transform {

namespace {

using arith::IntSet;
using ir::PrimExpr;

using Domains = ffi::Map<tir::Var, IntSet>;

/*! \brief Collects the candidate comparisons, and the variables that the body binds. */
class ConditionCollector : public LinearVisitor {
 public:
  ConditionCollector(const tir::Var& var, ConditionKind kind) : kind_(kind) {
    Add(var, std::nullopt);
  }

  std::vector<PrimExpr> comparisons;

  /*! \brief Whether an expression uses the loop's variable, or a variable bound in the body. */
  bool UsesBound(const PrimExpr& expr) const {
    return !tschema::Walk(expr, [&](const tir::VarNode* var) {
      return ranges_.count(var) != 0 ? tschema::kInterrupt : tschema::kAdvance;
    });
  }

  /*! \brief The values of the variables of inner loops, threads and axes. */
  Domains InnerDomains() const {
    Domains domains;
    for (const auto& [var, range] : ranges_) {
      if (!range || UsesBound((*range)->min) || UsesBound((*range)->extent)) continue;
      if (DependsOnMemory((*range)->min) || DependsOnMemory((*range)->extent)) continue;
      if (var->dtype != (*range)->min->dtype) continue;
      domains.Set(ffi::GetRef<tir::Var>(var), arith::set_of_range(*range));
    }
    return domains;
  }

 protected:
  void VisitCall(const tir::CallNode* op) override {
    if (IsIgnored(op)) return;
    if (IsLikely(op)) AddParts(op->args[0]);
    LinearVisitor::VisitCall(op);
  }
  void VisitCmpOp(const tir::CmpOpNode* op) override {
    if (kind_ == ConditionKind::kAll) AddComparison(ffi::GetRef<PrimExpr>(op));
    LinearVisitor::VisitCmpOp(op);
  }
  void VisitFor(const tir::ForNode* op) override {
    Add(op->loop_var, ir::Range(op->min, op->extent));
    LinearVisitor::VisitFor(op);
  }
  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    const std::optional<tir::IterVar> launch = op->node.as<tir::IterVar>();
    if (launch && op->attr_key == "thread_extent") {
      Add((*launch)->var, ir::Range(ir::IntImm(op->value->dtype, 0), op->value));
    }
    LinearVisitor::VisitAttrStmt(op);
  }
  void VisitBind(const tir::BindNode* op) override {
    Add(op->var, std::nullopt);
    LinearVisitor::VisitBind(op);
  }
  void VisitLet(const tir::LetNode* op) override {
    Add(op->var, std::nullopt);
    LinearVisitor::VisitLet(op);
  }
  void VisitIterVar(const tir::IterVarNode* op) override {
    Add(op->var, op->dom.has_value() ? std::optional<ir::Range>(op->dom.value()) : std::nullopt);
    LinearVisitor::VisitIterVar(op);
  }

 private:
  /*! \brief Note a variable's range; a variable with more than one binding has no known range. */
  void Add(const tir::Var& var, std::optional<ir::Range> range) {
    const auto [place, is_new] = ranges_.emplace(var.get(), range);
    if (!is_new) place->second = std::nullopt;
  }

  void AddParts(const PrimExpr& condition) {
    tschema::Walk(condition, [&](const ir::PrimExprNode* part) {
      if (part->IsInstance<tir::CmpOpNode>()) AddComparison(ffi::GetRef<PrimExpr>(part));
      const bool is_logic = part->IsInstance<tir::AndNode>() || part->IsInstance<tir::OrNode>() ||
                            part->IsInstance<tir::NotNode>();
      return is_logic ? tschema::kAdvance : tschema::kSkip;
    });
  }

  void AddComparison(const PrimExpr& expr) {
    const DLDataType dtype = static_cast<const tir::CmpOpNode*>(expr.get())->a->dtype;
    const bool is_index = ir::IsScalar(dtype) && dtype.code == kDLInt && dtype.bits >= 32;
    if (is_index && added_.insert(expr.get()).second) comparisons.push_back(expr);
  }

  ConditionKind kind_;
  std::unordered_map<const tir::VarNode*, std::optional<ir::Range>> ranges_;
  std::unordered_set<const ffi::Object*> added_;
};

/*! \brief Solves comparisons for the loop's variable. */
class Solver {
 public:
  Solver(const tir::Var& var, const ConditionCollector& found, const arith::Analyzer& analyzer)
      : var_(var), found_(found), analyzer_(analyzer), domains_(found.InnerDomains()) {}

  LoopCondition Solve(const PrimExpr& comparison) {
    LoopCondition condition{comparison, {}};
    relaxed_ = DomainsIn(comparison);
    const auto* op = static_cast<const tir::CmpOpNode*>(comparison.get());
    const bool is_ne = comparison->IsInstance<tir::NENode>();
    if (is_ne || comparison->IsInstance<tir::EQNode>()) {
      Add(tir::EQ(op->a, op->b), !is_ne, &condition);
      Add(tir::LT(op->a, op->b), is_ne, &condition);
      Add(tir::LT(op->b, op->a), is_ne, &condition);
    } else {
      Add(comparison, true, &condition);
      Add(tir::Not(comparison), false, &condition);
    }
    return condition;
  }

 private:
  /*!
   * \brief The domains of the variables that a comparison uses.
   *
   * The comparison is inside these loops, so they are not empty when it is computed. Other loops
   * may be empty, and then every condition holds for all values of their variables.
   */
  Domains DomainsIn(const PrimExpr& comparison) const {
    Domains used;
    tschema::Walk(comparison, [&](const tir::VarNode* node) {
      const auto var = ffi::GetRef<tir::Var>(node);
      if (const auto domain = domains_.Get(var)) used.Set(var, *domain);
    });
    return used;
  }

  void Add(const PrimExpr& part, bool value, LoopCondition* condition) const {
    const IntSet set = arith::DeduceBound(analyzer_, var_, part, relaxed_);
    if (set->IsNothing()) return;
    Iterations iterations{set->min_value, std::nullopt};
    if (set->max_value.has_value()) {
      const PrimExpr last = set->max_value.value();
      iterations.end = analyzer_->Simplify(tir::Add(last, ir::IntImm(last->dtype, 1)));
    }
    if (iterations.begin.has_value()) {
      iterations.begin = analyzer_->Simplify(iterations.begin.value());
    }
    if (IsUsable(iterations.begin) && IsUsable(iterations.end)) {
      condition->known.push_back({value, iterations});
    }
  }

  bool IsUsable(const ffi::Optional<PrimExpr>& limit) const {
    if (!limit.has_value()) return true;
    return !found_.UsesBound(limit.value()) && IsComputable(analyzer_, limit.value());
  }

  const tir::Var& var_;
  const ConditionCollector& found_;
  const arith::Analyzer& analyzer_;
  Domains domains_;
  /*! \brief The domains for the comparison that is being solved. */
  Domains relaxed_;
};

}  // namespace

bool IsLikely(const tir::CallNode* call) {
  // Never destroyed, because passes may run during static destruction.
  static const ir::Op* const likely = new ir::Op(ir::get_op("tir.likely"));
  return call->op.get() == likely->get();
}

bool IsIgnored(const tir::CallNode* call) {
  static const ir::Op* const ignored = new ir::Op(ir::get_op("tir.ignore_loop_partition"));
  return call->op.get() == ignored->get();
}

std::vector<LoopCondition> FindLoopConditions(const tir::Var& var, const tir::Stmt& body,
                                              const arith::Analyzer& analyzer, ConditionKind kind) {
  ConditionCollector found(var, kind);
  found.VisitStmt(body);
  std::vector<LoopCondition> conditions;
  if (found.comparisons.empty()) return conditions;
  Solver solver(var, found, analyzer);
  for (const PrimExpr& comparison : found.comparisons) {
    if (DependsOnMemory(comparison)) continue;
    LoopCondition condition = solver.Solve(comparison);
    if (!condition.known.empty()) conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace uir::transform
