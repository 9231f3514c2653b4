// Buffers: pointers to their elements, accesses, allocation.
#include <uir/ir/dtype.h>
#include <uir/tir/keep_in_registers.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "./c_types.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

/*! \brief The most bytes on the stack for one buffer, and for all buffers of a function. */
constexpr int64_t kBufferOnStack = int64_t{32} << 10;
constexpr int64_t kStack = int64_t{128} << 10;
/*! \brief The alignment of allocated memory, that of a cache line. */
constexpr int64_t kPointerAlignment = 64;

bool IsZero(const ffi::Optional<ir::PrimExpr>& expr) {
  const auto* constant = expr.has_value() ? expr.value().as<ir::IntImmNode>() : nullptr;
  return constant != nullptr && constant->value == 0;
}

}  // namespace

/*! \brief Whether a buffer of vectors becomes an array of vectors in C, which compilers keep in
 * registers if all indices are constant. */
bool MemoryEmitter::AreRegisters(const tir::Buffer& buffer) {
  const int lanes = ir::LanesOf(buffer->dtype);
  const bool is_plain = !ir::IsBool(buffer->dtype) && !IsHalf(buffer->dtype);
  return lanes > 1 && PaddedLanes(lanes) == lanes && is_plain && buffer->Scope() == "local";
}

void MemoryEmitter::DeclareRegisters(const tir::AllocBufferNode* op, const std::string& name) {
  const tir::Buffer& buffer = op->buffer;
  const std::string type = TypeOf(op, ir::ElementOf(buffer->dtype));
  const int64_t extent = std::max<int64_t>(buffer->shape[0].as<ir::IntImmNode>()->value, 1);
  writer_->Line(TypeOf(op, buffer->dtype) + " " + name + "[" + std::to_string(extent) + "];");
  state_.registers[buffer.get()] = name;
  const auto keeps = op->annotations.Get(tir::kKeepInRegisters);
  if (keeps && keeps->as<bool>().value_or(false)) state_.kept_in_registers.insert(buffer.get());
  state_.variables[buffer->data.get()] = "((" + type + "*)" + name + ")";
  state_.pointers[buffer->data.get()] = {state_.variables[buffer->data.get()],
                                         ir::ElementOf(buffer->dtype)};
}

bool MemoryEmitter::IsFlat(const tir::Buffer& buffer, const ffi::Object* node) {
  if (buffer->shape.size() == 1 && buffer->strides.empty() && IsZero(buffer->elem_offset) &&
      buffer->axis_separators.empty()) {
    return true;
  }
  Report(node,
         "buffer `" + std::string(buffer->name) + "` is not flat; run `FlattenBuffer` before");
  return false;
}

std::string MemoryEmitter::PointerTo(const tir::Buffer& buffer, const ffi::Object* node) {
  const auto view = views_.find(buffer.get());
  if (view != views_.end()) return view->second;
  const auto found = state_.pointers.find(buffer->data.get());
  if (found == state_.pointers.end()) {
    Report(node, "buffer `" + std::string(buffer->name) + "` has no memory here");
    return "0";
  }
  const DLDataType element = ir::ElementOf(buffer->dtype);
  if (found->second.dtype == element) return found->second.name;
  const std::string type = ConstOf(buffer->data.get()) + TypeOf(node, element) + "*";
  return "((" + type + ")" + found->second.name + ")";
}

CExpr MemoryEmitter::ElementOf(const tir::Buffer& buffer, const CExpr& index,
                               const ffi::Object* node) {
  CExpr element = {PointerTo(buffer, node) + "[" + index.code + "]"};
  element.reads_memory = true;
  return element;
}

CExpr MemoryEmitter::EmitLoad(const tir::BufferLoadNode* op) {
  if (!IsFlat(op->buffer, op)) return {"0"};
  if (!ir::IsScalar(op->dtype)) return vectors().LoadVector(op);
  if (op->predicate.has_value()) {
    const ir::PrimExpr zero = tir::make_const(0, op->dtype);
    const tir::BufferLoad load(op->buffer, op->indices, std::nullopt, op->span);
    return scalars().Choose(op->predicate.value(), load, zero);
  }
  const ir::PrimExpr index = op->indices[0];
  return ElementOf(op->buffer,
                   CheckedIndex(op->buffer, index, scalars().EmitExact(index), 1, op->span), op);
}

void MemoryEmitter::EmitStore(const tir::BufferStoreNode* op) {
  if (!IsFlat(op->buffer, op)) return;
  if (!ir::IsScalar(op->value->dtype)) return vectors().StoreVector(op);
  if (op->predicate.has_value()) {
    const tir::BufferStore store(op->buffer, op->value, op->indices, std::nullopt, op->span);
    return statements().VisitStmt(tir::IfThenElse(op->predicate.value(), store));
  }
  const std::vector<CExpr> texts = scalars().EmitAll({op->value, op->indices[0]});
  const CExpr place = scalars().Exact(texts[1], op->indices[0]->dtype);
  const CExpr index = CheckedIndex(op->buffer, op->indices[0], place, 1, op->span);
  const std::string element = ElementOf(op->buffer, index, op).code;
  const std::string& value = texts[0].code;
  // `x = x + y` is `x += y`, and halves are converted in between.
  const auto* sum = op->value.as<tir::BinaryOpNode>();
  const bool is_sum = op->value.as<tir::AddNode>() || op->value.as<tir::SubNode>();
  if (is_sum && sum->a.as<tir::BufferLoadNode>() && !IsHalf(op->value->dtype)) {
    for (const std::string symbol : {" + ", " - "}) {
      if (value.rfind(element + symbol, 0) != 0) continue;
      const std::string rest = value.substr(element.size() + symbol.size());
      return writer_->Line(element + " " + symbol[1] + "= " + rest + ";");
    }
  }
  writer_->Line(element + " = " + value + ";");
}

void MemoryEmitter::DeclareBuffer(const tir::DeclBufferNode* op) {
  const tir::Buffer& buffer = op->buffer;
  CheckPlacement(buffer);
  const auto found = state_.pointers.find(buffer->data.get());
  const DLDataType element = ir::ElementOf(buffer->dtype);
  if (found == state_.pointers.end() || found->second.dtype == element) return;
  const std::string type = ConstOf(buffer->data.get()) + TypeOf(op, element) + "*";
  const std::string name = names_.Take(std::string(buffer->name));
  writer_->Line(type + " " + name + " = (" + type + ")" + found->second.name + ";");
  views_[buffer.get()] = name;
}

void MemoryEmitter::AllocateBuffer(const tir::AllocBufferNode* op) {
  const tir::Buffer& buffer = op->buffer;
  if (!IsFlat(buffer, op)) return;
  const std::string type = TypeOf(op, ir::ElementOf(buffer->dtype));
  const int64_t lanes = ir::LanesOf(buffer->dtype);
  const auto* extent = buffer->shape[0].as<ir::IntImmNode>();
  const int64_t bytes = extent == nullptr
                            ? kStack
                            : std::max<int64_t>(extent->value, 1) * lanes * BytesOf(buffer->dtype);
  if (bytes > kBufferOnStack || stack_bytes_ + bytes > kStack) return AllocateOnHeap(op, type);
  stack_bytes_ += bytes;
  const std::string name = names_.Take(std::string(buffer->name));
  const std::string align =
      bytes < kPointerAlignment ? "" : "_Alignas(" + std::to_string(kPointerAlignment) + ") ";
  if (AreRegisters(buffer)) return DeclareRegisters(op, name);
  const int64_t count = std::max<int64_t>(extent->value, 1) * lanes;
  writer_->Line(align + type + " " + name + "[" + std::to_string(count) + "];");
  state_.variables[buffer->data.get()] = name;
  state_.pointers[buffer->data.get()] = {name, ir::ElementOf(buffer->dtype)};
}

void MemoryEmitter::AllocateOnHeap(const tir::AllocBufferNode* op, const std::string& type) {
  const tir::Buffer& buffer = op->buffer;
  CExpr extent = scalars().EmitExact(buffer->shape[0]);
  const int lanes = ir::LanesOf(buffer->dtype);
  if (lanes > 1) extent = scalars().Infix(extent, "*", {std::to_string(lanes)}, Binding::kProduct);
  const std::string allocate = context_->prelude()->Use("allocate_workspace");
  const std::string name = names_.Take(std::string(buffer->name));
  writer_->Line(type + "* " + name + " = " + allocate + "(" + extent.code + ", sizeof(" + type +
                "));");
  statements().EmitFailure(name + " == NULL", "-1");
  state_.blocks.back().allocated.push_back(name);
  state_.variables[buffer->data.get()] = name;
  state_.pointers[buffer->data.get()] = {name, ir::ElementOf(buffer->dtype)};
}

}  // namespace uir::target
