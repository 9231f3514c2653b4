// Removes stores that later ones overwrite before any read.
#include "./overwritten_stores.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/linear_visitor.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../analysis/loop_jumps.h"
#include "./no_op.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief The maximal number of loops and conditions around a candidate store. */
constexpr size_t kMostStoreDepth = 16;

/*! \brief A store with the loops and conditions around it, and no other statement. */
struct StoreNest {
  std::vector<const tir::ForNode*> loops;
  std::vector<PrimExpr> conditions;
  const tir::BufferStoreNode* store = nullptr;

  bool is_plain() const { return loops.empty() && conditions.empty(); }
};

/*! \brief The store of a loop nest; `nullopt` for other statements, or if an index reads memory. */
std::optional<StoreNest> NestOf(const Stmt& stmt) {
  StoreNest nest;
  Stmt rest = stmt;
  bool is_index = true;
  while (nest.store == nullptr) {
    if (nest.loops.size() + nest.conditions.size() > kMostStoreDepth) return std::nullopt;
    if (const auto* loop = rest.as<tir::ForNode>()) {
      if (loop->step.has_value() || loop->kind == tir::ForKind::kThreadBinding) return std::nullopt;
      is_index = is_index && !DependsOnMemory(loop->min) && !DependsOnMemory(loop->extent);
      nest.loops.push_back(loop);
      rest = loop->body;
    } else if (const auto* choice = rest.as<tir::IfThenElseNode>()) {
      if (choice->else_case.has_value()) return std::nullopt;
      is_index = is_index && !DependsOnMemory(choice->condition);
      nest.conditions.push_back(choice->condition);
      rest = choice->then_case;
    } else {
      nest.store = rest.as<tir::BufferStoreNode>();
      if (nest.store == nullptr || nest.store->predicate.has_value()) return std::nullopt;
    }
  }
  const ffi::Array<PrimExpr>& indices = nest.store->indices;
  is_index = is_index && std::none_of(indices.begin(), indices.end(), &DependsOnMemory);
  return is_index ? std::optional<StoreNest>(std::move(nest)) : std::nullopt;
}

/*! \brief Searches for a statement that may read the memory of a buffer, or end the function. */
class ReadFinder : public LinearVisitor {
 public:
  explicit ReadFinder(const tir::Var& data) : data_(data) {}

  bool found = false;

  void VisitStmt(const Stmt& stmt) override {
    found = found || ++num_stmts_ > kMostStmts;
    if (!found) LinearVisitor::VisitStmt(stmt);
  }

 protected:
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    found = found || op->buffer->data.same_as(data_);
    LinearVisitor::VisitBufferLoad(op);
  }
  void VisitVar(const tir::VarNode* op) override { found = found || op == data_.get(); }
  void VisitCall(const tir::CallNode* op) override {
    const auto* callee = op->op.as<ir::OpNode>();
    found = found || callee == nullptr ||
            tir::effect_kind(ffi::GetRef<ir::Op>(callee)) > tir::CallEffectKind::kReadState;
    LinearVisitor::VisitCall(op);
  }
  void VisitWhile(const tir::WhileNode*) override { found = true; }
  void VisitAssertStmt(const tir::AssertStmtNode*) override { found = true; }
  void VisitBlockRealize(const tir::BlockRealizeNode*) override { found = true; }
  void VisitBlock(const tir::BlockNode*) override { found = true; }

 private:
  /*! \brief Larger statements are assumed to read, because each store visits the next ones. */
  static constexpr int kMostStmts = 256;

  const tir::Var& data_;
  int num_stmts_ = 0;
};

bool MayRead(const Stmt& stmt, const tir::Var& data) {
  ReadFinder finder(data);
  finder.VisitStmt(stmt);
  return finder.found || FindLoopJumps(stmt).any();
}

/*! \brief The iteration of the later store that writes an element of the earlier one. */
std::optional<Substitution> IterationOf(const StoreNest& earlier, const StoreNest& later) {
  Substitution values;
  const ffi::Array<PrimExpr>& indices = later.store->indices;
  for (size_t i = 0; i < later.loops.size(); ++i) {
    const tir::Var& var = later.loops[i]->loop_var;
    const auto place = std::find_if(indices.begin(), indices.end(),
                                    [&](const PrimExpr& index) { return index.same_as(var); });
    PrimExpr value = var;
    if (place != indices.end()) {
      value = earlier.store->indices[place - indices.begin()];
    } else if (earlier.loops.size() == later.loops.size()) {
      value = earlier.loops[i]->loop_var;
    } else {
      return std::nullopt;
    }
    if (value->dtype != var->dtype) return std::nullopt;
    values.Set(var, value);
  }
  return values;
}

/*! \brief Whether the later store writes each element of the earlier one. */
bool Covers(const StoreNest& later, const StoreNest& earlier) {
  const bool is_same_buffer = later.store->buffer.same_as(earlier.store->buffer) &&
                              later.store->value->dtype == earlier.store->value->dtype;
  const std::optional<Substitution> values =
      is_same_buffer ? IterationOf(earlier, later) : std::nullopt;
  if (!values || later.store->indices.size() != earlier.store->indices.size()) return false;
  const arith::Analyzer analyzer;
  for (const tir::ForNode* loop : earlier.loops) {
    if (arith::IsKnown(analyzer, loop->loop_var)) return false;
    if (loop->loop_var->dtype != loop->min->dtype) return false;
    analyzer->Bind(loop->loop_var, ir::Range(loop->min, loop->extent));
  }
  for (const PrimExpr& condition : earlier.conditions) analyzer->Assume(condition);
  const auto in_iteration = [&](const PrimExpr& expr) { return Substitute(expr, *values); };
  for (const tir::ForNode* loop : later.loops) {
    const PrimExpr at = in_iteration(loop->loop_var);
    const PrimExpr min = in_iteration(loop->min);
    if (at->dtype != min->dtype || !analyzer->CanProveLessEqual(min, at)) return false;
    const PrimExpr end = tir::Add(min, in_iteration(loop->extent));
    if (!analyzer->CanProveLess(at, end)) return false;
  }
  for (const PrimExpr& condition : later.conditions) {
    if (!analyzer->CanProve(in_iteration(condition))) return false;
  }
  for (size_t i = 0; i < later.store->indices.size(); ++i) {
    const PrimExpr index = in_iteration(later.store->indices[i]);
    if (index->dtype != earlier.store->indices[i]->dtype) return false;
    if (!analyzer->CanProveEqual(index, earlier.store->indices[i])) return false;
  }
  return true;
}

class OverwriteRemover : public StmtRewriter {
 protected:
  Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override {
    Stmt result = StmtRewriter::VisitSeqStmt(op);
    const auto* seq = result.as<tir::SeqStmtNode>();
    if (seq == nullptr) return result;
    bool is_same = true;
    ffi::Array<Stmt> kept;
    for (size_t i = 0; i < seq->seq.size(); ++i) {
      const Stmt rest = IsOverwritten(seq->seq, i) ? EffectsOf(seq->seq[i]) : seq->seq[i];
      is_same = is_same && rest.same_as(seq->seq[i]);
      if (!IsNoOp(rest)) kept.push_back(rest);
    }
    if (is_same) return result;
    return kept.size() == 1 ? kept[0] : tir::SeqStmt(std::move(kept), op->span);
  }

 private:
  /*! \brief The maximal number of later statements that are searched for each store. */
  static constexpr size_t kMostDistance = 32;

  static bool IsOverwritten(const ffi::Array<Stmt>& seq, size_t index) {
    const std::optional<StoreNest> earlier = NestOf(seq[index]);
    if (!earlier || (!earlier->is_plain() && HasEffect(earlier->store->value))) return false;
    const tir::Var& data = earlier->store->buffer->data;
    const size_t end = std::min(seq.size(), index + 1 + kMostDistance);
    for (size_t i = index + 1; i < end && !MayRead(seq[i], data); ++i) {
      const std::optional<StoreNest> later = NestOf(seq[i]);
      if (later && Covers(*later, *earlier)) return true;
    }
    return false;
  }

  /*! \brief The side effects of the value of a removed store. */
  static Stmt EffectsOf(const Stmt& stmt) {
    const auto* store = stmt.as<tir::BufferStoreNode>();
    if (store == nullptr || !HasEffect(store->value)) return NoOp(stmt->span);
    return tir::Evaluate(store->value, store->span);
  }
};

}  // namespace

Stmt RemoveOverwrittenStores(Stmt stmt) {
  // Reads through another pointer to the same memory would not be found.
  const bool has_pointers = !tschema::Walk(stmt, [](const ffi::Object* node) {
    const auto* bind = ffi::AnyView(node).as<tir::BindNode>();
    const bool is_pointer = bind != nullptr ? ir::IsHandle(bind->var->dtype)
                                            : node->IsInstance<tir::MatchBufferRegionNode>();
    return is_pointer ? tschema::kInterrupt : tschema::kAdvance;
  });
  return has_pointers ? stmt : OverwriteRemover().VisitStmt(std::move(stmt));
}

}  // namespace uir::transform
