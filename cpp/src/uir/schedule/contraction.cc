// Which nests are contractions, and which of their loops are rows and columns.
#include "./contraction.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>

#include <utility>

namespace uir::schedule {

namespace {

/*! \brief The loop of the last index of the result. */
const tir::For* ColumnOf(const LoopNest& nest) {
  if (nest.store->indices.empty()) return nullptr;
  const ir::PrimExpr last = nest.store->indices.back();
  for (const tir::For& loop : nest.spatial) {
    if (last.same_as(loop->loop_var)) return &loop;
  }
  return nullptr;
}

/*! \brief Whether an expression only loads and computes, so that it is cheap to repeat. */
bool IsCheap(const ir::PrimExpr& expr) {
  bool is_cheap = true;
  tschema::Walk(expr, [&](const tir::CallNode*) { is_cheap = false; });
  tschema::Walk(expr, [&](const tir::LetNode*) { is_cheap = false; });
  return is_cheap;
}

bool HasLet(const ir::PrimExpr& expr) {
  bool has_let = false;
  tschema::Walk(expr, [&](const tir::LetNode*) { has_let = true; });
  return has_let;
}

/*! \brief The product that a nest adds up, where its type has vectors. */
const tir::MulNode* ProductOfNest(const LoopNest& nest) {
  const DLDataType dtype = nest.store->buffer->dtype;
  const bool is_number = ir::IsFloat(dtype) || ir::IsInteger(dtype);
  if (!is_number || dtype.bits < 32 || !nest.init || ColumnOf(nest) == nullptr) return nullptr;
  const auto* sum = nest.store->value.as<tir::AddNode>();
  if (sum == nullptr || !IsElementOf(sum->a, nest.store)) return nullptr;
  if (Reads(sum->b, nest.store->buffer) || !VarsOf((*nest.init)->value).empty()) return nullptr;
  return sum->b.as<tir::MulNode>();
}

/*! \brief The columns of a panel, if the only load of an operand is `panels[column // width, ...,
 * column % width]`. */
std::optional<int64_t> PanelWidthOf(const ir::PrimExpr& operand, const tir::Var& column) {
  std::optional<int64_t> width;
  int64_t num_loads = 0;
  tschema::Walk(operand, [&](const tir::BufferLoadNode* load) {
    ++num_loads;
    if (load->indices.size() < 2) return;
    const auto* panel = load->indices[0].as<tir::FloorDivNode>();
    const auto* place = load->indices.back().as<tir::FloorModNode>();
    const bool is_column = panel != nullptr && place != nullptr && panel->a.same_as(column) &&
                           place->a.same_as(column);
    for (size_t i = 1; is_column && i + 1 < load->indices.size(); ++i) {
      if (VarsOf(load->indices[static_cast<int64_t>(i)]).count(column.get()) != 0) return;
    }
    const std::optional<int64_t> columns = is_column ? tir::IntConstOf(place->b) : std::nullopt;
    if (columns && *columns > 0 && tir::IntConstOf(panel->b) == columns) width = columns;
  });
  return num_loads == 1 ? width : std::nullopt;
}

}  // namespace

int64_t EvenVectors(int64_t needed, int64_t most) {
  if (needed <= most) return needed;
  const bool is_less_even = most > 2 && needed % most != 0 && needed % (most - 1) == 0;
  return is_less_even ? most - 1 : most;
}

std::optional<Contraction> MatchContraction(const LoopNest& nest) {
  const tir::MulNode* product = ProductOfNest(nest);
  if (product == nullptr || !CountAlike(nest)) return std::nullopt;
  const tir::For column = *ColumnOf(nest);
  Contraction found{nest, {}, {}, column, product->a, product->b, {}, {}};
  // The operands commute.
  if (VarsOf(found.lhs).count(column->loop_var.get()) != 0) std::swap(found.lhs, found.rhs);
  const VarSet left = VarsOf(found.lhs), right = VarsOf(found.rhs);
  if (left.count(column->loop_var.get()) != 0 || right.count(column->loop_var.get()) == 0) {
    return std::nullopt;
  }
  if (!IsCheap(found.lhs) || HasLet(found.rhs)) return std::nullopt;
  found.panel_width = PanelWidthOf(found.rhs, column->loop_var);
  if (nest.epilogue) {
    found.epilogue = VectorEpilogueOf(nest, column->loop_var);
    if (!found.epilogue) return std::nullopt;
  }
  for (const tir::For& loop : nest.spatial) {
    const tir::VarNode* var = loop->loop_var.get();
    if (loop.same_as(column)) continue;
    const bool is_row = left.count(var) != 0 && right.count(var) == 0;
    (is_row ? found.rows : found.outer).push_back(loop);
  }
  return found;
}

}  // namespace uir::schedule
