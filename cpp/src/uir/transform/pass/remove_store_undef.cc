// Removes stores of undefined values.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/remove_no_op.h>
#include <uir/transform/tir_passes.h>

#include <unordered_set>
#include <utility>

#include "../rewrite/no_op.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsUndef(const tir::CallNode* call) {
  // Never destroyed, because passes may run during static destruction.
  static const auto* const undef = new ir::Op(ir::get_op("tir.undef"));
  return call->op.same_as(*undef);
}

class UndefRemover : public StmtRewriter {
 protected:
  Stmt VisitBind(const tir::BindNode* op) override {
    CheckLoads(op->value);
    if (IsUndefined(op->value)) undefined_.insert(op->var.get());
    return ffi::GetRef<Stmt>(op);
  }

  Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    CheckIndices(op, op->indices);
    CheckLoads(op->value);
    return IsUndefined(op->value) ? NoOp(op->span) : ffi::GetRef<Stmt>(op);
  }

 private:
  bool IsUndefined(const PrimExpr& expr) const {
    return !tschema::Walk(expr, [&](const ir::PrimExprNode* node) {
      const auto* call =
          node->IsInstance<tir::CallNode>() ? static_cast<const tir::CallNode*>(node) : nullptr;
      const bool is_undefined = call != nullptr
                                    ? IsUndef(call)
                                    : undefined_.count(static_cast<const ffi::Object*>(node)) != 0;
      return is_undefined ? tschema::kInterrupt : tschema::kAdvance;
    });
  }

  /*! \throws ValueError if an index is undefined: any element could be meant. */
  void CheckIndices(const ffi::Object* access, const ffi::Array<PrimExpr>& indices) const {
    for (const PrimExpr& index : indices) {
      if (!IsUndefined(index)) continue;
      ir::ThrowAt(access, "ValueError", "an index must not depend on `tir.undef`");
    }
  }

  void CheckLoads(const PrimExpr& expr) const {
    tschema::Walk(expr,
                  [&](const tir::BufferLoadNode* load) { CheckIndices(load, load->indices); });
  }

  /*! \brief The variables whose values are undefined. */
  std::unordered_set<const ffi::Object*> undefined_;
};

}  // namespace

Pass RemoveStoreUndef() {
  auto remove = [](Stmt body, const PassContext&) {
    Stmt rest = UndefRemover().VisitStmt(body);
    return rest.same_as(body) ? rest : RemoveNoOp(std::move(rest));
  };
  return MakeBodyPass(remove, "RemoveStoreUndef");
}

}  // namespace uir::transform
