// Buffers, regions of them, types and the variables that annotations declare.
#include <uir/ir/dtype.h>
#include <uir/ir/range.h>
#include <uir/ir/types.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/buffer.h>

#include <string>

#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

std::optional<tir::Buffer> BufferOf(const BuilderState& state, const ffi::Any& value) {
  if (std::optional<tir::Buffer> buffer = value.as<tir::Buffer>()) return buffer;
  const std::optional<tir::Var> address = value.as<tir::Var>();
  if (!address) return std::nullopt;
  const auto found = state.buffers.find(*address);
  return found == state.buffers.end() ? std::nullopt : std::optional((*found).second);
}

ffi::Array<ir::PrimExpr> StridesOf(const tir::Buffer& buffer) {
  if (!buffer->strides.empty()) return buffer->strides;
  std::vector<ir::PrimExpr> strides(buffer->shape.size(), MakeInt(1, ir::IntType(32)));
  for (size_t i = strides.size(); i-- > 1;) {
    strides[i - 1] = tir::mul(strides[i], buffer->shape[i]);
  }
  return {strides.begin(), strides.end()};
}

tir::Buffer Builder::Buffer(const SyntaxNode* node) {
  const ffi::Any value = Value(node);
  if (std::optional<tir::Buffer> buffer = BufferOf(*state_, value)) return *std::move(buffer);
  Fail(node, "expected a buffer, found `" + value.GetTypeKey() + "`");
}

namespace {

/*! \brief All elements of a buffer. */
tir::BufferRegion WholeRegion(Builder* builder, const SyntaxNode* node, const tir::Buffer& buffer) {
  ffi::Array<ir::Range> ranges;
  for (const ir::PrimExpr& extent : buffer->shape) {
    ranges.push_back(ir::Range(MakeInt(0, extent->dtype), extent));
  }
  return builder->At(node, [&] { return tir::BufferRegion(buffer, ranges); });
}

}  // namespace

SliceParts BuildSlice(Builder* builder, const tir::Buffer& buffer, size_t dimension,
                      const SyntaxNode* slice) {
  const SyntaxNode* begin = (*slice)[0];
  const SyntaxNode* end = (*slice)[1];
  const SyntaxNode* step = (*slice)[2];
  if (begin != nullptr && end != nullptr) {
    const auto [min, last] = builder->Pair(begin, end);
    return {
        min,
        builder->At(slice, [&, &min = min, &last = last] { return builder->Extent(min, last); }),
        step};
  }
  if (dimension >= buffer->shape.size()) {
    builder->Fail(slice, "`" + std::string(buffer->name) + "` has " +
                             std::to_string(buffer->shape.size()) + " dimensions");
  }
  const ir::PrimExpr size = buffer->shape[dimension];
  const ir::PrimExpr last = end == nullptr ? size : builder->Expr(end, size->dtype);
  const ir::PrimExpr min =
      begin == nullptr ? MakeInt(0, last->dtype) : builder->Expr(begin, last->dtype);
  return {min, builder->At(slice, [&] { return builder->Extent(min, last); }), step};
}

tir::BufferRegion Builder::Region(const SyntaxNode* node) {
  if (node->kind != Syntax::kSubscript) {
    const ffi::Any value = Value(node);
    if (std::optional<tir::BufferRegion> region = value.as<tir::BufferRegion>()) return *region;
    if (const auto whole = value.as<tir::Buffer>()) return WholeRegion(this, node, *whole);
    Fail(node, "expected a part of a buffer: `A[0:16, i]`");
  }
  const tir::Buffer buffer = Buffer((*node)[0]);
  ffi::Array<ir::Range> ranges;
  for (uint32_t i = 1; i < node->size; ++i) {
    const SyntaxNode* index = (*node)[i];
    if (index->kind == Syntax::kTuple && index->size == 0) break;
    if (index->kind != Syntax::kSlice) {
      const ir::PrimExpr min = Expr(index);
      ranges.push_back(At(index, [&] { return ir::Range(min, MakeInt(1, min->dtype)); }));
      continue;
    }
    const SliceParts slice = BuildSlice(this, buffer, i - 1, index);
    if (slice.step != nullptr) Fail(slice.step, "a part of a buffer has no step");
    ranges.push_back(At(index, [&] { return ir::Range(slice.begin, slice.extent); }));
  }
  return At(node, [&] { return tir::BufferRegion(buffer, ranges); });
}

std::pair<ir::PrimExpr, ir::PrimExpr> Builder::Pair(const SyntaxNode* a, const SyntaxNode* b) {
  const ffi::Any first = Operand(a);
  const ffi::Any second = Operand(b);
  if (first.type_index() != kTVMFFIInt) {
    const ir::PrimExpr expr = ToExpr(first, a);
    return {expr, ToExpr(second, b, expr->dtype)};
  }
  const ir::PrimExpr expr = ToExpr(second, b);
  return {ToExpr(first, a, expr->dtype), expr};
}

std::vector<std::string_view> BufferArguments(std::vector<std::string_view> first) {
  for (const std::string_view name :
       {"shape", "dtype", "data", "scope", "strides", "elem_offset", "align", "offset_factor",
        "buffer_type|type", "axis_separators", "annotations", "layout"}) {
    first.push_back(name);
  }
  return first;
}

static tir::Var BufferData(Builder* builder, const CallArguments& arguments,
                           const ffi::String& name, DLDataType dtype) {
  const SyntaxNode* data = arguments["data"];
  const bool is_scope = data != nullptr && data->kind == Syntax::kString;
  if (data != nullptr && data->kind != Syntax::kNone && !is_scope) {
    const ir::PrimExpr expr = builder->Expr(data);
    if (std::optional<tir::Var> var = expr.as<tir::Var>()) return *var;
    builder->Fail(data, "expected a variable that holds the buffer's address");
  }
  ffi::String scope = is_scope ? builder->String(data) : ffi::String("global");
  if (arguments["scope"] != nullptr) scope = builder->String(arguments["scope"]);
  return tir::Var(name, ir::kHandle, ir::PointerType(ir::PrimType(dtype), scope));
}

static tir::BufferType BufferTypeOf(Builder* builder, const SyntaxNode* node) {
  if (node == nullptr) return tir::BufferType::kDefault;
  const ffi::String name = builder->String(node);
  if (name == "default" || name.empty()) return tir::BufferType::kDefault;
  if (name == "auto_broadcast" || name == "auto") return tir::BufferType::kAutoBroadcast;
  builder->Fail(node, "expected \"default\" or \"auto_broadcast\"");
}

/*! \brief An expression, or `"n"`: the variable of that name, which is made if it is undefined. */
static ir::PrimExpr NamedExpr(Builder* builder, const SyntaxNode* node, DLDataType dtype) {
  if (node->kind != Syntax::kString) return builder->Expr(node);
  if (const Meaning* known = builder->state().Find(node->text)) {
    return builder->ToExpr(known->value, node);
  }
  const tir::Var var{ffi::String(std::string(node->text)), dtype};
  const SyntaxNode name{Syntax::kName, 0, node->begin, node->end, node->text, nullptr};
  builder->Define(&name, builder->Spanned(var, node));
  return var;
}

static ffi::Array<ir::PrimExpr> NamedExprs(Builder* builder, const SyntaxNode* node,
                                           DLDataType dtype) {
  if (node->kind != Syntax::kTuple && node->kind != Syntax::kList) return builder->Exprs(node);
  ffi::Array<ir::PrimExpr> exprs;
  node = Spread(builder, node);
  for (uint32_t i = 0; i < node->size; ++i) {
    exprs.push_back(NamedExpr(builder, (*node)[i], dtype));
  }
  return exprs;
}

/*! \brief Refuse a layout other than that of rows: `None`, or `"default"`. */
static void CheckLayout(Builder* builder, const SyntaxNode* node) {
  if (node == nullptr || node->kind == Syntax::kNone) return;
  if (node->kind == Syntax::kString && node->text == "default") return;
  builder->Fail(node, "a buffer has no layout here but that of its rows",
                "`strides=[...]` says where its elements are");
}

tir::Buffer BuildBuffer(Builder* builder, const CallArguments& arguments, std::string_view name,
                        const ffi::Optional<tir::BufferRegion>& region) {
  CheckLayout(builder, arguments["layout"]);
  const ffi::String text{std::string(name)};
  ffi::Array<ir::PrimExpr> shape;
  DLDataType dtype = ir::FloatType(32);
  if (region.has_value()) dtype = region.value()->buffer->dtype;
  if (region.has_value() && arguments["shape"] == nullptr) {
    for (const ir::Range& range : region.value()->region) shape.push_back(range->extent);
  } else {
    shape = NamedExprs(builder, arguments.Required("shape"), ir::IntType(32));
  }
  const SyntaxNode* shape_node =
      arguments["shape"] == nullptr ? arguments.call() : arguments["shape"];
  if (arguments["dtype"] != nullptr) dtype = builder->DType(arguments["dtype"]);
  const tir::Var data = BufferData(builder, arguments, text, dtype);
  ffi::Array<ir::PrimExpr> strides;
  const DLDataType index = shape.empty() ? ir::IntType(32) : shape[0]->dtype;
  if (const SyntaxNode* node = arguments["strides"]) {
    if (node->kind != Syntax::kNone) strides = NamedExprs(builder, node, index);
  }
  ffi::Optional<ir::PrimExpr> offset;
  if (const SyntaxNode* node = arguments["elem_offset"]) {
    if (node->kind != Syntax::kNone) offset = NamedExpr(builder, node, index);
  }
  const auto number = [&](std::string_view option, int64_t otherwise) {
    const SyntaxNode* node = arguments[option];
    int64_t value = node == nullptr ? otherwise : builder->Int(node);
    if (value == -1) value = otherwise;
    if (value < 0 || value > INT32_MAX) builder->Fail(node, "expected a positive 32-bit integer");
    return static_cast<int32_t>(value);
  };
  const int32_t align = number("align", 64);
  const int32_t factor = number("offset_factor", 1);
  const tir::BufferType type = BufferTypeOf(builder, arguments["buffer_type"]);
  ffi::Array<int64_t> separators;
  if (const SyntaxNode* node = arguments["axis_separators"]) {
    for (uint32_t i = 0; i < node->size; ++i) separators.push_back(builder->Int((*node)[i]));
  }
  return builder->At(shape_node, [&] {
    return builder->Spanned(
        tir::Buffer(data, dtype, shape, strides, offset, text, align, factor, type, separators),
        shape_node);
  });
}

}  // namespace uir::script
