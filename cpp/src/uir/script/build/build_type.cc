// Types, and the variables that annotations declare.
#include <uir/ir/dtype.h>
#include <uir/ir/types.h>
#include <uir/tir/buffer.h>
#include <uir/tir/object_access.h>

#include <string>

#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

bool IsPointer(std::string_view path) {
  return path == "tir.handle" || path == "tir.ptr" || path == "tir.Ptr";
}

/*! \brief Whether a type is the key of an object's, `uir.tir.For`: no data type has a dot. */
bool IsTypeKeyNode(const SyntaxNode* node) {
  return node->kind == Syntax::kString && node->text.find('.') != node->text.npos;
}

/*!
 * \brief `tir.handle("float32", "shared")`: an address with a type; without one, of `void`.
 *
 * `tir.handle("uir.tir.For", nullable=True)` is a reference to an object.
 */
ir::Type PointerOf(Builder* builder, const SyntaxNode* annotation) {
  const CallArguments arguments(builder, annotation,
                                {"dtype", "scope", "storage_scope", "nullable"});
  const SyntaxNode* dtype = arguments["dtype"];
  const SyntaxNode* nullable = arguments["nullable"];
  if (dtype != nullptr && IsTypeKeyNode(dtype)) {
    return tir::reference_to(builder->String(dtype),
                             nullable != nullptr && builder->Bool(nullable));
  }
  const DLDataType element = dtype == nullptr ? ir::kVoid : builder->DType(dtype);
  const SyntaxNode* scope =
      arguments["scope"] != nullptr ? arguments["scope"] : arguments["storage_scope"];
  return ir::PointerType(ir::PrimType(element),
                         scope == nullptr ? ffi::String("global") : builder->String(scope));
}

}  // namespace

const SyntaxNode* AnnotationCall(Builder* builder, const SyntaxNode* annotation) {
  if (annotation == nullptr || annotation->kind != Syntax::kSubscript) return annotation;
  const std::string_view path = builder->Path((*annotation)[0]);
  if (path != "tir.Buffer" && !IsPointer(path)) return annotation;
  std::deque<SyntaxNode>& nodes = builder->state().spread.nodes;
  nodes.push_back(*annotation);
  nodes.back().kind = Syntax::kCall;
  return &nodes.back();
}

std::optional<tir::Var> BuildSymbolicVar(Builder* builder, const SyntaxNode* name,
                                         const SyntaxNode* call, std::string_view path) {
  if (name->kind != Syntax::kName || path.substr(0, 4) != "tir.") return std::nullopt;
  const ffi::String text{std::string(name->text)};
  if (IsPointer(path) && call->size > 1) {
    return builder->Spanned(tir::Var(text, ir::kHandle, PointerOf(builder, call)), name);
  }
  const bool is_option = call->size == 2 && (*call)[1]->kind == Syntax::kKeyword;
  if (call->size != 1 && !is_option) return std::nullopt;
  const std::optional<DLDataType> dtype = ParseDType(path.substr(4));
  if (!dtype) return std::nullopt;
  const CallArguments arguments(builder, call, {"value", "is_size_var"});
  if (arguments["value"] != nullptr) return std::nullopt;
  const SyntaxNode* size = arguments["is_size_var"];
  const bool is_size = size != nullptr && builder->Bool(size);
  return builder->At(call, [&] {
    return builder->Spanned(is_size ? tir::SizeVar(text, *dtype) : tir::Var(text, *dtype), name);
  });
}

ir::Type Builder::Type(const SyntaxNode* node) {
  const std::string_view path = Path(node);
  if (node->kind != Syntax::kCall && path.substr(0, 4) == "tir.") {
    return ir::PrimType(DType(node));
  }
  if (node->kind == Syntax::kCall && IsPointer(Path((*node)[0]))) return PointerOf(this, node);
  const ffi::Any value = Value(node);
  if (std::optional<ir::Type> type = value.as<ir::Type>()) return *type;
  Fail(node, "expected a type", "`tir.int32`, or `ir.TupleType([...])`");
}

tir::Var Builder::BindAnnotated(const SyntaxNode* name, const SyntaxNode* annotation) {
  if (annotation == nullptr) {
    Fail(name, "`" + std::string(name->text) + "` needs a type", "say `tir.int32`, for example");
  }
  if (const std::optional<tir::Var> declared = Declared(name->text).as<tir::Var>()) {
    return *declared;
  }
  annotation = AnnotationCall(this, annotation);
  if (annotation->kind != Syntax::kCall) {
    return At(annotation, [&] { return BindVar(name, DType(annotation)); });
  }
  const ffi::String text{std::string(name->text)};
  const std::string_view path = Path((*annotation)[0]);
  std::optional<tir::Var> var;
  if (const auto plain = BuildSymbolicVar(this, name, annotation, path)) {
    var = plain;
  } else if (IsPointer(path)) {
    var = tir::Var(text, ir::kHandle, PointerOf(this, annotation));
  } else if (path == "tir.SizeVar") {
    const CallArguments arguments(this, annotation, {"dtype"});
    const DLDataType dtype = DType(arguments.Required("dtype"));
    var = At(annotation, [&] { return tir::SizeVar(text, dtype); });
  } else if (path == "tir.Var" || path == "tir.var") {
    const CallArguments arguments(this, annotation, {"dtype", "type_annotation"});
    const DLDataType dtype = DType(arguments.Required("dtype"));
    ffi::Optional<ir::Type> type;
    if (const SyntaxNode* node = arguments["type_annotation"]) type = Type(node);
    var = At(annotation, [&] { return tir::Var(text, dtype, type); });
  } else {
    if (!path.empty() && FindType(path) < 0) FailUnknown((*annotation)[0], path);
    if (path.empty()) Value((*annotation)[0]);  // Fails with the callee's own error.
    Fail(annotation, "expected the type of a variable",
         "`tir.int32`, `tir.SizeVar(\"int32\")`, `tir.handle(\"float32\")` or `tir.Var(...)`");
  }
  Define(name, Spanned(*var, name));
  return *var;
}

}  // namespace uir::script
