// The current type context, and conditions that are proved, refuted or assumed.
#include <uir/relay/type_context.h>

namespace uir::relay {

namespace {

thread_local TypeContext* current = nullptr;

}  // namespace

bool TypeContext::Require(const ir::PrimExpr& condition) {
  const Truth truth = Prove(condition);
  if (truth == Truth::kUnknown) assumptions_.push_back(condition);
  return truth != Truth::kNo;
}

bool TypeContext::RequireEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  if (a.same_as(b)) return true;
  const auto* left = a.as<ir::IntImmNode>();
  const auto* right = b.as<ir::IntImmNode>();
  if (left != nullptr && right != nullptr) return left->value == right->value;
  return Require(Compute(DimensionOp::kEqual, a, b));
}

bool TypeContext::RequireAtMost(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  if (a.same_as(b)) return true;
  const auto* left = a.as<ir::IntImmNode>();
  const auto* right = b.as<ir::IntImmNode>();
  if (left != nullptr && right != nullptr) return left->value <= right->value;
  return Require(Compute(DimensionOp::kLessEqual, a, b));
}

bool TypeContext::AreEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  if (a.same_as(b)) return true;
  const auto* left = a.as<ir::IntImmNode>();
  const auto* right = b.as<ir::IntImmNode>();
  if (left != nullptr && right != nullptr) return left->value == right->value;
  return Prove(Compute(DimensionOp::kEqual, a, b)) == Truth::kYes;
}

TypeContext* CurrentTypeContext() {
  thread_local std::unique_ptr<TypeContext> own;
  if (current != nullptr) return current;
  if (own == nullptr) own = MakeTypeContext();
  own->ClearAssumptions();
  return own.get();
}

TypeContextScope::TypeContextScope(TypeContext* context) : outer_(current) { current = context; }

TypeContextScope::~TypeContextScope() { current = outer_; }

}  // namespace uir::relay
