// Constants: bare where a reader takes a number for the same constant, else by their data type.
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/script/printer.h>

#include <cmath>

#include "../syntax/literals.h"

namespace uir::script {

namespace {

/*! \brief The type of a bare integer without another operand. */
DLDataType OwnType(int64_t value) {
  return ir::IntType(INT32_MIN <= value && value <= INT32_MAX ? 32 : 64);
}

void WriteTyped(Printer* printer, DLDataType dtype, std::string_view value) {
  printer->WriteDTypeName(dtype);
  printer->Print("(", value, ")");
}

void PrintInt(Printer* printer, const ir::IntImmNode* constant, DLDataType like) {
  if (ir::IsBool(constant->dtype)) return printer->Write(constant->value != 0 ? "True" : "False");
  const DLDataType bare = like == kNoType ? OwnType(constant->value) : like;
  if (constant->dtype == bare) return printer->WriteInt(constant->value);
  WriteTyped(printer, constant->dtype, std::to_string(constant->value));
}

void PrintFloatConstant(Printer* printer, const ir::FloatImmNode* constant, DLDataType like) {
  const double value = constant->value;
  if (std::isnan(value)) return WriteTyped(printer, constant->dtype, "\"nan\"");
  if (std::isinf(value)) {
    return WriteTyped(printer, constant->dtype, value < 0 ? "\"-inf\"" : "\"inf\"");
  }
  std::string text;
  AppendFloat(&text, value);
  const DLDataType bare = like == kNoType ? ir::FloatType(32) : like;
  if (constant->dtype == bare) return printer->Write(text);
  WriteTyped(printer, constant->dtype, text);
}

}  // namespace

bool PrintConstant(Printer* printer, const ir::PrimExprNode* expr, DLDataType like) {
  const int32_t index = expr->type_index();
  if (index == ir::IntImmNode::RuntimeTypeIndex()) {
    PrintInt(printer, static_cast<const ir::IntImmNode*>(expr), like);
  } else if (index == ir::FloatImmNode::RuntimeTypeIndex()) {
    PrintFloatConstant(printer, static_cast<const ir::FloatImmNode*>(expr), like);
  } else if (index == ir::StringImmNode::RuntimeTypeIndex()) {
    const ffi::String& text = static_cast<const ir::StringImmNode*>(expr)->value;
    if (!IsUTF8(text)) return false;
    printer->WriteQuoted(text);
  } else {
    return false;
  }
  return true;
}

}  // namespace uir::script
