// Checks of operands, and their error messages.
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>

#include <string_view>

namespace uir::ir {

namespace {

/*! \brief `a = Var(dtype=int32, name="x")`. */
std::string Shown(Operand operand) {
  return std::string(operand.name) + " = " + std::string(describe(operand.value));
}

}  // namespace

std::string MessagePrefix(const ffi::Object* node) {
  // The index is set after the constructor, unless the caller of `PostInit` sets it first.
  if (node->type_index() < ffi::TypeIndex::kTVMFFIStaticObjectBegin) return "";
  const std::string key = node->GetTypeKey();
  return key.substr(key.rfind('.') + 1) + ": ";
}

void ThrowOperand(const ffi::Object* node, const char* expected, Operand operand) {
  TVM_FFI_THROW(TypeError) << MessagePrefix(node) << "operand `" << operand.name << "` must be "
                           << expected << ", got `" << operand.value->dtype << "` ("
                           << Shown(operand) << ")";
  TVM_FFI_UNREACHABLE();
}

void CheckSameType(const ffi::Object* node, Operand a, Operand b) {
  if (a.value->dtype == b.value->dtype) return;
  TVM_FFI_THROW(TypeError) << MessagePrefix(node) << "operands `" << a.name << "` and `" << b.name
                           << "` must have the same data type, got `" << a.value->dtype << "` and `"
                           << b.value->dtype << "` (" << Shown(a) << ", " << Shown(b) << ")";
}

void CheckInteger(const ffi::Object* node, Operand operand) {
  if (!IsInteger(operand.value->dtype)) ThrowOperand(node, "an integer", operand);
}

void CheckScalarInteger(const ffi::Object* node, Operand operand) {
  if (!IsInteger(operand.value->dtype) || !IsScalar(operand.value->dtype)) {
    ThrowOperand(node, "a scalar integer", operand);
  }
}

void CheckBool(const ffi::Object* node, Operand operand) {
  if (!IsBool(operand.value->dtype)) ThrowOperand(node, "a boolean", operand);
}

void CheckScalarBool(const ffi::Object* node, Operand operand) {
  if (!IsBool(operand.value->dtype) || !IsScalar(operand.value->dtype)) {
    ThrowOperand(node, "a scalar boolean", operand);
  }
}

void CheckScalarIntegers(const ffi::Object* node, const char* name,
                         const ffi::Array<PrimExpr>& values) {
  for (int64_t i = 0; i < static_cast<int64_t>(values.size()); ++i) {
    const PrimExpr value = values[i];
    if (IsInteger(value->dtype) && IsScalar(value->dtype)) continue;
    const std::string element = std::string(name) + "[" + std::to_string(i) + "]";
    ThrowOperand(node, "a scalar integer", {element.c_str(), value});
  }
}

void CheckSameSize(const ffi::Object* node, const char* a_name, int64_t a_size, const char* b_name,
                   int64_t b_size) {
  if (a_size == b_size) return;
  TVM_FFI_THROW(ValueError) << MessagePrefix(node) << "`" << a_name << "` and `" << b_name
                            << "` must have the same length, got " << a_size << " and " << b_size;
}

}  // namespace uir::ir
