// Dimensions of relay, computed by the constructors of tir and compared by the analyzer.
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/relay/type_context.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/scalar_op.h>
#include <uir/tir/var.h>
#include <uir/transform/substitute.h>

#include <memory>

namespace uir::relay {

namespace {

class AnalyzingContext : public TypeContext {
 public:
  ir::PrimExpr Compute(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b) override {
    return analyzer_->Simplify(tir::Apply(op, a, b));
  }

  bool IsVariable(const ir::PrimExpr& dimension) override {
    return dimension.as<tir::VarNode>() != nullptr;
  }

  ir::PrimExpr Substitute(const ir::PrimExpr& dimension,
                          const ffi::Map<ir::PrimExpr, ir::PrimExpr>& values) override {
    if (dimension.as<ir::IntImmNode>() != nullptr) return dimension;
    transform::Substitution by_var;
    for (const auto& [key, value] : values) {
      const tir::Var var = key.as<tir::Var>().value();
      by_var.Set(var, tir::cast(value, var->dtype));
    }
    return analyzer_->Simplify(transform::Substitute(dimension, by_var));
  }

  Truth Prove(const ir::PrimExpr& condition) override {
    if (analyzer_->CanProve(condition)) return Truth::kYes;
    if (analyzer_->CanProve(tir::logical_not(condition))) return Truth::kNo;
    return Truth::kUnknown;
  }

 private:
  arith::Analyzer analyzer_;
};

}  // namespace

std::unique_ptr<TypeContext> MakeTypeContext() { return std::make_unique<AnalyzingContext>(); }

}  // namespace uir::relay
