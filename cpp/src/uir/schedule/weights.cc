// Weights in panels.
#include "./weights.h"

#include <tschema/map.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/host_memory.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/node_copy.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "./channel_blocks.h"
#include "./contraction.h"
#include "./flat_nest.h"
#include "./nest/byte_products.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief The bits of the widest vectors, which are several of those of other processors. */
constexpr int64_t kVectorBits = 512;
/*! \brief The vectors of a panel. */
constexpr int64_t kVectors = 3;
/*! \brief So few rows read the right operand in place as fast. */
constexpr int64_t kFewPanelRows = 3;

/*! \brief The load that a right operand is, perhaps of another data type. */
const tir::BufferLoadNode* LoadOfOperand(PrimExpr operand) {
  while (const auto* cast = operand.as<tir::CastNode>()) operand = cast->value;
  const auto* load = operand.as<tir::BufferLoadNode>();
  return load == nullptr || load->predicate.has_value() ? nullptr : load;
}

/*! \brief Whether a load is a function's only use of its buffer. */
bool IsOnlyUse(const tir::PrimFunc& func, const tir::BufferLoadNode* load) {
  const tir::Var& data = load->buffer->data;
  bool is_only = true;
  tschema::Walk(func->body, [&](const tir::BufferLoadNode* other) {
    is_only = is_only && (other == load || !other->buffer->data.same_as(data));
  });
  tschema::Walk(func->body, [&](const tir::BufferStoreNode* store) {
    is_only = is_only && !store->buffer->data.same_as(data);
  });
  tschema::Walk(func->body, [&](const tir::DeclBufferNode* view) {
    is_only = is_only && !view->buffer->data.same_as(data);
  });
  tschema::Walk(func->body, [&](const tir::CallNode* call) {
    is_only = is_only && std::none_of(call->args.begin(), call->args.end(),
                                      [&](const PrimExpr& arg) { return arg.same_as(data); });
  });
  return is_only;
}

std::optional<size_t> ParamOf(const tir::PrimFunc& func, const tir::Buffer& buffer) {
  for (size_t i = 0; i < func->params.size(); ++i) {
    const auto found = func->buffer_map.find(func->params[static_cast<int64_t>(i)]);
    if (found != func->buffer_map.end() && (*found).second.same_as(buffer)) return i;
  }
  return std::nullopt;
}

bool HaveManyRows(const Contraction& contraction) {
  int64_t rows = 1;
  for (const tir::For& loop : contraction.rows) {
    const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
    if (!extent) return true;
    rows *= std::min(*extent, kFewPanelRows + 1);
  }
  return rows > kFewPanelRows;
}

/*! \brief The dimension that is indexed by the variable of a loop over all of it. */
std::optional<int64_t> DimensionOf(const tir::For& loop, const tir::BufferLoadNode* load) {
  std::optional<int64_t> found;
  for (size_t i = 0; i < load->indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (!load->indices[at].same_as(loop->loop_var)) continue;
    const auto extent = tir::IntConstOf(load->buffer->shape[at]);
    if (found || !extent || *extent <= 0 || tir::IntConstOf(loop->extent) != extent) {
      return std::nullopt;
    }
    found = at;
  }
  return found;
}

/*! \brief The index of a loop of the sum in a load. */
PrimExpr IndexOf(const SumLoop& loop, const tir::BufferLoadNode* load) {
  const PrimExpr& index = load->indices[loop.dimension];
  if (tir::IntConstOf(load->buffer->shape[loop.dimension]) == loop.extent) return index;
  return loop.step == 1 ? SplitIndex(index, loop.extent)->inner
                        : SplitIndex(index, loop.step)->outer;
}

/*! \brief The panel of a column and its place there. */
BlockedIndex PartsOf(const PrimExpr& column, int64_t width) {
  if (const auto parts = SplitIndex(column, width)) return *parts;
  const PrimExpr size = tir::make_const(width, column->dtype);
  return {tir::floordiv(column, size), tir::floormod(column, size)};
}

/*! \brief A dimension that columns choose, and the columns of its panels. */
struct PanelDimension {
  int64_t dimension;
  int64_t width;
};

/*! \brief The dimension that is indexed only by the columns. */
std::optional<PanelDimension> ColumnPanelOf(const Contraction& contraction,
                                            const tir::BufferLoadNode* load) {
  const std::optional<int64_t> column = DimensionOf(contraction.column, load);
  if (!column) return std::nullopt;
  const int64_t columns = *tir::IntConstOf(load->buffer->shape[*column]);
  const int64_t lanes = kVectorBits / contraction.nest.store->buffer->dtype.bits;
  const int64_t width = EvenVectors((columns + lanes - 1) / lanes, kVectors) * lanes;
  const int64_t padded = (columns + width - 1) / width * width;
  return padded <= columns * 2 ? std::optional(PanelDimension{*column, width}) : std::nullopt;
}

/*! \brief The dimension that is indexed by blocks of columns, `outer * width + column`, by loops
 * over all of it. */
std::optional<PanelDimension> BlocksOf(const Contraction& contraction,
                                       const tir::BufferLoadNode* load) {
  const std::optional<int64_t> width = tir::IntConstOf(contraction.column->extent);
  for (size_t i = 0; width && i < load->indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const std::optional<BlockedIndex> index = SplitIndex(load->indices[at], *width);
    if (!index || !index->inner.same_as(contraction.column->loop_var)) continue;
    for (const tir::For& loop : contraction.outer) {
      const std::optional<int64_t> blocks = tir::IntConstOf(loop->extent);
      const bool is_all = blocks && tir::IntConstOf(load->buffer->shape[at]) == *blocks * *width;
      if (is_all && index->outer.same_as(loop->loop_var)) return PanelDimension{at, *width};
    }
  }
  return std::nullopt;
}

/*! \brief The part of a dimension that a loop goes through: all of it, its blocks, or a block. */
std::optional<SumLoop> SumLoopOf(const tir::For& loop, const tir::BufferLoadNode* load) {
  const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
  if (const auto dimension = DimensionOf(loop, load)) return SumLoop{*dimension, 1, *extent};
  for (size_t i = 0; extent && i < load->indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const std::optional<int64_t> size = tir::IntConstOf(load->buffer->shape[at]);
    if (!size || *extent <= 0 || *size % *extent != 0) continue;
    const auto inner = SplitIndex(load->indices[at], *extent);
    if (inner && inner->inner.same_as(loop->loop_var)) return SumLoop{at, 1, *extent};
    const int64_t step = *size / *extent;
    const auto outer = SplitIndex(load->indices[at], step);
    if (outer && outer->outer.same_as(loop->loop_var)) return SumLoop{at, step, *extent};
  }
  return std::nullopt;
}

/*! \brief The elements of a buffer for one index of a dimension; none if they are not known. */
std::optional<int64_t> TermsOf(const tir::Buffer& buffer, int64_t dimension) {
  int64_t terms = 1;
  for (size_t i = 0; i < buffer->shape.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const std::optional<int64_t> extent = tir::IntConstOf(buffer->shape[at]);
    if (!extent) return std::nullopt;
    if (at != dimension) terms *= *extent;
  }
  return terms;
}

std::optional<WeightLayout> LayoutOf(const tir::PrimFunc& func, const Contraction& contraction) {
  const tir::BufferLoadNode* load = LoadOfOperand(contraction.rhs);
  if (load == nullptr || !IsCompact(load->buffer)) return std::nullopt;
  const bool is_of_bytes = nest::IsByteProduct(contraction);
  if (!is_of_bytes && !HaveManyRows(contraction)) return std::nullopt;
  const std::optional<size_t> param = ParamOf(func, load->buffer);
  std::optional<PanelDimension> columns = ColumnPanelOf(contraction, load);
  if (!columns) columns = BlocksOf(contraction, load);
  if (!param || !columns || !IsOnlyUse(func, load)) return std::nullopt;
  WeightLayout layout{*param, load->buffer, columns->width, columns->dimension, {}};
  int64_t terms = 1;
  for (const tir::For& loop : contraction.nest.reduction) {
    if (const auto found = SumLoopOf(loop, load)) {
      layout.sums.push_back(*found);
      terms *= found->extent;
    }
  }
  if (is_of_bytes) layout.bytes = nest::kBytes;
  // No other indices: the tensor has the elements of one matrix.
  const std::optional<int64_t> expected = TermsOf(load->buffer, columns->dimension);
  return expected == terms ? std::optional(std::move(layout)) : std::nullopt;
}

}  // namespace

std::vector<int64_t> WeightLayout::Shape() const {
  const int64_t columns = *tir::IntConstOf(buffer->shape[column]);
  std::vector<int64_t> shape = {(columns + width - 1) / width};
  for (const SumLoop& loop : sums) shape.push_back(loop.extent);
  shape.back() /= bytes;
  shape.push_back(width);
  return shape;
}

std::vector<WeightLayout> FindWeights(const tir::PrimFunc& func) {
  std::vector<WeightLayout> found;
  if (!tir::HasNoAliases(func.get())) return found;
  const auto* sequence = func->body.as<tir::SeqStmtNode>();
  const ffi::Array<tir::Stmt> stmts =
      sequence == nullptr ? ffi::Array<tir::Stmt>{func->body} : sequence->seq;
  for (const tir::Stmt& stmt : stmts) {
    const auto loop = stmt.as<tir::For>();
    const std::optional<LoopNest> nest = loop ? MatchLoopNest(*loop) : std::nullopt;
    const auto contraction = nest ? MatchContraction(*nest) : std::nullopt;
    auto layout = contraction ? LayoutOf(func, *contraction) : std::nullopt;
    if (layout) found.push_back(*std::move(layout));
  }
  return found;
}

tir::PrimFunc WithLayout(const tir::PrimFunc& func, const WeightLayout& layout) {
  const DLDataType index = layout.buffer->shape[0]->dtype;
  ffi::Array<PrimExpr> shape;
  for (const int64_t extent : layout.Shape()) shape.push_back(tir::make_const(extent, index));
  const bool is_of_bytes = layout.bytes != 1;
  const DLDataType dtype = is_of_bytes ? ir::IntType(32) : layout.buffer->dtype;
  const tir::Buffer packed =
      tir::decl_buffer(shape, dtype, std::string(layout.buffer->name) + "_packed");
  const auto replace = [&](const tir::BufferLoadNode* load) -> ffi::Optional<PrimExpr> {
    if (!load->buffer.same_as(layout.buffer)) return std::nullopt;
    const BlockedIndex column = PartsOf(load->indices[layout.column], layout.width);
    ffi::Array<PrimExpr> indices = {column.outer};
    for (const SumLoop& loop : layout.sums) indices.push_back(IndexOf(loop, load));
    indices.push_back(column.inner);
    if (is_of_bytes) return nest::PackedByte(packed, indices, load);
    return tir::BufferLoad(packed, indices, std::nullopt, load->span);
  };
  tir::PrimFunc changed = transform::CopyOf<tir::PrimFunc>(func.get());
  tir::PrimFuncNode* node = transform::Write(changed);
  node->body = tschema::Map(func->body, replace);
  node->buffer_map.Set(func->params[static_cast<int64_t>(layout.param)], packed);
  return changed;
}

bool CanPack(const ffi::Tensor& tensor, const WeightLayout& layout) {
  int64_t count = 1, expected = 1;
  for (const int64_t extent : tensor.shape()) count *= extent;
  for (const PrimExpr& extent : layout.buffer->shape) expected *= *tir::IntConstOf(extent);
  return tensor.device().device_type == kDLCPU && tensor.IsContiguous() && count == expected &&
         tensor.dtype() == layout.buffer->dtype && tensor.dtype().bits % 8 == 0;
}

ffi::Tensor Pack(const ffi::Tensor& tensor, const WeightLayout& layout) {
  const std::vector<int64_t> shape = layout.Shape();
  ffi::Tensor packed = ffi::Tensor::FromNDAlloc(
      ir::HostMemory(), ffi::ShapeView(shape.data(), shape.size()),
      layout.bytes == 1 ? tensor.dtype() : ir::IntType(32), DLDevice{kDLCPU, 0});
  const size_t bytes = ffi::GetDataSize(*packed.GetDLTensorPtr());
  auto* to = static_cast<char*>(packed.data_ptr());
  std::memset(to, 0, bytes);
  std::vector<int64_t> extents, strides(layout.buffer->shape.size(), 1);
  for (const PrimExpr& extent : layout.buffer->shape) extents.push_back(*tir::IntConstOf(extent));
  for (size_t i = strides.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * extents[i + 1];
  const auto* from =
      static_cast<const char*>(tensor.data_ptr()) + tensor.GetDLTensorPtr()->byte_offset;
  const size_t size = tensor.dtype().bits / 8;
  const int64_t columns = extents[layout.column];
  const int64_t stride = strides[layout.column];
  int64_t sums = 1;
  for (const SumLoop& loop : layout.sums) sums *= loop.extent;
  for (int64_t panel = 0; panel < shape[0]; ++panel) {
    const int64_t first = panel * layout.width;
    const int64_t count = std::min(layout.width, columns - first);
    for (int64_t sum = 0; sum < sums; ++sum) {
      int64_t place = first * stride, rest = sum;
      for (size_t i = layout.sums.size(); i-- > 0;) {
        const SumLoop& loop = layout.sums[i];
        place += rest % loop.extent * loop.step * strides[loop.dimension];
        rest /= loop.extent;
      }
      // Terms whose bytes lie in one element are a byte apart.
      const int64_t group = panel * sums + sum / layout.bytes * layout.bytes;
      char* line = to + group * layout.width * size + sum % layout.bytes;
      for (int64_t lane = 0; lane < count; ++lane) {
        std::memcpy(line + lane * layout.bytes * size, from + (place + lane * stride) * size, size);
      }
    }
  }
  return packed;
}

}  // namespace uir::schedule
