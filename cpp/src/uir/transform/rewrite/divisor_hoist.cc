// Hoists checks of divisors out of loops that do not change them.
#include "./divisor_hoist.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/node_copy.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief The load of a divisor with a check at the division; null for any other call. */
const tir::BufferLoadNode* CheckedLoad(const tir::CallNode* op) {
  if (!tir::IsCheckedDivisor(ffi::GetRef<PrimExpr>(op))) return nullptr;
  const auto* message = op->args[1].as<ir::StringImmNode>();
  return message == nullptr || message->value.empty() ? nullptr
                                                      : op->args[0].as<tir::BufferLoadNode>();
}

/*! \brief Collects the checked loads that every run of a statement makes. */
class CheckedLoadCollector : public tir::StmtVisitor {
 public:
  std::vector<tir::Call> Run(const Stmt& stmt) {
    StmtVisitor::VisitStmt(stmt);
    return std::move(found_);
  }

  void VisitStmt(const Stmt&) override {}
  void VisitPrimExpr(const PrimExpr& expr) override {
    if (seen_.insert(expr.get()).second) StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitSelect(const tir::SelectNode* op) override { VisitPrimExpr(op->condition); }
  void VisitAnd(const tir::AndNode* op) override { VisitPrimExpr(op->a); }
  void VisitOr(const tir::OrNode* op) override { VisitPrimExpr(op->a); }
  void VisitReduce(const tir::ReduceNode*) override {}
  void VisitCall(const tir::CallNode* op) override {
    static const ir::Op if_then_else = ir::get_op("tir.if_then_else");
    if (op->op.same_as(if_then_else)) return VisitPrimExpr(op->args[0]);
    if (CheckedLoad(op) != nullptr) found_.push_back(ffi::GetRef<tir::Call>(op));
    StmtVisitor::VisitCall(op);
  }

 private:
  std::vector<tir::Call> found_;
  std::unordered_set<const ffi::Object*> seen_;
};

/*! \brief The variables and buffers that the iterations of a loop change. */
class LoopChanges {
 public:
  explicit LoopChanges(const tir::ForNode* loop) {
    const Stmt& body = loop->body;
    defined_.insert(loop->loop_var.get());
    tschema::Walk(body, [this](const tir::ForNode* op) { defined_.insert(op->loop_var.get()); });
    tschema::Walk(body, [this](const tir::BindNode* op) { defined_.insert(op->var.get()); });
    tschema::Walk(body, [this](const tir::LetNode* op) { defined_.insert(op->var.get()); });
    tschema::Walk(body, [this](const tir::AllocBufferNode* op) { Add(op->buffer); });
    tschema::Walk(body, [this](const tir::DeclBufferNode* op) { Add(op->buffer); });
    tschema::Walk(body, [this](const tir::BufferStoreNode* op) { Add(op->buffer); });
    // An assertion may guard the index of the load.
    tschema::Walk(body, [this](const tir::AssertStmtNode*) { has_effect_ = true; });
    has_effect_ =
        has_effect_ || !tschema::Walk(body, [](const tir::CallNode* op) {
          return HasEffect(ffi::GetRef<PrimExpr>(op)) ? tschema::kInterrupt : tschema::kAdvance;
        });
  }

  bool Has(const tir::BufferLoadNode* load) const {
    if (has_effect_ || data_.count(load->buffer->data.get()) != 0 || load->predicate.has_value()) {
      return true;
    }
    return std::any_of(load->indices.begin(), load->indices.end(), [this](const PrimExpr& index) {
      return DependsOnMemory(index) || !tschema::Walk(index, [this](const tir::VarNode* var) {
               return defined_.count(var) != 0 ? tschema::kInterrupt : tschema::kAdvance;
             });
    });
  }

 private:
  void Add(const tir::Buffer& buffer) { data_.insert(buffer->data.get()); }

  std::unordered_set<const tir::VarNode*> defined_;
  std::unordered_set<const tir::VarNode*> data_;
  bool has_effect_ = false;
};

/*! \brief Replaces the checked loads of one element. */
class CheckedLoadReplacer : public LinearMutator {
 public:
  CheckedLoadReplacer(PrimExpr load, tir::Var value)
      : load_(std::move(load)), value_(std::move(value)) {}

 protected:
  PrimExpr VisitCall(const tir::CallNode* op) override {
    if (CheckedLoad(op) != nullptr && tschema::StructuralEqual(op->args[0], load_)) return value_;
    return LinearMutator::VisitCall(op);
  }

 private:
  PrimExpr load_;
  tir::Var value_;
};

class DivisorHoister : public LinearMutator {
 protected:
  Stmt VisitFor(const tir::ForNode* op) override {
    Stmt result = LinearMutator::VisitFor(op);
    const auto* loop = result.as<tir::ForNode>();
    if (loop == nullptr || loop->kind != tir::ForKind::kSerial) return result;
    const std::vector<tir::Call> checks = ChecksOf(loop->body);
    if (checks.empty()) return result;
    const LoopChanges changes(loop);
    ffi::Array<Stmt> stmts;
    Stmt body = loop->body;
    for (const tir::Call& check : checks) {
      if (changes.Has(CheckedLoad(check.get()))) continue;
      const tir::Var value("divisor", check->dtype);
      Stmt rest = CheckedLoadReplacer(check->args[0], value).VisitStmt(body);
      // A second check of the same element.
      if (rest.same_as(body)) continue;
      body = std::move(rest);
      stmts.push_back(tir::Bind(value, CheckIfRuns(loop, check)));
    }
    if (stmts.empty()) return result;
    const auto fewer = CopyOf<tir::For>(loop);
    Write(fewer)->body = std::move(body);
    stmts.push_back(fewer);
    return FlatSeq(std::move(stmts), op->span);
  }

 private:
  static std::vector<tir::Call> ChecksOf(const Stmt& body) {
    const auto* seq = body.as<tir::SeqStmtNode>();
    if (seq == nullptr) return CheckedLoadCollector().Run(body);
    std::vector<tir::Call> checks;
    for (const Stmt& stmt : seq->seq) {
      for (tir::Call& check : CheckedLoadCollector().Run(stmt)) checks.push_back(std::move(check));
    }
    return checks;
  }

  /*! \brief A check of a loop's divisor that passes if the loop has no iterations. */
  static PrimExpr CheckIfRuns(const tir::ForNode* loop, const tir::Call& check) {
    if (tir::IntConstOf(loop->extent).value_or(0) > 0) return check;
    const auto made = CopyOf<tir::Call>(check.get());
    const PrimExpr runs = tir::less(tir::make_const(0, loop->extent->dtype), loop->extent);
    const PrimExpr one = tir::make_const(1, check->dtype);
    Write(made)->args.Set(0, tir::if_then_else(runs, check->args[0], one));
    return made;
  }
};

}  // namespace

Stmt HoistDivisors(Stmt body) { return DivisorHoister().VisitStmt(std::move(body)); }

}  // namespace uir::transform
