// Variables, whose data types must agree with their annotations.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/ir/types.h>
#include <uir/tir/var.h>

#include <optional>

namespace uir::tir {

namespace {

/*! \brief The data type of values of a type, if it has one. */
std::optional<DLDataType> DTypeOfType(const ir::Type& type) {
  if (const auto* prim = type.as<ir::PrimTypeNode>()) return prim->dtype;
  if (type.as<ir::PointerTypeNode>()) return ir::kHandle;
  return std::nullopt;
}

}  // namespace

void VarNode::PostInit() {
  if (dtype == ir::kVoid) {
    TVM_FFI_THROW(TypeError) << ir::MessagePrefix(this) << "`dtype` must not be `void`";
  }
  if (!type_annotation.has_value()) return;
  const std::optional<DLDataType> annotated = DTypeOfType(type_annotation.value());
  if (annotated && *annotated != dtype) {
    TVM_FFI_THROW(TypeError) << ir::MessagePrefix(this) << "`dtype` and `type_annotation` of `"
                             << name << "` must agree, got `" << dtype << "` and `" << *annotated
                             << "` (type_annotation = " << ir::describe(type_annotation.value())
                             << ")";
  }
}

void SizeVarNode::PostInit() {
  VarNode::PostInit();
  if (!ir::IsInteger(dtype) || !ir::IsScalar(dtype)) {
    TVM_FFI_THROW(TypeError) << "SizeVar: `dtype` must be a scalar integer, got `" << dtype << "`";
  }
}

}  // namespace uir::tir
