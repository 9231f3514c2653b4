// Any value: plain ones, containers, and objects by their fields.
#include <tschema/callable.h>
#include <tschema/stack_guard.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/script/printer.h>

#include <cmath>

#include "../syntax/device.h"
#include "../syntax/literals.h"
#include "./metadata.h"
#include "./printer_state.h"
#include "./sharing.h"
#include "./type_fields.h"

namespace uir::script {

namespace {

using Kind = tschema::TypeExpr::Kind;

void PrintFloatValue(Printer* printer, double value) {
  if (std::isnan(value)) return printer->Write("float(\"nan\")");
  if (std::isinf(value)) return printer->Write(value < 0 ? "float(\"-inf\")" : "float(\"inf\")");
  AppendFloat(&printer->text(), value);
}

/*! \brief `ir.List([...])`, or without the name where one is expected. */
template <typename Body>
void PrintNamed(Printer* printer, const char* name, bool is_expected, Body body) {
  if (is_expected) return body();
  printer->Print(name, "(");
  body();
  printer->Write(')');
}

void PrintTextValue(Printer* printer, const ffi::String& text) {
  if (IsUTF8(text)) return printer->WriteQuoted(text);
  printer->Write("ir.String(");
  AppendBytes(&printer->text(), text);
  printer->Write(')');
}

template <typename Sequence>
void PrintSequenceElements(Printer* printer, const Sequence& sequence,
                           const tschema::TypeExpr* expected) {
  printer->Write('[');
  size_t index = 0;
  for (const ffi::Any& element : sequence) {
    if (index > 0) printer->Write(", ");
    printer->PrintValue(element, ElementType(expected, index++));
  }
  printer->Write(']');
}

template <typename Mapping>
void PrintEntries(Printer* printer, const Mapping& mapping, const tschema::TypeExpr* expected) {
  printer->Write('{');
  const char* separator = "";
  for (const auto& [key, value] : mapping) {
    printer->Write(separator);
    printer->PrintValue(key, ArgumentType(expected, 0));
    printer->Write(": ");
    printer->PrintValue(value, ArgumentType(expected, 1));
    separator = ", ";
  }
  printer->Write('}');
}

void PrintShape(Printer* printer, const ffi::Shape& shape) {
  printer->Write("ir.Shape([");
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) printer->Write(", ");
    printer->WriteInt(shape[i]);
  }
  printer->Write("])");
}

/*! \brief Write a constant where a bare number would be a plain one. */
bool PrintExplicit(Printer* printer, const ffi::Object* object) {
  if (const auto* text = ffi::AnyView(object).as<ir::StringImmNode>()) {
    printer->Write("ir.StringImm(");
    PrintTextValue(printer, text->value);
    printer->Write(')');
    return true;
  }
  const auto* integer = ffi::AnyView(object).as<ir::IntImmNode>();
  if (integer != nullptr && ir::IsBool(integer->dtype)) {
    printer->Write(integer->value != 0 ? "tir.bool(True)" : "tir.bool(False)");
    return true;
  }
  const bool is_constant = integer != nullptr || ffi::AnyView(object).as<ir::FloatImmNode>();
  if (!is_constant) return false;
  return PrintConstant(printer, static_cast<const ir::PrimExprNode*>(object), ir::kVoid);
}

}  // namespace

void Printer::PrintValue(ffi::AnyView value, const tschema::TypeExpr* expected) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { PrintValue(value, expected); });
  }
  if (expected != nullptr && expected->kind == Kind::kOptional) expected = &expected->arguments[0];
  switch (value.type_index()) {
    case kTVMFFINone:
      return Write("None");
    case kTVMFFIBool:
      return Write(value.cast<bool>() ? "True" : "False");
    case kTVMFFIInt:
      return WriteInt(value.cast<int64_t>());
    case kTVMFFIFloat:
      return PrintFloatValue(this, value.cast<double>());
    case kTVMFFIDataType:
      return PrintNamed(this, "ir.dtype", expected != nullptr && expected->kind == Kind::kDataType,
                        [&] { WriteDType(value.cast<DLDataType>()); });
    case kTVMFFIDevice:
      return PrintNamed(this, "ir.device", expected != nullptr && expected->kind == Kind::kDevice,
                        [&] { WriteQuoted(DeviceText(value.cast<DLDevice>())); });
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return PrintTextValue(this, value.cast<ffi::String>());
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return AppendBytes(&out_, value.cast<ffi::Bytes>());
    default:
      break;
  }
  if (value.type_index() < kTVMFFIStaticObjectBegin) return PrintMetadata(this, value);
  const auto* object = static_cast<const ffi::Object*>(value.CopyToTVMFFIAny().v_ptr);
  if (!IsContainer(object)) return PrintObject(object, expected);
  WritePart(object, out_.size(),
            [&] { IsNamed(*state_, object) ? Use(object) : WriteContainer(value, expected); });
}

void Printer::WriteContainer(ffi::AnyView value, const tschema::TypeExpr* expected) {
  const Kind kind = expected == nullptr ? Kind::kAny : expected->kind;
  switch (value.type_index()) {
    case kTVMFFIArray:
      return PrintSequenceElements(this, value.cast<ffi::Array<ffi::Any>>(), expected);
    case kTVMFFIList:
      return PrintNamed(this, "ir.List", kind == Kind::kList, [&] {
        PrintSequenceElements(this, value.cast<ffi::List<ffi::Any>>(), expected);
      });
    case kTVMFFIMap:
      return PrintEntries(this, value.cast<ffi::Map<ffi::Any, ffi::Any>>(), expected);
    case kTVMFFIDict:
      return PrintNamed(this, "ir.Dict", kind == Kind::kDict, [&] {
        PrintEntries(this, value.cast<ffi::Dict<ffi::Any, ffi::Any>>(), expected);
      });
    default:
      return PrintShape(this, value.cast<ffi::Shape>());
  }
}

void Printer::PrintObject(const ffi::Object* object, const tschema::TypeExpr* expected) {
  const KnownType& type = state_->TypeOf(object);
  if (type.is_expr && TakesExpr(expected)) {
    return PrintExpr(static_cast<const ir::PrimExprNode*>(object));
  }
  WritePart(object, out_.size(), [&] {
    if (!PrintExplicit(this, object)) Dispatch(object, Precedence::kNone);
  });
}

}  // namespace uir::script
