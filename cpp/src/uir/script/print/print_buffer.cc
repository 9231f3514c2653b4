// Buffers, regions of them, and reads from them.
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/types.h>
#include <uir/script/forms.h>
#include <uir/tir/object_layout.h>

#include <string>

#include "./print_parts.h"
#include "./printer_state.h"

namespace uir::script {

namespace {

/*! \brief The storage scope, if the address is the variable that a reader makes; else null. */
const ffi::String* ScopeOfNewData(Printer* printer, const tir::BufferNode* buffer) {
  const tir::VarNode* data = buffer->data.get();
  if (data->type_index() != tir::VarNode::RuntimeTypeIndex() || printer->IsKnown(data)) {
    return nullptr;
  }
  if (data->dtype != ir::kHandle || !data->type_annotation.has_value()) return nullptr;
  const ffi::Object* annotation = data->type_annotation.value().get();
  const auto* pointer = ffi::AnyView(annotation).as<ir::PointerTypeNode>();
  if (pointer == nullptr) return nullptr;
  const auto* element = pointer->element_type.as<ir::PrimTypeNode>();
  const bool is_new = element != nullptr && element->dtype == buffer->dtype;
  return is_new ? &pointer->storage_scope : nullptr;
}

void PrintData(Printer* printer, const tir::BufferNode* buffer, const std::string& name) {
  const ffi::String* scope = ScopeOfNewData(printer, buffer);
  if (scope == nullptr) return printer->Print(", data=", buffer->data);
  printer->Alias(buffer->data.get(), name + ".data");
  if (*scope != "global") printer->Print(", scope=", *scope);
}

bool IsDefaultOffset(const tir::BufferNode* buffer) {
  if (!buffer->elem_offset.has_value()) return true;
  const ir::PrimExpr offset = buffer->elem_offset.value();
  const DLDataType dtype = buffer->shape.empty() ? ir::IntType(32) : buffer->shape[0]->dtype;
  return IsZero(offset) && offset->dtype == dtype;
}

void PrintLayout(Printer* printer, const tir::BufferNode* buffer) {
  if (!buffer->strides.empty()) {
    printer->Write(", strides=");
    printer->PrintTuple(buffer->strides);
  }
  if (!IsDefaultOffset(buffer)) printer->Print(", elem_offset=", buffer->elem_offset.value());
  if (buffer->data_alignment != 64) printer->Print(", align=", buffer->data_alignment);
  if (buffer->offset_factor != 1) printer->Print(", offset_factor=", buffer->offset_factor);
  if (buffer->buffer_type != tir::BufferType::kDefault) {
    printer->Write(", buffer_type=\"auto_broadcast\"");
  }
  if (!buffer->axis_separators.empty()) {
    printer->Print(", axis_separators=", buffer->axis_separators);
  }
}

void PrintBuffer(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* buffer = static_cast<const tir::BufferNode*>(node);
  printer->Write("tir.Buffer(");
  PrintBufferArguments(printer, buffer, printer->state().entries.at(node).text);
  printer->Write(')');
}

void PrintIndices(Printer* printer, const ffi::Array<ir::PrimExpr>& indices) {
  printer->Write('[');
  indices.empty() ? printer->Write("()") : printer->PrintExprs(indices);
  printer->Write(']');
}

void PrintLoad(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* load = static_cast<const tir::BufferLoadNode*>(node);
  printer->Use(load->buffer.get());
  if (!load->predicate.has_value()) return PrintIndices(printer, load->indices);
  printer->Write(".vload([");
  printer->PrintExprs(load->indices);
  printer->Print("], predicate=", load->predicate.value(), ")");
}

bool IsSingle(const ir::Range& range) {
  const auto* extent = range->extent.as<ir::IntImmNode>();
  return extent != nullptr && extent->value == 1;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterPrinter("uir.tir.Buffer", &PrintBuffer);
  RegisterPrinter("uir.tir.BufferLoad", &PrintLoad);
}

}  // namespace

void PrintBufferArguments(Printer* printer, const tir::BufferNode* buffer,
                          const std::string& name) {
  printer->PrintTuple(buffer->shape);
  printer->Print(", ", buffer->dtype);
  PrintData(printer, buffer, name);
  PrintLayout(printer, buffer);
}

void PrintRegion(Printer* printer, const tir::BufferRegionNode* region) {
  printer->Use(region->buffer.get());
  printer->Write('[');
  const char* separator = region->region.empty() ? "()" : "";
  printer->Write(separator);
  for (const ir::Range& range : region->region) {
    printer->Print(separator, range->min);
    if (!IsSingle(range)) {
      printer->Write(':');
      PrintEnd(printer, range->min, range->extent);
    }
    separator = ", ";
  }
  printer->Write(']');
}

bool IsZero(const ir::PrimExpr& expr) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == 0;
}

void PrintEnd(Printer* printer, const ir::PrimExpr& begin, const ir::PrimExpr& extent) {
  if (IsZero(begin)) return printer->PrintExpr(extent.get());
  const auto* first = begin.as<ir::IntImmNode>();
  const auto* count = extent.as<ir::IntImmNode>();
  int64_t end;
  if (first != nullptr && count != nullptr &&
      !__builtin_add_overflow(first->value, count->value, &end) &&
      ir::MinValue(begin->dtype) <= end && end <= ir::MaxValue(begin->dtype)) {
    const ir::IntImm constant(begin->dtype, end);
    return printer->PrintExpr(constant.get());
  }
  printer->PrintExpr(begin.get(), Precedence::kSum);
  printer->Write(" + ");
  printer->PrintExpr(extent.get(), Precedence::kProduct);
}

/*! \brief Whether a reader takes a text for the key of a type, not for a data type. */
static bool IsTypeKeyText(const ffi::String& text) {
  return std::string_view(text.data(), text.size()).find('.') != std::string_view::npos;
}

bool PrintVarType(Printer* printer, const tir::VarNode* var) {
  const bool is_size = var->type_index() == tir::SizeVarNode::RuntimeTypeIndex();
  const bool is_plain = is_size || var->type_index() == tir::VarNode::RuntimeTypeIndex();
  const bool has_type = var->type_annotation.has_value();
  if (!is_plain || (is_size && has_type)) return false;
  if (!has_type && !is_size) {
    printer->WriteDTypeName(var->dtype);
    return true;
  }
  if (has_type && var->dtype == ir::kHandle) {
    const ir::Type type = var->type_annotation.value();
    const ffi::Optional<tir::ObjectType> object = tir::ObjectTypeOf(type);
    if (object.has_value() && IsTypeKeyText(object.value()->key)) {
      printer->Print("tir.handle(", object.value()->key);
      printer->Write(object.value()->nullable ? ", nullable=True)" : ")");
      return true;
    }
    const auto* pointer = type.as<ir::PointerTypeNode>();
    const auto* element =
        pointer == nullptr ? nullptr : pointer->element_type.as<ir::PrimTypeNode>();
    if (element != nullptr) {
      printer->Print("tir.handle(", element->dtype, ", ", pointer->storage_scope, ")");
      return true;
    }
  }
  printer->Print(is_size ? "tir.SizeVar(" : "tir.Var(", var->dtype);
  if (has_type) printer->Print(", ", var->type_annotation.value());
  printer->Write(')');
  return true;
}

}  // namespace uir::script
