// Checks divisors of integers, or gives NumPy's results for a divisor of 0.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/data.h>
#include <uir/ir/check_choice.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/script_text.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/fallible_divisions.h>
#include <uir/tir/function.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/check_passes.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <string>
#include <unordered_set>
#include <utility>

#include "../rewrite/checked_divisor.h"
#include "../rewrite/divisor_hoist.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

const char* DivisionName(const tir::BinaryOpNode* op) {
  if (op->IsInstance<tir::FloorDivNode>()) return "floordiv";
  if (op->IsInstance<tir::FloorModNode>()) return "floormod";
  return op->IsInstance<tir::DivNode>() ? "truncdiv" : "truncmod";
}

/*! \brief The same division with another divisor. */
PrimExpr DivideBy(const tir::BinaryOpNode* op, PrimExpr divisor) {
  if (op->IsInstance<tir::FloorDivNode>()) return tir::FloorDiv(op->a, divisor, op->span);
  if (op->IsInstance<tir::FloorModNode>()) return tir::FloorMod(op->a, divisor, op->span);
  if (op->IsInstance<tir::DivNode>()) return tir::Div(op->a, divisor, op->span);
  return tir::Mod(op->a, divisor, op->span);
}

/*! \brief A division whose result is 0 if the divisor is 0. */
PrimExpr ZeroIfByZero(const tir::BinaryOpNode* op) {
  const auto choose = [&](const PrimExpr& divisor) {
    const PrimExpr is_zero = tir::equal(divisor, tir::make_const(0, divisor->dtype));
    const PrimExpr other = tir::select(is_zero, tir::make_const(1, divisor->dtype), divisor);
    return tir::select(is_zero, tir::make_const(0, op->dtype),
                       DivideBy(op, CheckedDivisor(other, "")));
  };
  if (op->b.as<tir::VarNode>() != nullptr) return choose(op->b);
  const tir::Var divisor("divisor", op->b->dtype);
  return tir::Let(divisor, op->b, choose(divisor));
}

/*! \brief The value of all lanes of a broadcast, or the expression itself. */
const PrimExpr& LaneOf(const PrimExpr& expr) {
  const auto* lanes = expr.as<tir::BroadcastNode>();
  return lanes == nullptr ? expr : lanes->value;
}

/*! \brief The rules for the checks of a function. */
struct DivisionRules {
  tir::PrimFunc func;
  bool is_numpy;
  bool only_data;
  /*! \brief The variables whose values are checked at their bindings. */
  std::unordered_set<const tir::VarNode*> checked;
};

/*! \brief Checks the divisors of one expression, except those that the analyzer proves nonzero. */
class DivisorExprChecker : public LinearMutator {
 public:
  DivisorExprChecker(DivisionRules* rules, arith::Analyzer analyzer)
      : rules_(rules), analyzer_(std::move(analyzer)) {}

  /*! \brief Whether a divisor needs no check. */
  bool IsSafe(const PrimExpr& divisor) const {
    const auto* var = divisor.as<tir::VarNode>();
    const bool is_checked = var != nullptr && rules_->checked.count(var) != 0;
    return tir::IsCheckedDivisor(divisor) || is_checked || IsProved(divisor);
  }

  std::string TextOf(const tir::BinaryOpNode* division) const {
    constexpr size_t kLongest = 100;
    std::string divisor = ir::ScriptText(LaneOf(division->b));
    if (divisor.size() > kLongest) divisor = divisor.substr(0, kLongest) + "...";
    const bool has_span = division->span.has_value();
    return ZeroDivisionText(DivisionName(division), has_span ? division->span : rules_->func->span,
                            divisor);
  }

 protected:
  PrimExpr VisitBinaryOp(const tir::BinaryOpNode* op) override {
    PrimExpr result = LinearMutator::VisitBinaryOp(op);
    const auto* division = result.as<tir::BinaryOpNode>();
    if (division == nullptr || !IsPartial(division) || IsSafe(LaneOf(division->b))) return result;
    if (rules_->only_data && !arith::IsData(analyzer_, division->b)) return result;
    if (rules_->is_numpy) return ZeroIfByZero(division);
    return DivideBy(division, CheckedDivisor(division->b, TextOf(division)));
  }

  PrimExpr VisitCall(const tir::CallNode* op) override {
    PrimExpr result = LinearMutator::VisitCall(op);
    const auto* call = result.as<tir::CallNode>();
    if (call == nullptr || !tir::IsCheckedDivisor(result)) return result;
    const auto* message = call->args[1].as<ir::StringImmNode>();
    if (message == nullptr || message->value.empty()) return result;
    return rules_->is_numpy || IsProved(call->args[0]) ? call->args[0] : result;
  }

  PrimExpr VisitLet(const tir::LetNode* op) override {
    PrimExpr value = VisitPrimExpr(op->value);
    if (tir::IsCheckedDivisor(LaneOf(value))) rules_->checked.insert(op->var.get());
    if (ir::IsInteger(value->dtype) && !arith::IsKnown(analyzer_, op->var)) {
      arith::BindDefinition(analyzer_, op->var, value);
    }
    PrimExpr body = VisitPrimExpr(op->body);
    if (value.same_as(op->value) && body.same_as(op->body)) return ffi::GetRef<PrimExpr>(op);
    return tir::Let(op->var, std::move(value), std::move(body), op->span);
  }

 private:
  bool IsProved(const PrimExpr& divisor) const {
    if (tir::IntConstOf(divisor).value_or(0) != 0) return true;
    if (!ir::IsScalar(divisor->dtype)) return false;
    const arith::Interval bound = analyzer_->BoundOf(divisor);
    if (bound.min > 0 || bound.max < 0) return true;
    return analyzer_->CanProve(tir::not_equal(divisor, tir::make_const(0, divisor->dtype)));
  }

  DivisionRules* rules_;
  arith::Analyzer analyzer_;
};

/*! \brief Whether a statement or an expression contains a division that may need a check. */
bool HasDivision(ffi::AnyView node) {
  const auto is_partial = [](const ir::PrimExprNode* expr) {
    if (expr->IsInstance<tir::CallNode>()) {
      return IsPartial(static_cast<const tir::CallNode*>(expr));
    }
    return expr->IsInstance<tir::BinaryOpNode>() &&
           IsPartial(static_cast<const tir::BinaryOpNode*>(expr));
  };
  return !tschema::Walk(node, [&](const ir::PrimExprNode* expr) {
    return is_partial(expr) ? tschema::kInterrupt : tschema::kAdvance;
  });
}

class DivisorChecker : public AnalyzingMutator {
 public:
  explicit DivisorChecker(DivisionRules rules)
      : AnalyzingMutator(arith::Analyzer()), rules_(std::move(rules)) {}

  // Whether a divisor can be 0 depends on the statement, so no result is memoized.
  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (!HasDivision(expr)) return expr;
    return DivisorExprChecker(&rules_, analyzer()).VisitPrimExpr(std::move(expr));
  }

 protected:
  // Extents do not change, so that all uses of a buffer keep referring to it.
  tir::Buffer RewriteBuffer(const tir::BufferNode* op) override {
    return ffi::GetRef<tir::Buffer>(op);
  }

  Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    return CheckExtents(op->buffer, AnalyzingMutator::VisitAllocBuffer(op));
  }
  Stmt VisitDeclBuffer(const tir::DeclBufferNode* op) override {
    return CheckExtents(op->buffer, AnalyzingMutator::VisitDeclBuffer(op));
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    Stmt result = AnalyzingMutator::VisitBind(op);
    const auto* bind = result.as<tir::BindNode>();
    if (bind != nullptr && tir::IsCheckedDivisor(LaneOf(bind->value)))
      rules_.checked.insert(bind->var.get());
    return result;
  }

 private:
  /*! \brief Check the divisors in the extents of a buffer before its declaration. */
  Stmt CheckExtents(const tir::Buffer& buffer, Stmt declaration) {
    if (rules_.only_data) return declaration;
    const DivisorExprChecker checker(&rules_, analyzer());
    ffi::Array<Stmt> stmts;
    for (const PrimExpr& extent : buffer->shape) {
      for (const tir::BinaryOpNode* division : tir::FallibleDivisions(extent)) {
        if (checker.IsSafe(division->b)) continue;
        const PrimExpr is_set = tir::not_equal(division->b, tir::make_const(0, division->b->dtype));
        stmts.push_back(tir::AssertStmt(ir::StringImm("ValueError"), is_set,
                                        {ir::StringImm(checker.TextOf(division))}));
      }
    }
    if (stmts.empty()) return declaration;
    const ffi::Optional<ir::Span> span = declaration->span;
    stmts.push_back(std::move(declaration));
    return FlatSeq(std::move(stmts), span);
  }

  DivisionRules rules_;
};

}  // namespace

Pass CheckDivisors(ffi::String division, ffi::String divisors) {
  ir::CheckChoice("division", division, {"checked", "numpy"}, "CheckDivisors");
  ir::CheckChoice("divisors", divisors, {"all", "data"}, "CheckDivisors");
  const bool is_numpy = division == "numpy";
  const bool only_data = divisors == "data";
  auto check = [=](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    if (!HasDivision(func->body)) return func;
    Stmt body = DivisorChecker({func, is_numpy, only_data, {}}).VisitStmt(func->body);
    // Loops are final only after scheduling, when all divisors are checked.
    if (!only_data && tir::HasNoAliases(func.get())) body = HoistDivisors(std::move(body));
    return WithBody(std::move(func), std::move(body));
  };
  return MakePrimFuncPass(check, 0, "CheckDivisors");
}

}  // namespace uir::transform
