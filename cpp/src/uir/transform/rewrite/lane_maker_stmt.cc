// Vectorization of statements.
#include <tschema/walk.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/substitute.h>

#include <utility>

#include "../analysis/loop_jumps.h"
#include "./lane_maker.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

bool Binds(const tir::Stmt& stmt) {
  return stmt.as<tir::BindNode>() != nullptr || stmt.as<tir::AllocBufferNode>() != nullptr ||
         stmt.as<tir::DeclBufferNode>() != nullptr;
}

/*! \brief Whether a store reads the buffer it writes, so that repeating it changes the result. */
bool ReadsItself(const tir::BufferStoreNode* store) {
  return !tschema::Walk(store->value, [&](const tir::BufferLoadNode* load) {
    const bool is_same = load->buffer->data.same_as(store->buffer->data);
    return is_same ? tschema::kInterrupt : tschema::kAdvance;
  });
}

}  // namespace

/*! \brief A serial loop that runs a statement for each lane. */
tir::Stmt LaneMaker::SerialLoop(const tir::Stmt& stmt) const {
  const auto var = CopyOf<tir::Var>(loop_->loop_var.get());
  return tir::For(var, loop_->min, loop_->extent, tir::ForKind::kSerial,
                  Substitute(stmt, {{loop_->loop_var, var}}), std::nullopt, {}, loop_->step,
                  loop_->span);
}

tir::Stmt LaneMaker::MakeLanes(const tir::Stmt& stmt) {
  // A loop over the lanes cannot use vector variables.
  if (num_bound_ > 0 || mask_.has_value()) return VisitStmt(stmt);
  try {
    return VisitStmt(stmt);
  } catch (const NoLanes&) {
    // A loop over the lanes would catch the jumps of the loop around the statement.
    if (FindLoopJumps(stmt).any()) throw;
    num_bound_ = 0;
  }
  return SerialLoop(stmt);
}

tir::Stmt LaneMaker::VisitSeqStmt(const tir::SeqStmtNode* op) {
  bool binds = false;
  for (const tir::Stmt& stmt : op->seq) binds |= Binds(stmt);
  const int num_bound = num_bound_;
  tir::Stmt result = VisitFlat(
      op, [&](const tir::Stmt& stmt) { return binds ? VisitStmt(stmt) : MakeLanes(stmt); });
  num_bound_ = num_bound;
  return result;
}

tir::Stmt LaneMaker::VisitBind(const tir::BindNode* op) {
  if (facts_ != nullptr) arith::BindDefinition(*facts_, op->var, op->value);
  PrimExpr value = VisitPrimExpr(op->value);
  if (value.same_as(op->value)) return ffi::GetRef<tir::Stmt>(op);
  if (value->dtype == op->value->dtype) return tir::Bind(op->var, std::move(value), op->span);
  ++num_bound_;
  const tir::Var var = VectorOf(op->var, value->dtype);
  return tir::Bind(var, std::move(value), op->span);
}

tir::Stmt LaneMaker::VisitAttrStmt(const tir::AttrStmtNode* op) {
  Uniform(op->value);
  if (const auto var = op->node.as<tir::Var>()) Uniform(*var);
  tir::Stmt body = MakeLanes(op->body);
  if (body.same_as(op->body)) return ffi::GetRef<tir::Stmt>(op);
  return tir::AttrStmt(op->node, op->attr_key, op->value, std::move(body), op->span);
}

tir::Stmt LaneMaker::VisitAssertStmt(const tir::AssertStmtNode* op) {
  if (mask_.has_value()) throw NoLanes();
  Uniform(op->condition);
  for (const PrimExpr& part : op->message_parts) Uniform(part);
  return ffi::GetRef<tir::Stmt>(op);
}

tir::Stmt LaneMaker::VisitBufferStore(const tir::BufferStoreNode* op) {
  ffi::Array<PrimExpr> indices = VisitIndices(op->indices);
  PrimExpr value = VisitPrimExpr(op->value);
  if (op->predicate.has_value()) Uniform(op->predicate.value());
  const bool has_lanes = !indices.empty() && indices.back()->dtype != op->indices.back()->dtype;
  if (!has_lanes) {
    if (value->dtype != op->value->dtype || ReadsItself(op) || mask_.has_value()) throw NoLanes();
    return ffi::GetRef<tir::Stmt>(op);
  }
  if (!ir::IsScalar(op->value->dtype) || op->predicate.has_value()) throw NoLanes();
  return tir::BufferStore(op->buffer, ToLanes(std::move(value)), std::move(indices), mask_,
                          op->span);
}

// Each iteration needs its own buffer.
tir::Stmt LaneMaker::VisitAllocBuffer(const tir::AllocBufferNode*) { throw NoLanes(); }

tir::Stmt LaneMaker::VisitDeclBuffer(const tir::DeclBufferNode* op) {
  for (const PrimExpr& extent : op->buffer->shape) Uniform(extent);
  for (const PrimExpr& stride : op->buffer->strides) Uniform(stride);
  Uniform(op->buffer->elem_offset.value());
  Uniform(op->buffer->data);
  return ffi::GetRef<tir::Stmt>(op);
}

/*! \brief The branches of a conditional, each in the lanes that take it. */
tir::Stmt LaneMaker::MakeMasked(const tir::IfThenElseNode* op, PrimExpr condition) {
  if (FindLoopJumps(ffi::GetRef<tir::Stmt>(op)).any()) throw NoLanes();
  ffi::Array<tir::Stmt> stmts;
  if (DependsOnMemory(condition)) {
    // The branches may change the memory that the condition reads.
    const tir::Var mask("mask", condition->dtype);
    stmts.push_back(tir::Bind(mask, std::move(condition), op->span));
    condition = mask;
  }
  stmts.push_back(VisitUnder(condition, op->then_case));
  if (op->else_case.has_value()) {
    stmts.push_back(VisitUnder(tir::Not(condition), op->else_case.value()));
  }
  return FlatSeq(std::move(stmts), op->span);
}

tir::Stmt LaneMaker::VisitIfThenElse(const tir::IfThenElseNode* op) {
  const PrimExpr condition = MaskOf(op->condition);
  if (condition->dtype != op->condition->dtype) return MakeMasked(op, condition);
  tir::Stmt then_case = MakeLanes(op->then_case);
  ffi::Optional<tir::Stmt> else_case = op->else_case;
  if (else_case.has_value()) else_case = MakeLanes(else_case.value());
  if (then_case.same_as(op->then_case) && else_case.same_as(op->else_case)) {
    return ffi::GetRef<tir::Stmt>(op);
  }
  return tir::IfThenElse(condition, std::move(then_case), std::move(else_case), op->span);
}

tir::Stmt LaneMaker::VisitFor(const tir::ForNode* op) {
  Uniform(op->min);
  Uniform(op->extent);
  if (op->step.has_value()) Uniform(op->step.value());
  tir::Stmt body = MakeLanes(op->body);
  if (body.same_as(op->body)) return ffi::GetRef<tir::Stmt>(op);
  return tir::For(op->loop_var, op->min, op->extent, op->kind, std::move(body), op->thread_binding,
                  op->annotations, op->step, op->span);
}

tir::Stmt LaneMaker::VisitWhile(const tir::WhileNode*) { throw NoLanes(); }

tir::Stmt LaneMaker::VisitEvaluate(const tir::EvaluateNode* op) {
  if (mask_.has_value() && DependsOnMemory(op->value)) throw NoLanes();
  VisitPrimExpr(op->value);
  return ffi::GetRef<tir::Stmt>(op);
}

tir::Stmt LaneMaker::VisitBlock(const tir::BlockNode*) { throw NoLanes(); }

tir::Stmt LaneMaker::VisitBlockRealize(const tir::BlockRealizeNode*) { throw NoLanes(); }

}  // namespace uir::transform
