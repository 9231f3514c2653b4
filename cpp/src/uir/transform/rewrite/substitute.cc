// Substitution of variables by expressions.
#include <tvm/ffi/error.h>
#include <uir/tir/stmt.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/substitute.h>

#include <optional>
#include <unordered_map>
#include <utility>

namespace uir::transform {

namespace {

class Substituter : public LinearMutator {
 public:
  explicit Substituter(const Substitution& substitution) {
    for (const auto& [var, expr] : substitution) Add(var, expr);
  }

  tir::PrimFunc Run(tir::PrimFunc func) {
    ffi::Map<tir::Var, tir::Buffer> buffer_map;
    bool is_changed = false;
    for (const auto& [param, buffer] : func->buffer_map) {
      const tir::Buffer changed = VisitBuffer(buffer.get());
      is_changed |= !changed.same_as(buffer);
      buffer_map.Set(param, changed);
    }
    tir::Stmt body = VisitStmt(func->body);
    if (!is_changed && body.same_as(func->body)) return func;
    const auto copy = CopyOf<tir::PrimFunc>(func.get());
    Write(copy)->body = std::move(body);
    Write(copy)->buffer_map = std::move(buffer_map);
    return copy;
  }

 private:
  void Add(const tir::Var& var, const ir::PrimExpr& expr) {
    if (var->dtype != expr->dtype) {
      TVM_FFI_THROW(TypeError) << "the value for variable `" << var->name
                               << "` must be of its data type, `" << var->dtype << "`, got `"
                               << expr->dtype << "`";
    }
    Replace(var, expr);
  }
};

}  // namespace

ir::PrimExpr Substitute(ir::PrimExpr expr, const Substitution& substitution) {
  return Substituter(substitution).VisitPrimExpr(std::move(expr));
}

tir::Stmt Substitute(tir::Stmt stmt, const Substitution& substitution) {
  return Substituter(substitution).VisitStmt(std::move(stmt));
}

tir::PrimFunc Substitute(tir::PrimFunc func, const Substitution& substitution) {
  return Substituter(substitution).Run(std::move(func));
}

}  // namespace uir::transform
