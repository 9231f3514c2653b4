// Memory that users of TVM declare by its type, and elements that they name by an address.
#include <uir/ir/dtype.h>
#include <uir/script/forms.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../build/builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

tir::Buffer NewMemory(Builder* builder, const SyntaxNode* name, DLDataType dtype,
                      const ffi::Array<PrimExpr>& shape, const char* scope) {
  const ffi::String text{std::string(name->text)};
  return builder->At(name, [&] {
    const tir::Var data(text, ir::kHandle, ir::PointerType(ir::PrimType(dtype), scope));
    return builder->Spanned(tir::Buffer(data, dtype, shape, {}, std::nullopt, text), name);
  });
}

/*! \brief Memory of one value, to which the name refers. */
tir::Stmt DeclareElement(Builder* builder, const SyntaxNode* name, DLDataType dtype,
                         const char* scope) {
  const tir::Buffer buffer = NewMemory(builder, name, dtype, {MakeInt(1, kNoType)}, scope);
  builder->Define(name, buffer);
  builder->state().names[name->text].is_element = true;
  return tir::AllocBuffer(buffer);
}

constexpr char kLocal[] = "local";
constexpr char kShared[] = "shared";

/*! \brief `x = tir.local_scalar("int32")`. */
template <const char* kScope>
MaybeStmt AssignElement(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  if (name->kind != Syntax::kName) builder->Fail(name, "expected a name to bind");
  const CallArguments arguments(builder, call, {"dtype"});
  return DeclareElement(builder, name, builder->DType(arguments.Required("dtype")), kScope);
}

/*! \brief `A = tir.alloc_local((16,), "float32")`. */
template <const char* kScope>
MaybeStmt AssignScoped(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  SpreadNodes& spread = builder->state().spread;
  const SyntaxNode* value = KnownNode(builder, call, ffi::String(kScope));
  spread.children.push_back({value});
  spread.nodes.push_back(
      {Syntax::kKeyword, 1, call->begin, call->end, "scope", spread.children.back().data()});
  std::vector<const SyntaxNode*> children(call->children, call->children + call->size);
  children.push_back(&spread.nodes.back());
  SyntaxNode scoped = *call;
  scoped.size = static_cast<uint32_t>(children.size());
  scoped.children = children.data();
  return FindAssignForm("tir.alloc_buffer")(builder, name, &scoped);
}

/*! \brief A statement whose children may be statements. */
bool HasStatements(const SyntaxNode* node) {
  switch (node->kind) {
    case Syntax::kSuite:
    case Syntax::kFunction:
    case Syntax::kClass:
    case Syntax::kFor:
    case Syntax::kWhile:
    case Syntax::kIf:
    case Syntax::kWith:
      return true;
    default:
      return false;
  }
}

/*! \brief Note where lines of a text assign to names, all of it in one pass. */
void NoteAssignments(BuilderState* state) {
  auto& assignments = state->assignments.emplace();
  std::vector<const SyntaxNode*> open{state->text};
  while (!open.empty()) {
    const SyntaxNode* node = open.back();
    open.pop_back();
    const bool is_assignment = node->kind == Syntax::kAssign || node->kind == Syntax::kAugmented;
    if (is_assignment && (*node)[0]->kind == Syntax::kName) {
      assignments[(*node)[0]->text].push_back(node->begin);
    }
    if (!HasStatements(node)) continue;
    for (uint32_t i = 0; i < node->size; ++i) {
      if ((*node)[i] != nullptr) open.push_back((*node)[i]);
    }
  }
  for (auto& [name, places] : assignments) std::sort(places.begin(), places.end());
}

/*! \brief The flat buffer of an address, `A.data`, whose elements are those of a data type. */
tir::Buffer FlatBuffer(Builder* builder, const SyntaxNode* node, DLDataType dtype) {
  const std::optional<tir::Buffer> buffer = BufferOf(builder->state(), builder->Expr(node));
  const bool is_flat = buffer && (*buffer)->shape.size() == 1 &&
                       ir::ElementOf((*buffer)->dtype) == ir::ElementOf(dtype);
  if (is_flat) return *buffer;
  builder->Fail(node, "expected the address of a flat buffer of these elements",
                "declare one: `F = tir.decl_buffer((16,), \"float32\", data=p)`, and write `F[i]`");
}

/*! \brief The mask of a vector; none of one that holds for all lanes. */
ffi::Optional<PrimExpr> ReadMask(Builder* builder, const SyntaxNode* node) {
  if (node == nullptr) return std::nullopt;
  const PrimExpr mask = BuildPredicate(builder, node);
  const auto* spread = mask.as<tir::BroadcastNode>();
  const auto* constant = (spread == nullptr ? mask : spread->value).as<ir::IntImmNode>();
  if (constant != nullptr && constant->value != 0) return std::nullopt;
  return mask;
}

/*! \brief `tir.load("float32", p, i)`. */
ffi::Any ReadLoad(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype", "var", "index", "predicate"});
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  const tir::Buffer buffer = FlatBuffer(builder, arguments.Required("var"), dtype);
  const PrimExpr index = builder->Expr(arguments.Required("index"));
  const ffi::Optional<PrimExpr> mask = ReadMask(builder, arguments["predicate"]);
  return builder->At(call, [&] {
    return builder->Spanned(PrimExpr(tir::BufferLoad(buffer, {index}, mask)), call);
  });
}

/*! \brief `tir.store(p, i, value)`. */
MaybeStmt ReadStoreCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"var", "index", "value", "predicate"});
  const PrimExpr value = builder->Expr(arguments.Required("value"));
  const tir::Buffer buffer = FlatBuffer(builder, arguments.Required("var"), value->dtype);
  const PrimExpr index = builder->Expr(arguments.Required("index"));
  const ffi::Optional<PrimExpr> mask = ReadMask(builder, arguments["predicate"]);
  return builder->At(call, [&] { return tir::BufferStore(buffer, value, {index}, mask); });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterAssign("tir.local_scalar", &AssignElement<kLocal>);
  RegisterAssign("tir.shared_scalar", &AssignElement<kShared>);
  RegisterAssign("tir.alloc_local", &AssignScoped<kLocal>);
  RegisterAssign("tir.alloc_shared", &AssignScoped<kShared>);
  RegisterSyntax("tir.load", &ReadLoad);
  RegisterStmt("tir.store", &ReadStoreCall);
}

}  // namespace

bool IsChangedBelow(Builder* builder, const SyntaxNode* node) {
  BuilderState& state = builder->state();
  const SyntaxNode* annotation = (*node)[1];
  const bool is_name = annotation->kind == Syntax::kName || annotation->kind == Syntax::kAttribute;
  const std::string_view path = is_name ? builder->Path(annotation) : std::string_view();
  if (state.suite == nullptr || path.substr(0, 4) != "tir.") return false;
  const std::optional<DLDataType> dtype = ParseDType(path.substr(4));
  if (!dtype || *dtype == ir::kHandle) return false;
  if (!state.assignments) NoteAssignments(&state);
  const auto found = state.assignments->find((*node)[0]->text);
  if (found == state.assignments->end()) return false;
  const std::vector<uint32_t>& places = found->second;
  const auto next = std::upper_bound(places.begin(), places.end(), node->begin);
  return next != places.end() && *next < state.suite->end;
}

tir::Stmt DeclareMemory(Builder* builder, const SyntaxNode* name, const SyntaxNode* annotation) {
  if (annotation->kind != Syntax::kSubscript) {
    return DeclareElement(builder, name, builder->DType(annotation), kLocal);
  }
  ffi::Array<PrimExpr> shape;
  for (uint32_t i = 1; i < annotation->size; ++i) shape.push_back(builder->Expr((*annotation)[i]));
  const DLDataType dtype = builder->DType((*annotation)[0]);
  const tir::Buffer buffer = NewMemory(builder, name, dtype, shape, kLocal);
  builder->Define(name, buffer);
  return tir::AllocBuffer(buffer);
}

bool IsElement(Builder* builder, const SyntaxNode* name) {
  if (name->kind != Syntax::kName) return false;
  const Meaning* known = builder->state().Find(name->text);
  return known != nullptr && known->is_element;
}

tir::Stmt StoreElement(Builder* builder, const SyntaxNode* name, const SyntaxNode* value) {
  const auto buffer = builder->state().Find(name->text)->value.cast<tir::Buffer>();
  const ffi::Array<PrimExpr> indices{MakeInt(0, kNoType)};
  const PrimExpr stored = BuildStored(builder, value, buffer, indices);
  return builder->At(value, [&] { return tir::BufferStore(buffer, stored, indices); });
}

ir::PrimExpr BuildPredicate(Builder* builder, const SyntaxNode* node) {
  const PrimExpr mask = builder->Expr(node);
  const DLDataType dtype = mask->dtype;
  const bool is_bit = dtype.code == kDLUInt && dtype.bits == 1;
  if (!is_bit) return mask;
  const DLDataType type = ir::WithLanes(ir::BoolType(), ir::LanesOf(dtype));
  if (const auto* call = mask.as<tir::CallNode>()) {
    return builder->Spanned(PrimExpr(tir::Call(type, call->op, call->args)), node);
  }
  return builder->Spanned(PrimExpr(tir::Cast(type, mask)), node);
}

}  // namespace uir::script
