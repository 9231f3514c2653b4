// Turns the sign of each constant; refuses to at zero.
#include <uir/ir/node_error.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/with_body.h>

namespace {

using namespace uir;

UIR_TRANSFORM_REGISTER_OPTION("passes.Negate.keep_zero", bool);

class Negate : public tir::StmtMutator {
 public:
  explicit Negate(bool keep_zero) : keep_zero_(keep_zero) {}

 protected:
  ir::PrimExpr VisitIntImm(const ir::IntImmNode* op) override {
    if (op->value == 0 && !keep_zero_) ir::ThrowAt(op, "ValueError", "zero has no sign");
    return ir::IntImm(op->dtype, -op->value, op->span);
  }

 private:
  bool keep_zero_;
};

transform::Pass MakeNegate() {
  auto run = [](tir::PrimFunc func, ir::IRModule, transform::PassContext context) {
    Negate negate(transform::GetOption<bool>(context, "passes.Negate.keep_zero", false));
    return transform::WithBody(func, negate(func->body));
  };
  return transform::MakePrimFuncPass(run, 0, "passes.Negate");
}

UIR_TRANSFORM_REGISTER_PASS("passes.Negate", MakeNegate);

}  // namespace
