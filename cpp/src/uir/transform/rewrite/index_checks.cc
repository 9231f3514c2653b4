// Assertions that the indices of accesses are in bounds.
#include "./index_checks.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/anticipated_exprs.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_set.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/substitute.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsCallOfOp(const tir::CallNode* call, const char* name) {
  const auto op = call->op.as<ir::OpNode>();
  return op != nullptr && op->name == name;
}

/*! \brief An index as `int64`; one of type `uint64` does not change. */
PrimExpr Wide(const PrimExpr& index) {
  const bool is_largest = index->dtype.code == kDLUInt && index->dtype.bits == 64;
  return is_largest ? index : tir::cast(index, ir::IntType(64));
}

/*! \brief Whether to check the index of each dimension of an access. */
bool HasCheckedIndices(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices) {
  return !buffer->Flattened().same_as(buffer) && indices.size() == buffer->shape.size();
}

/*! \brief Finds the accesses that are checked here, and caches them for each expression. */
class AccessFinder : public tir::PrimExprVisitor {
 public:
  /*! \brief The numbers of the accesses in an expression. */
  const tir::BitSet& AccessesOf(const PrimExpr& expr) {
    const auto found = known_.find(expr.get());
    if (found != known_.end()) return found->second;
    tir::BitSet before = std::exchange(current_, {});
    PrimExprVisitor::VisitPrimExpr(expr);
    return known_[expr.get()] = std::exchange(current_, std::move(before));
  }
  size_t NumberOf(const ffi::Object* access) {
    return numbers_.emplace(access, numbers_.size()).first->second;
  }

  void VisitPrimExpr(const PrimExpr& expr) override { current_.Unite(AccessesOf(expr)); }

 protected:
  using PrimExprVisitor::VisitDefault;

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    PrimExprVisitor::VisitBufferLoad(op);
    if (HasCheckedIndices(op->buffer, op->indices)) current_.Add(NumberOf(op));
  }
  void VisitReduce(const tir::ReduceNode*) override {}
  void VisitCall(const tir::CallNode* op) override {
    PrimExprVisitor::VisitCall(op);
    const bool is_access = IsCallOfOp(op, "tir.vload") || IsCallOfOp(op, "tir.access_ptr") ||
                           IsCallOfOp(op, "tir.atomic_add");
    if (is_access) current_.Add(NumberOf(op));
  }

 private:
  tir::BitSet current_;
  std::unordered_map<const ffi::Object*, tir::BitSet> known_;
  std::unordered_map<const ffi::Object*, size_t> numbers_;
};

/*! \brief Collects the checks of one statement, in the order of evaluation. */
class IndexCheckCollector : public tir::StmtVisitor {
 public:
  IndexCheckCollector(const std::string& function, const BufferOfData& buffers,
                      const arith::Analyzer& analyzer)
      : function_(function), buffers_(buffers), analyzer_(analyzer) {}

  ffi::Array<Stmt> Run(const Stmt& stmt) {
    StmtVisitor::VisitStmt(stmt);
    return std::move(checks_);
  }

  void VisitStmt(const Stmt&) override {}
  // An access that was checked under weaker conditions needs no second check.
  void VisitPrimExpr(const PrimExpr& expr) override {
    if (accesses_.AccessesOf(expr).IsSubsetOf(checked_)) return;
    if (expr.use_count() > 1 && !known_.insert(expr.get()).second) CountPath();
    StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    StmtVisitor::VisitBufferLoad(op);
    CheckAccess(op->buffer, op->indices, op->predicate, op->span);
    NoteChecked(op);
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    StmtVisitor::VisitBufferStore(op);
    CheckAccess(op->buffer, op->indices, op->predicate, op->span);
  }
  // An earlier pass has turned reductions into loops.
  void VisitReduce(const tir::ReduceNode*) override {}

  void VisitSelect(const tir::SelectNode* op) override {
    VisitBranches(op->condition, op->true_value, op->false_value);
  }
  void VisitAnd(const tir::AndNode* op) override {
    VisitPrimExpr(op->a);
    Under(op->a, op->b);
  }
  void VisitOr(const tir::OrNode* op) override {
    VisitPrimExpr(op->a);
    Under(tir::logical_not(op->a), op->b);
  }
  void VisitLet(const tir::LetNode* op) override {
    VisitPrimExpr(op->value);
    const Substitution before = values_;
    const tir::BitSet checked = checked_;
    values_.Set(op->var, Now(op->value));
    VisitPrimExpr(op->body);
    values_ = before;
    checked_ = checked;
  }

  void VisitCall(const tir::CallNode* op) override {
    if (IsCallOfOp(op, "tir.if_then_else")) {
      return VisitBranches(op->args[0], op->args[1], op->args[2]);
    }
    if (IsCallOfOp(op, "tir.address_of") || IsCallOfOp(op, "tir.prefetch")) {
      // These read no element, and the address behind the last element is valid.
      const auto* element = op->args[0].as<tir::BufferLoadNode>();
      for (const PrimExpr& index : element->indices) VisitPrimExpr(index);
      return;
    }
    StmtVisitor::VisitCall(op);
    if (IsCallOfOp(op, "tir.vload")) {
      const PrimExpr count = tir::make_const(ir::LanesOf(op->dtype), ir::IntType(64));
      if (const auto* buffer = BufferOf(op->args[0], op->dtype.bits))
        CheckRange(op, *buffer, count);
    }
    if (IsCallOfOp(op, "tir.access_ptr")) {
      const auto* buffer = BufferOf(op->args[0], std::nullopt);
      if (buffer != nullptr) CheckRange(op, *buffer, op->args[2]);
    }
    if (IsCallOfOp(op, "tir.atomic_add")) CheckAddress(op->args[0]);
    NoteChecked(op);
  }

 private:
  /*! \brief An expression without the variables of the `Let`s around it. */
  PrimExpr Now(const PrimExpr& expr) const {
    return values_.empty() ? expr : Substitute(expr, values_);
  }

  void VisitBranches(const PrimExpr& condition, const PrimExpr& then, const PrimExpr& other) {
    VisitPrimExpr(condition);
    // Expressions in both branches are checked once, because nested branches have many paths.
    for (const PrimExpr& part : anticipated_.CommonOf(then, other)) VisitPrimExpr(part);
    Under(condition, then);
    Under(tir::logical_not(condition), other);
  }

  /*! \brief Count another visit of a shared expression, under other conditions. */
  void CountPath() {
    constexpr int64_t kMostPaths = 20000;
    if (++num_paths_ <= kMostPaths) return;
    TVM_FFI_THROW(ValueError) << "CheckIndices: " << function_
                              << ": conditions lead to the shared parts of an expression on more "
                              << "than " << kMostPaths << " paths: bind parts to variables";
  }

  void Under(const PrimExpr& condition, const PrimExpr& expr) {
    if (accesses_.AccessesOf(expr).IsSubsetOf(checked_)) return;
    if (!ir::IsScalar(condition->dtype)) return VisitPrimExpr(expr);
    const ffi::Optional<PrimExpr> before = guard_;
    const PrimExpr now = Now(condition);
    guard_ = before.has_value() ? tir::logical_and(before.value(), now) : now;
    const arith::ConstraintScope scope = arith::IsData(analyzer_, now)
                                             ? arith::ConstraintScope(analyzer_)
                                             : arith::ConstraintScope(analyzer_, now);
    const tir::BitSet checked = checked_;
    VisitPrimExpr(expr);
    guard_ = before;
    checked_ = checked;
  }

  void NoteChecked(const ffi::Object* access) { checked_.Add(accesses_.NumberOf(access)); }

  void CheckAccess(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                   const ffi::Optional<PrimExpr>& predicate, const ffi::Optional<ir::Span>& span) {
    if (!HasCheckedIndices(buffer, indices)) return;
    const bool is_masked = predicate.has_value() && !ir::IsScalar(predicate.value()->dtype);
    const ffi::Optional<PrimExpr> before = guard_;
    if (predicate.has_value() && !is_masked) {
      const PrimExpr now = Now(predicate.value());
      guard_ = before.has_value() ? tir::logical_and(before.value(), now) : now;
    }
    CheckDimensions(buffer, indices, is_masked, span);
    guard_ = before;
  }

  void CheckDimensions(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                       bool is_masked, const ffi::Optional<ir::Span>& span) {
    for (int64_t i = 0; i < static_cast<int64_t>(indices.size()); ++i) {
      const std::string place = "dimension " + std::to_string(i) + " of buffer `";
      const std::string name = place + std::string(buffer->name) + "`";
      for (const PrimExpr& index : LanesOf(indices[i], is_masked)) {
        Check(Wide(Now(index)), buffer->shape[i], name, span);
      }
    }
  }

  /*! \brief The lanes of an index whose checks cover all lanes; empty if all must be checked. */
  static ffi::Array<PrimExpr> LanesOf(const PrimExpr& index, bool is_masked) {
    if (ir::IsScalar(index->dtype)) return {index};
    if (const auto* lanes = index.as<tir::BroadcastNode>()) return {lanes->value};
    const auto* ramp = index.as<tir::RampNode>();
    if (ramp == nullptr || is_masked) return {};
    const PrimExpr steps = tir::make_const(ir::LanesOf(index->dtype) - 1, ir::IntType(64));
    return {ramp->base, tir::add(Wide(ramp->base), tir::mul(Wide(ramp->stride), steps))};
  }

  /*! \brief The buffer of scalars that a pointer belongs to; null if unknown. */
  const tir::Buffer* BufferOf(const PrimExpr& data, std::optional<int> bits) const {
    const auto found = buffers_.find(data.get());
    if (found == buffers_.end() || !ir::IsScalar(found->second->dtype)) return nullptr;
    return bits.value_or(found->second->dtype.bits) == found->second->dtype.bits ? &found->second
                                                                                 : nullptr;
  }

  /*! \brief Check the `count` elements from a call's second argument on, if there are any. */
  void CheckRange(const tir::CallNode* call, const tir::Buffer& buffer, const PrimExpr& count) {
    const tir::Buffer flat = buffer->Flattened();
    if (flat->shape.size() != 1) return;
    const std::string name = "buffer `" + std::string(flat->name) + "`";
    const PrimExpr first = Wide(Now(call->args[1])), length = Wide(Now(count));
    const ffi::Optional<PrimExpr> before = guard_;
    const PrimExpr any = tir::less(tir::make_const(0, length->dtype), length);
    if (tir::IntConstOf(any) != 1) {
      guard_ = before.has_value() ? tir::logical_and(before.value(), any) : any;
    }
    Check(first, flat->shape[0], name, call->span);
    Check(tir::sub(tir::add(first, length), One()), flat->shape[0], name, call->span);
    guard_ = before;
  }

  /*! \brief Check an element whose address an operator uses. */
  void CheckAddress(const PrimExpr& address) {
    const auto* call = address.as<tir::CallNode>();
    if (call == nullptr || !IsCallOfOp(call, "tir.address_of")) return;
    const auto* element = call->args[0].as<tir::BufferLoadNode>();
    CheckDimensions(element->buffer, element->indices, false, element->span);
  }

  static PrimExpr One() { return tir::make_const(1, ir::IntType(64)); }

  void Check(const PrimExpr& index, const PrimExpr& extent, const std::string& dimension,
             const ffi::Optional<ir::Span>& span) {
    const PrimExpr end = Wide(Now(extent));
    const PrimExpr zero = tir::make_const(0, index->dtype);
    const PrimExpr inside = tir::logical_and(tir::less_equal(zero, index), tir::less(index, end));
    if (analyzer_->CanProve(inside)) return;
    Stmt check = tir::AssertStmt(
        ir::StringImm("IndexError"), inside,
        {ir::StringImm(PlaceOf(span) + ": index "), index,
         ir::StringImm(" of " + dimension + " is out of bounds: the extent is "), end},
        span);
    if (guard_.has_value()) check = tir::IfThenElse(guard_.value(), check, std::nullopt, span);
    checks_.push_back(check);
  }

  std::string PlaceOf(const ffi::Optional<ir::Span>& span) const {
    if (!span.has_value() || span.value()->line == 0) return function_;
    return function_ + " (" + std::string(span.value()->source_name->name) + ":" +
           std::to_string(span.value()->line) + ")";
  }

  const std::string& function_;
  const BufferOfData& buffers_;
  const arith::Analyzer& analyzer_;
  /*! \brief The values of the enclosing `Let`s. */
  Substitution values_;
  /*! \brief The condition under which the present expression is computed; None if always. */
  ffi::Optional<PrimExpr> guard_;
  AccessFinder accesses_;
  tir::AnticipatedExprs anticipated_;
  /*! \brief The accesses that were checked, here or under weaker conditions. */
  tir::BitSet checked_;
  /*! \brief The shared expressions that were visited. */
  std::unordered_set<const ffi::Object*> known_;
  int64_t num_paths_ = 0;
  ffi::Array<Stmt> checks_;
};

}  // namespace

ffi::Array<Stmt> IndexChecksOf(const Stmt& stmt, const std::string& function,
                               const BufferOfData& buffers, const arith::Analyzer& analyzer) {
  return IndexCheckCollector(function, buffers, analyzer).Run(stmt);
}

}  // namespace uir::transform
