// Vectors in memory: contiguous, or gathered and scattered, perhaps with a mask of lanes.
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <optional>
#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

/*! \brief The first element of an index, if it names consecutive elements. */
std::optional<ir::PrimExpr> FirstOf(const ir::PrimExpr& index) {
  if (ir::IsScalar(index->dtype)) return index;
  const auto* ramp = index.as<tir::RampNode>();
  if (ramp == nullptr || tir::IntConstOf(ramp->stride) != 1) return std::nullopt;
  return ramp->base;
}

/*! \brief The number of elements of a buffer, which may be vectors, that an index names. */
int64_t CountOf(const ir::PrimExpr& index) { return ir::LanesOf(index->dtype); }

/*! \brief The load of consecutive elements of a buffer. */
ir::PrimExpr Neighbours(const tir::BufferLoadNode* op, const ir::PrimExpr& first) {
  const ir::PrimExpr one = tir::make_const(1, first->dtype);
  return tir::BufferLoad(op->buffer, {tir::Ramp(first, one, ir::LanesOf(op->dtype))}, std::nullopt,
                         op->span);
}

/*! \brief Every second element, as lanes of two contiguous vectors. The second one ends with the
 * last element, so that neither reads beyond it. */
ir::PrimExpr EverySecond(const tir::BufferLoadNode* op, const ir::PrimExpr& first) {
  const int lanes = ir::LanesOf(op->dtype);
  ffi::Array<ir::PrimExpr> indices;
  for (int lane = 0; lane < lanes; ++lane) {
    const int place = lane < lanes / 2 ? 2 * lane : 2 * lane + 1;
    indices.push_back(tir::make_const(place, ir::IntType(32)));
  }
  return tir::Shuffle({Neighbours(op, first), Neighbours(op, first + (lanes - 1))}, indices,
                      op->span);
}

/*! \brief Elements in reverse order, as the lanes of a contiguous vector. */
ir::PrimExpr Reversed(const tir::BufferLoadNode* op, const ir::PrimExpr& first) {
  const int lanes = ir::LanesOf(op->dtype);
  ffi::Array<ir::PrimExpr> indices;
  for (int lane = lanes - 1; lane >= 0; --lane) {
    indices.push_back(tir::make_const(lane, ir::IntType(32)));
  }
  const ir::PrimExpr neighbours = Neighbours(op, first - (lanes - 1));
  return tir::Shuffle({neighbours, neighbours}, indices, op->span);
}

/*! \brief A load as the lanes of contiguous vectors, if these are faster than a gather. */
std::optional<ir::PrimExpr> Shuffled(const tir::BufferLoadNode* op) {
  const auto* ramp = op->indices[0].as<tir::RampNode>();
  const int lanes = ir::LanesOf(op->dtype);
  const bool is_plain = !op->predicate.has_value() && ir::IsScalar(op->buffer->dtype) &&
                        op->dtype.bits >= 32 && lanes >= 4 && PaddedLanes(lanes) == lanes;
  if (ramp == nullptr || !is_plain) return std::nullopt;
  const std::optional<int64_t> stride = tir::IntConstOf(ramp->stride);
  if (stride == 2) return EverySecond(op, ramp->base);
  if (stride == -1) return Reversed(op, ramp->base);
  return std::nullopt;
}

/*! \brief The index of lanes at equal distances; null for one of booleans, or of padded lanes. */
const tir::RampNode* RampOf(const tir::BufferLoadNode* op) {
  const int lanes = ir::LanesOf(op->dtype);
  const bool is_plain =
      !op->predicate.has_value() && !ir::IsBool(op->dtype) && PaddedLanes(lanes) == lanes;
  return is_plain ? op->indices[0].as<tir::RampNode>() : nullptr;
}

/*! \brief The key of a helper: lanes that are booleans, or padded, have functions of their own. */
std::string KeyOf(std::string name, DLDataType dtype) {
  if (ir::IsBool(dtype)) return name + ".bool";
  const bool is_padded = PaddedLanes(ir::LanesOf(dtype)) != ir::LanesOf(dtype);
  return is_padded && name == "load" ? "load.padded" : name;
}

}  // namespace

/*! \brief The address of an element; an element that is a vector counts as its lanes. */
std::string VectorEmitter::LanePointer(const tir::Buffer& buffer, const CExpr& first,
                                       const ffi::Object* node) {
  const std::string pointer = memory().PointerTo(buffer, node);
  if (first.code == "0") return pointer;
  const int lanes = ir::LanesOf(buffer->dtype);
  if (lanes == 1) return "&" + pointer + "[" + first.code + "]";
  const CExpr scaled = scalars().Infix(first, "*", {std::to_string(lanes)}, Binding::kProduct);
  return "&" + pointer + "[" + scaled.code + "]";
}

/*! \brief The indices of lanes as 64-bit integers. */
CExpr VectorEmitter::WideIndex(const CExpr& index, DLDataType dtype) {
  const DLDataType wide = ir::IntType(64, ir::LanesOf(dtype));
  return dtype == wide ? index : ConvertVector(index, wide);
}

CExpr VectorEmitter::LoadVector(const tir::BufferLoadNode* op) {
  if (const std::optional<ir::PrimExpr> shuffled = Shuffled(op)) return scalars().Emit(*shuffled);
  const ir::PrimExpr index = op->indices[0];
  const std::optional<ir::PrimExpr> first = FirstOf(index);
  const bool is_mask = ir::IsBool(op->dtype);
  if (!is_mask) TypeOf(op, op->dtype);
  CExpr made;
  const auto registers = state_.registers.find(op->buffer.get());
  if (registers != state_.registers.end() && ir::IsScalar(index->dtype) &&
      !op->predicate.has_value()) {
    const CExpr place =
        memory().CheckedIndex(op->buffer, index, scalars().EmitExact(index), 1, op->span);
    made = {registers->second + "[" + place.code + "]"};
  } else if (first && !op->predicate.has_value()) {
    const std::string helper =
        context_->prelude()->Use(KeyOf("load", op->dtype).c_str(), op->dtype);
    const CExpr place = memory().CheckedIndex(op->buffer, *first, scalars().EmitExact(*first),
                                              CountOf(index), op->span);
    made = {helper + "(" + LanePointer(op->buffer, place, op) + ")"};
  } else if (!ir::IsScalar(op->buffer->dtype)) {
    return Refuse(op, "vectors of a buffer of vectors must be neighbours, without a predicate");
  } else if (const auto* ramp = RampOf(op); ramp != nullptr && !context_->checks_bounds()) {
    const std::vector<CExpr> texts = scalars().EmitAll({ramp->base, ramp->stride});
    made = {context_->prelude()->Use("strided", op->dtype) + "(" +
            LanePointer(op->buffer, texts[0], op) + ", " + texts[1].code + ")"};
  } else {
    std::vector<ir::PrimExpr> parts = {index};
    if (op->predicate.has_value()) parts.push_back(op->predicate.value());
    const std::vector<CExpr> texts = scalars().EmitAll(parts);
    const char* name = texts.size() == 1 ? "gather" : "gather_masked";
    CExpr places = WideIndex(texts[0], index->dtype);
    CExpr mask = texts.size() == 1 ? CExpr{} : MaskOf(texts[1], 8, op->dtype);
    memory().CheckLanes(op->buffer, op->dtype, &places, texts.size() == 1 ? nullptr : &mask,
                        op->span);
    made = {context_->prelude()->Use(KeyOf(name, op->dtype).c_str(), op->dtype) + "(" +
            memory().PointerTo(op->buffer, op) + ", " + places.code};
    if (texts.size() > 1) made.code += ", " + mask.code;
    made.code += ")";
  }
  made.reads_memory = true;
  made.mask_bits = is_mask ? 8 : 0;
  return made;
}

void VectorEmitter::StoreVector(const tir::BufferStoreNode* op) {
  const ir::PrimExpr index = op->indices[0];
  const DLDataType dtype = op->value->dtype;
  const std::optional<ir::PrimExpr> first = FirstOf(index);
  if (!ir::IsBool(dtype)) TypeOf(op, dtype);
  if (first && !op->predicate.has_value()) {
    std::vector<CExpr> texts = scalars().EmitAll({op->value, *first});
    const std::string helper = context_->prelude()->Use(KeyOf("store", dtype).c_str(), dtype);
    const CExpr place = memory().CheckedIndex(
        op->buffer, *first, scalars().Exact(texts[1], (*first)->dtype), CountOf(index), op->span);
    const auto registers = state_.registers.find(op->buffer.get());
    if (registers != state_.registers.end() && ir::IsScalar(index->dtype)) {
      std::string value = texts[0].code;
      if (state_.kept_in_registers.count(op->buffer.get()) != 0) {
        value = context_->prelude()->Use("keep", dtype) + "(" + value + ")";
      }
      return writer_->Line(registers->second + "[" + place.code + "] = " + value + ";");
    }
    const std::string pointer = LanePointer(op->buffer, place, op);
    return writer_->Line(helper + "(" + pointer + ", " + MaskOf(texts[0], 8, dtype).code + ");");
  }
  if (!ir::IsScalar(op->buffer->dtype)) {
    return Report(op, "vectors of a buffer of vectors must be neighbours, without a predicate");
  }
  std::vector<ir::PrimExpr> parts = {op->value, index};
  if (op->predicate.has_value()) parts.push_back(op->predicate.value());
  const std::vector<CExpr> texts = scalars().EmitAll(parts);
  const bool has_mask = texts.size() > 2;
  CExpr places = WideIndex(texts[1], index->dtype);
  CExpr mask = has_mask ? MaskOf(texts[2], 8, dtype) : CExpr{};
  memory().CheckLanes(op->buffer, dtype, &places, has_mask ? &mask : nullptr, op->span);
  std::string code = context_->prelude()->Use(
                         KeyOf(has_mask ? "scatter_masked" : "scatter", dtype).c_str(), dtype) +
                     "(" + memory().PointerTo(op->buffer, op) + ", " + places.code + ", " +
                     MaskOf(texts[0], 8, dtype).code;
  if (has_mask) code += ", " + mask.code;
  writer_->Line(code + ");");
}

CExpr VectorEmitter::VLoad(const tir::CallNode* op) {
  const std::vector<CExpr> texts = scalars().EmitAll({op->args[0], op->args[1]});
  const std::string type = "const " + TypeOf(op, ir::ElementOf(op->dtype)) + "*";
  const CExpr address = {calls().Argument(op->args[0], texts[0], type), Binding::kUnary};
  const CExpr offset = scalars().Exact(texts[1], op->args[1]->dtype);
  const bool is_void = calls().PointeeOf(op->args[0]) == ir::kVoid;
  const std::string pointer = is_void ? Converted(type, address) : address.code;
  CExpr made = {"(" + pointer + ")[" + offset.code + "]"};
  if (!ir::IsScalar(op->dtype)) {
    made.code = context_->prelude()->Use(KeyOf("load", op->dtype).c_str(), op->dtype) + "(&" +
                made.code + ")";
  }
  made.mask_bits = ir::IsBool(op->dtype) && !ir::IsScalar(op->dtype) ? 8 : 0;
  made.reads_memory = true;
  return made;
}

}  // namespace uir::target
