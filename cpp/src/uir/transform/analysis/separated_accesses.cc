// Loops whose iterations use disjoint elements.
#include "./separated_accesses.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/data.h>
#include <uir/arith/linear_equation.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_visitor.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "../../arith/const_fold.h"

namespace uir::transform {

namespace {

using arith::Interval;
using ir::PrimExpr;
using Access = SeparatedAccesses::Access;
using Uses = SeparatedAccesses::Uses;

/*! \brief Memory with more accesses is not analyzed. */
constexpr size_t kMostAccesses = 64;

/*! \brief Collects the uses of allocations, and the ranges of loops. */
class AccessCollector : public LinearVisitor {
 public:
  AccessCollector(const std::unordered_set<const ffi::Object*>& buffers, arith::Analyzer analyzer)
      : buffers_(buffers), analyzer_(std::move(analyzer)) {}

  std::unordered_map<const tir::VarNode*, Uses> uses;
  std::unordered_set<const tir::VarNode*> others;

 protected:
  void VisitVar(const tir::VarNode* op) override {
    const auto found = uses.find(op);
    if (found != uses.end()) found->second.has_others = true;
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    AddAccess(op->buffer, op->indices, op->predicate);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    AddAccess(op->buffer, op->indices, op->predicate);
    VisitPrimExpr(op->value);
  }

  void VisitCall(const tir::CallNode* op) override {
    const auto callee = op->op.as<ir::Op>();
    if (callee && (*callee)->name == "tir.address_of") {
      if (const auto* load = op->args[0].as<tir::BufferLoadNode>()) {
        VisitVar(load->buffer->data.get());
      }
    }
    LinearVisitor::VisitCall(op);
  }

  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    for (const PrimExpr& extent : op->buffer->shape) VisitPrimExpr(extent);
    if (buffers_.count(op->buffer.get()) != 0) uses.try_emplace(op->buffer->data.get());
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (const auto* var = op->node.as<tir::VarNode>()) VisitVar(var);
    if (const auto* buffer = op->node.as<tir::BufferNode>()) VisitVar(buffer->data.get());
    const std::optional<tir::IterVar> axis = op->node.as<tir::IterVar>();
    if (!axis) return LinearVisitor::VisitAttrStmt(op);
    VisitPrimExpr(op->value);
    VisitLoop((*axis)->var, tir::make_const(0, op->value->dtype), op->value, op->body);
  }

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    VisitLoop(op->loop_var, op->min, op->extent, op->body);
  }

  void VisitBind(const tir::BindNode* op) override {
    others.insert(op->var.get());
    LinearVisitor::VisitBind(op);
  }

  void VisitLet(const tir::LetNode* op) override {
    others.insert(op->var.get());
    LinearVisitor::VisitLet(op);
  }

 private:
  void VisitLoop(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent,
                 const tir::Stmt& body) {
    if (!seen_.insert(var.get()).second) others.insert(var.get());
    const bool has_range = min->IsInstance<ir::IntImmNode>() && min->dtype == var->dtype &&
                           extent->IsInstance<ir::IntImmNode>() && extent->dtype == var->dtype;
    if (has_range && others.count(var.get()) == 0) analyzer_->Bind(var, ir::Range(min, extent));
    loops_.push_back(var);
    VisitStmt(body);
    loops_.pop_back();
  }

  void AddAccess(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                 const ffi::Optional<PrimExpr>& predicate) {
    for (const PrimExpr& index : indices) VisitPrimExpr(index);
    if (predicate.has_value()) VisitPrimExpr(predicate.value());
    const auto found = uses.find(buffer->data.get());
    if (found == uses.end()) return;
    found->second.has_others |= buffers_.count(buffer.get()) == 0;
    found->second.accesses.push_back({indices, loops_});
  }

  const std::unordered_set<const ffi::Object*>& buffers_;
  arith::Analyzer analyzer_;
  std::vector<tir::Var> loops_;
  std::unordered_set<const tir::VarNode*> seen_;
};

}  // namespace

SeparatedAccesses::SeparatedAccesses(const tir::Stmt& body,
                                     const std::unordered_set<const ffi::Object*>& buffers) {
  AccessCollector collector(buffers, analyzer_);
  collector.VisitStmt(body);
  uses_ = std::move(collector.uses);
  others_ = std::move(collector.others);
}

bool SeparatedAccesses::Separates(const tir::VarNode* data, const tir::VarNode* loop_var) {
  const auto [found, is_new] = known_.try_emplace({data, loop_var}, false);
  if (is_new) found->second = Compute(uses_.at(data), loop_var);
  return found->second;
}

bool SeparatedAccesses::Compute(const Uses& uses, const tir::VarNode* loop_var) const {
  const bool may_hold = !uses.has_others && !uses.accesses.empty() &&
                        uses.accesses.size() <= kMostAccesses && others_.count(loop_var) == 0;
  if (!may_hold) return false;
  // Each variable has one loop, so all accesses have the same loops around this one.
  const std::vector<tir::Var>& loops = uses.accesses[0].loops;
  const auto is_var = [&](const tir::Var& var) { return var.get() == loop_var; };
  const auto place = std::find_if(loops.begin(), loops.end(), is_var);
  if (place == loops.end()) return false;
  const auto depth = static_cast<size_t>(place - loops.begin());
  for (size_t axis = 0; axis < uses.accesses[0].indices.size(); ++axis) {
    if (SeparatesIn(axis, uses, *place, depth)) return true;
  }
  return false;
}

bool SeparatedAccesses::IsKnown(const PrimExpr& index) const {
  if (!ir::IsScalar(index->dtype) || DependsOnMemory(index)) return false;
  return tschema::Walk(index, [this](const tir::VarNode* var) {
    return others_.count(var) != 0 ? tschema::kInterrupt : tschema::kAdvance;
  });
}

PrimExpr SeparatedAccesses::FirstIndex(const Access& access, size_t axis, size_t depth) const {
  const arith::Analyzer first;
  for (size_t inner = depth + 1; inner < access.loops.size(); ++inner) {
    const tir::Var& var = access.loops[inner];
    first->Bind(var, ir::IntImm(var->dtype, analyzer_->BoundOf(var).min));
  }
  return first->Simplify(access.indices[static_cast<int64_t>(axis)]);
}

bool SeparatedAccesses::SeparatesIn(size_t axis, const Uses& uses, const tir::Var& var,
                                    size_t depth) const {
  const auto is_usable = [&](const Access& access) {
    return depth < access.loops.size() && access.loops[depth].same_as(var) &&
           IsKnown(access.indices[static_cast<int64_t>(axis)]);
  };
  if (!std::all_of(uses.accesses.begin(), uses.accesses.end(), is_usable)) return false;
  const PrimExpr origin = FirstIndex(uses.accesses[0], axis, depth);
  const auto equation = arith::DetectLinearEquation(analyzer_, origin, {var});
  if (!equation || equation->coeffs[0] == 0) return false;
  Interval distance = Interval::Point(0);
  for (const Access& access : uses.accesses) {
    const PrimExpr& index = access.indices[static_cast<int64_t>(axis)];
    if (index->dtype != origin->dtype) return false;
    distance = Union(distance, analyzer_->BoundOf(analyzer_->Simplify(tir::sub(index, origin))));
  }
  const Interval width = Sub(Interval::Point(distance.max), Interval::Point(distance.min));
  return distance.IsBounded() && width.max < std::abs(equation->coeffs[0]);
}

}  // namespace uir::transform
