// Integers that only index elements.
#include "./index_variables.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt_functor.h>

#include <vector>

namespace uir::target {

namespace {

using ir::PrimExpr;
using tir::VarNode;
namespace ffi = ::tvm::ffi;

bool HasRegisters(const tir::PrimFuncNode* func) {
  bool has_registers = false;
  tschema::Walk(func->body, [&](const tir::AllocBufferNode* op) {
    const bool is_local = op->buffer->Scope() == "local";
    has_registers = has_registers || (is_local && !ir::IsScalar(op->buffer->dtype));
  });
  return has_registers;
}

class IndexFinder : public tir::StmtVisitor {
 public:
  std::unordered_set<const VarNode*> Run(const tir::Stmt& body) {
    VisitStmt(body);
    std::unordered_set<const VarNode*> found;
    for (const VarNode* var : bound_) {
      if (others_.count(var) == 0) found.insert(var);
    }
    return found;
  }

 protected:
  void VisitVar(const VarNode* op) override { others_.insert(op); }

  void VisitFor(const tir::ForNode* op) override {
    Note(op->loop_var);
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    if (op->step.has_value()) VisitPrimExpr(op->step.value());
    VisitStmt(op->body);
  }
  void VisitBind(const tir::BindNode* op) override {
    // A sum of 64-bit variables wraps around when it is converted to 32 bits, as it should.
    Note(op->var) ? VisitSum(op->value) : StmtVisitor::VisitBind(op);
  }
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    VisitIndices(op->indices, op->predicate);
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    VisitIndices(op->indices, op->predicate);
    VisitPrimExpr(op->value);
  }

 private:
  bool Note(const tir::Var& var) {
    const bool is_narrow = ir::IsInteger(var->dtype) && var->dtype.bits == 32 &&
                           var->dtype.code == kDLInt && ir::IsScalar(var->dtype);
    if (is_narrow) bound_.push_back(var.get());
    return is_narrow;
  }

  void VisitIndices(const ffi::Array<PrimExpr>& indices, const ffi::Optional<PrimExpr>& predicate) {
    for (const PrimExpr& index : indices) {
      const auto* ramp = index.as<tir::RampNode>();
      const bool are_neighbours = ramp != nullptr && tir::IntConstOf(ramp->stride) == 1;
      if (predicate.has_value() || (ramp != nullptr && !are_neighbours)) {
        // Lanes at places of their own have vectors of indices.
        VisitPrimExpr(index);
      } else {
        VisitSum(are_neighbours ? ramp->base : index);
      }
    }
    if (predicate.has_value()) VisitPrimExpr(predicate.value());
  }

  /*! \brief Visit sums and products, which may have variables of any number of bits. */
  void VisitSum(const PrimExpr& expr) {
    if (expr.as<VarNode>() != nullptr) return;
    const auto* op = expr.as<tir::BinaryOpNode>();
    const bool is_sum =
        op != nullptr && (op->IsInstance<tir::AddNode>() || op->IsInstance<tir::SubNode>() ||
                          op->IsInstance<tir::MulNode>());
    if (!is_sum) return VisitPrimExpr(expr);
    VisitSum(op->a);
    VisitSum(op->b);
  }

  std::vector<const VarNode*> bound_;
  /*! \brief The variables that are used otherwise. */
  std::unordered_set<const VarNode*> others_;
};

}  // namespace

std::unordered_set<const VarNode*> FindIndexVariables(const tir::PrimFuncNode* func) {
  if (!HasRegisters(func)) return {};
  return IndexFinder().Run(func->body);
}

}  // namespace uir::target
