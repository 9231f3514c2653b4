// The current type context, and conditions that are proved, refuted or assumed.
#include <tvm/ffi/cast.h>
#include <uir/relay/type_context.h>

#include <optional>

#include "./type_memo.h"

namespace uir::relay {

namespace {

thread_local TypeContext* current = nullptr;

TypeContext* OwnTypeContext() {
  thread_local const std::unique_ptr<TypeContext> own = MakeTypeContext();
  own->ClearAssumptions();
  return own.get();
}

/*! \brief Whether two dimensions are equal; `nullopt` if that needs a proof. */
std::optional<bool> CompareConstants(const ir::PrimExprNode* a, const ir::PrimExprNode* b) {
  if (a == b) return true;
  if (!a->IsInstance<ir::IntImmNode>() || !b->IsInstance<ir::IntImmNode>()) return std::nullopt;
  return static_cast<const ir::IntImmNode*>(a)->value ==
         static_cast<const ir::IntImmNode*>(b)->value;
}

}  // namespace

TypeContext::TypeContext() = default;

TypeContext::~TypeContext() = default;

void TypeContext::RememberTypes() { memo_ = std::make_unique<TypeMemo>(); }

bool TypeContext::Require(const ir::PrimExpr& condition) {
  const Truth truth = Prove(condition);
  if (truth == Truth::kUnknown) assumptions_.push_back(condition);
  return truth != Truth::kNo;
}

bool TypeContext::RequireEqual(const ir::PrimExprNode* a, const ir::PrimExprNode* b) {
  if (const std::optional<bool> known = CompareConstants(a, b)) return *known;
  return Require(
      Compute(ir::ScalarOp::kEQ, ffi::GetRef<ir::PrimExpr>(a), ffi::GetRef<ir::PrimExpr>(b)));
}

bool TypeContext::RequireAtMost(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  if (a.same_as(b)) return true;
  const auto* left = a.as<ir::IntImmNode>();
  const auto* right = b.as<ir::IntImmNode>();
  if (left != nullptr && right != nullptr) return left->value <= right->value;
  return Require(Compute(ir::ScalarOp::kLE, a, b));
}

bool TypeContext::AreEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  if (const std::optional<bool> known = CompareConstants(a.get(), b.get())) return *known;
  return Prove(Compute(ir::ScalarOp::kEQ, a, b)) == Truth::kYes;
}

ffi::Optional<ffi::Array<ir::PrimExpr>> TypeContext::AssumedSince(size_t begin) const {
  if (assumptions_.size() <= begin) return std::nullopt;
  return ffi::Array<ir::PrimExpr>(assumptions_.begin() + static_cast<int64_t>(begin),
                                  assumptions_.end());
}

void TypeContext::ForgetSince(size_t begin) {
  assumptions_ = ffi::Array<ir::PrimExpr>(assumptions_.begin(),
                                          assumptions_.begin() + static_cast<int64_t>(begin));
}

void TypeContext::Assume(const ffi::Array<ir::PrimExpr>& conditions) {
  for (const ir::PrimExpr& condition : conditions) assumptions_.push_back(condition);
}

TypeContext* CurrentTypeContext() { return current != nullptr ? current : OwnTypeContext(); }

TypeContextScope::TypeContextScope(TypeContext* context) : outer_(current) { current = context; }

TypeContextScope::~TypeContextScope() { current = outer_; }

}  // namespace uir::relay
