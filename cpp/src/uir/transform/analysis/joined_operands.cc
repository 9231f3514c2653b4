// Functions that concatenate operands, with a loop nest for each operand.
#include "./joined_operands.h"

#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>
#include <uir/relay/slice.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "./arena_plan.h"

namespace uir::transform {

namespace {

using Shape = ffi::Array<ir::PrimExpr>;

/*! \brief The first axis whose extent is not 1; the rank if there is none. */
size_t FirstLongAxis(const Shape& shape) {
  size_t axis = 0;
  while (axis < shape.size() && tir::IntConstOf(shape[static_cast<int64_t>(axis)]) == 1) ++axis;
  return axis;
}

/*! \brief The bytes of the dimensions from an axis on; `nullopt` if one is symbolic. */
std::optional<int64_t> BytesFrom(const Shape& shape, size_t axis, DLDataType dtype) {
  int64_t bytes = (static_cast<int64_t>(dtype.bits) * dtype.lanes + 7) / 8;
  for (size_t i = axis; i < shape.size(); ++i) {
    const std::optional<int64_t> extent = tir::IntConstOf(shape[static_cast<int64_t>(i)]);
    if (!extent) return std::nullopt;
    bytes *= *extent;
  }
  return bytes;
}

/*! \brief A copy of a whole buffer to another one, from an index of an axis on. */
struct Copy {
  tir::Buffer from;
  tir::Buffer to;
  size_t axis = 0;
  int64_t begin = 0;
};

/*! \brief The constant `c` of an index `var + c` or `c + var`; 0 for the variable itself. */
std::optional<int64_t> OffsetOf(const ir::PrimExpr& index, const ir::PrimExpr& var) {
  if (index.same_as(var)) return 0;
  const auto* sum = index.as<tir::AddNode>();
  if (sum == nullptr) return std::nullopt;
  if (sum->b.same_as(var)) return tir::IntConstOf(sum->a);
  return sum->a.same_as(var) ? tir::IntConstOf(sum->b) : std::nullopt;
}

/*! \brief The loops around a statement, by their variables. */
using LoopsByVar = std::unordered_map<const ffi::Object*, const tir::ForNode*>;

/*! \brief Whether the indices of a load are variables of distinct loops over the whole buffer. */
bool ReadsAll(const tir::BufferLoadNode* load, LoopsByVar loops) {
  for (size_t i = 0; i < load->indices.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    const ir::PrimExpr extent = load->buffer->shape[place];
    if (tir::IntConstOf(load->indices[place]) == 0 && tir::IntConstOf(extent) == 1) continue;
    const auto found = loops.find(load->indices[place].get());
    if (found == loops.end() || tir::IntConstOf(found->second->min) != 0) return false;
    if (tir::IntConstOf(found->second->extent) != tir::IntConstOf(extent)) return false;
    loops.erase(found);
  }
  return std::all_of(loops.begin(), loops.end(),
                     [](const auto& item) { return tir::IntConstOf(item.second->extent) == 1; });
}

std::optional<Copy> WholeCopyOf(tir::Stmt stmt) {
  LoopsByVar loops;
  while (const auto* loop = stmt.as<tir::ForNode>()) {
    loops.emplace(loop->loop_var.get(), loop);
    stmt = loop->body;
  }
  const auto* store = stmt.as<tir::BufferStoreNode>();
  const auto* load = store == nullptr ? nullptr : store->value.as<tir::BufferLoadNode>();
  if (load == nullptr || store->predicate.has_value() || load->predicate.has_value()) {
    return std::nullopt;
  }
  const bool is_plain = load->buffer->IsCompact() && store->buffer->IsCompact() &&
                        load->buffer->dtype == store->buffer->dtype &&
                        load->indices.size() == store->indices.size();
  if (!is_plain || !ReadsAll(load, std::move(loops))) return std::nullopt;
  Copy copy{load->buffer, store->buffer, FirstLongAxis(store->buffer->shape)};
  for (size_t i = 0; i < load->indices.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    const auto offset = OffsetOf(store->indices[place], load->indices[place]);
    if (!offset || (*offset != 0 && i != copy.axis)) return std::nullopt;
    if (i == copy.axis) copy.begin = *offset;
    const bool is_whole =
        tir::IntConstOf(copy.from->shape[place]).has_value() &&
        tir::IntConstOf(copy.from->shape[place]) == tir::IntConstOf(copy.to->shape[place]);
    if (i != copy.axis && !is_whole) return std::nullopt;
  }
  return copy;
}

}  // namespace

std::optional<size_t> ParamOf(const tir::PrimFunc& func, const tir::Buffer& buffer) {
  for (size_t i = 0; i < func->params.size(); ++i) {
    const auto found = func->buffer_map.find(func->params[static_cast<int64_t>(i)]);
    if (found != func->buffer_map.end() && (*found).second.same_as(buffer)) return i;
  }
  return std::nullopt;
}

std::optional<JoinedOperands> FindJoinedOperands(const tir::PrimFunc& func) {
  const auto* seq = func->body.as<tir::SeqStmtNode>();
  if (seq == nullptr || seq->seq.size() + 1 != func->params.size()) return std::nullopt;
  JoinedOperands joined;
  std::unordered_set<size_t> seen;
  for (const tir::Stmt& stmt : seq->seq) {
    const std::optional<Copy> copy = WholeCopyOf(stmt);
    if (!copy) return std::nullopt;
    const auto from = ParamOf(func, copy->from);
    const auto to = ParamOf(func, copy->to);
    const auto row = BytesFrom(copy->to->shape, copy->axis + 1, copy->to->dtype);
    if (!from || !to || !row || !seen.insert(*from).second) return std::nullopt;
    if (!joined.inputs.empty() && joined.output != *to) return std::nullopt;
    joined.output = *to;
    joined.inputs.emplace_back(*from, copy->begin * *row);
  }
  return joined;
}

std::optional<ffi::Array<ir::RelayExpr>> JoinedOperandsOf(const relay::CallNode* call) {
  const auto op = call->op.as<ir::Op>();
  if (!op || (*op)->name != "relay.concatenate" || !call->checked_type.has_value()) {
    return std::nullopt;
  }
  const auto type = call->checked_type.value().as<ir::TensorType>().value();
  const auto rank = static_cast<int64_t>(type->shape.size());
  const int64_t axis = call->attrs.value().as<relay::ConcatenateAttrsNode>()->axis;
  const size_t first = FirstLongAxis(type->shape);
  if (first != static_cast<size_t>(axis < 0 ? axis + rank : axis)) return std::nullopt;
  const ffi::Array<ir::RelayExpr> fields = call->args[0].as<relay::TupleNode>()->fields;
  for (const ir::RelayExpr& field : fields) {
    const auto own = field->checked_type.value().as<ir::TensorType>().value();
    const auto bytes = BytesFrom(own->shape, first, own->dtype);
    if (!bytes || *bytes % kArenaAlignment != 0) return std::nullopt;
  }
  return fields;
}

}  // namespace uir::transform
