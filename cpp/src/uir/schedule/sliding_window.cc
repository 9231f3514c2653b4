// Matches nests that are windows over the pixels of a channel.
#include "./sliding_window.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/expr_lanes.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./linear_form.h"
#include "./padding.h"
#include "./window.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Lines of fewer places are left to other recipes. */
constexpr int64_t kLeastColumns = 2;
/*! \brief So few channels of one image do not pay for packing its pixels for a product of matrices.
 */
constexpr int64_t kFewWindowRows = 4;

/*! \brief Replaces the element and the single pixel in a value by variables. */
class PixelFinder : public tir::PrimExprMutator {
 public:
  PixelFinder(const tir::BufferStore& store, const tir::Var& column)
      : element_var("element", store->buffer->dtype), store_(store), column_(column) {}

  tir::Var element_var;
  std::optional<tir::Var> pixel_var;
  PrimExpr pixel{ffi::UnsafeInit{}};
  bool is_one = true;

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (IsElementOf(expr, store_)) return element_var;
    if (VarsOf(expr).count(column_.get()) == 0) return expr;
    if (!IsPixel(expr)) return tir::PrimExprMutator::VisitPrimExpr(std::move(expr));
    if (!pixel_var) {
      pixel_var = tir::Var("pixel", expr->dtype);
      pixel = expr;
    }
    is_one = is_one && tschema::StructuralEqual(pixel, expr);
    // Another pixel may have another data type, which the variable does not fit.
    return is_one ? PrimExpr(*pixel_var) : expr;
  }

 private:
  /*! \brief Whether an expression is a load, perhaps converted, or a choice of a load or of
   * padding. */
  static bool IsPixel(const PrimExpr& expr) {
    static const ir::Op choice = ir::get_op("tir.if_then_else");
    const auto* cast = expr.as<tir::CastNode>();
    const auto* call = expr.as<tir::CallNode>();
    const PrimExpr& load = cast == nullptr ? expr : cast->value;
    return load.as<tir::BufferLoadNode>() || (call != nullptr && call->op.same_as(choice));
  }

  PrimExpr VisitVar(const tir::VarNode* op) override {
    is_one = is_one && op != column_.get();
    return ffi::GetRef<PrimExpr>(op);
  }

  const tir::BufferStore& store_;
  const tir::Var& column_;
};

/*! \brief The loop among some whose variable an expression uses; `count` is how many there are. */
std::optional<tir::For> LoopIn(const PrimExpr& expr, const std::vector<tir::For>& loops,
                               int* count) {
  const VarSet used = VarsOf(expr);
  std::optional<tir::For> found;
  *count = 0;
  for (const tir::For& loop : loops) {
    if (used.count(loop->loop_var.get()) == 0) continue;
    ++*count;
    found = loop;
  }
  return found;
}

/*! \brief The axis of an index, if it has the form of one. */
std::optional<WindowAxis> AxisOf(const PrimExpr& index, const LoopNest& nest) {
  WindowAxis axis{nest.spatial.front(), std::nullopt};
  int places = 0, taps = 0;
  const std::optional<tir::For> place = LoopIn(index, nest.spatial, &places);
  axis.tap = LoopIn(index, nest.reduction, &taps);
  if (places != 1 || taps > 1) return std::nullopt;
  const auto form = LinearIn(index, (*place)->loop_var);
  if (!form || form->factor < 1) return std::nullopt;
  axis.place = *place;
  axis.stride = form->factor;
  if (axis.tap) {
    const auto form = LinearIn(index, (*axis.tap)->loop_var);
    const std::optional<int64_t> extent = tir::IntConstOf((*axis.tap)->extent);
    if (!form || form->factor < 1 || !extent || *extent < 1) return std::nullopt;
    axis.dilation = form->factor;
    axis.taps = *extent;
  }
  return axis;
}

/*! \brief The one element that a pixel is, where it is not padding. */
const tir::BufferLoadNode* LoadOfPixel(const PrimExpr& pixel) {
  const tir::BufferLoadNode* found = nullptr;
  int count = 0;
  tschema::Walk(pixel, [&](const tir::BufferLoadNode* load) {
    found = load;
    ++count;
  });
  const bool is_simple = count == 1 && ir::IsScalar(found->dtype) && !found->predicate.has_value();
  return is_simple ? found : nullptr;
}

/*! \brief A loop of one iteration is none. */
LoopNest WithoutSingleTaps(const LoopNest& nest, ffi::Map<tir::Var, PrimExpr>* values) {
  LoopNest made = nest;
  made.reduction.clear();
  for (const tir::For& loop : nest.reduction) {
    if (tir::IntConstOf(loop->extent) != 1) {
      made.reduction.push_back(loop);
    } else {
      values->Set(loop->loop_var, loop->min);
    }
  }
  return made;
}

/*! \brief Find the axes by the indices of a load; false if one has no form. */
bool FindAxes(const tir::BufferLoadNode* load, SlidingWindow* window) {
  const tir::VarNode* column = window->nest.store->indices.back().as<tir::VarNode>();
  for (size_t i = 0; i < load->indices.size(); ++i) {
    const PrimExpr& index = load->indices[static_cast<int64_t>(i)];
    const VarSet used = VarsOf(index);
    const bool is_last = i + 1 == load->indices.size();
    if (used.count(column) != (is_last ? 1 : 0)) return false;
    if (!is_last && !UsesAny(used, window->nest.reduction)) continue;
    std::optional<WindowAxis> axis = AxisOf(index, window->nest);
    if (!axis) return false;
    window->axes.push_back(*std::move(axis));
  }
  return !window->axes.empty();
}

/*! \brief Whether each axis has its own loops, and each loop over taps belongs to an axis. */
bool HaveOwnLoops(const SlidingWindow& window) {
  VarSet seen;
  size_t taps = 0;
  for (const WindowAxis& axis : window.axes) {
    if (!seen.insert(axis.place->loop_var.get()).second) return false;
    if (axis.tap && !seen.insert((*axis.tap)->loop_var.get()).second) return false;
    taps += axis.tap ? 1 : 0;
  }
  return taps == window.nest.reduction.size();
}

/*! \brief Drop the condition of a pixel that always holds. */
void SimplifyPixel(SlidingWindow* window) {
  const arith::Analyzer analyzer;
  const auto bind = [&](const std::vector<tir::For>& loops) {
    for (const tir::For& loop : loops) {
      analyzer->Bind(loop->loop_var, ir::Range(loop->min, loop->extent));
    }
  };
  bind(window->nest.spatial);
  bind(window->nest.reduction);
  const auto* call = window->pixel.as<tir::CallNode>();
  if (call != nullptr && tir::IntConstOf(analyzer->Simplify(call->args[0])) == 1) {
    window->pixel = call->args[1];
  }
  const auto* chosen = window->pixel.as<tir::CallNode>();
  window->is_plain = chosen == nullptr;
}

/*! \brief Whether padding can be written as the bounds of a loop over lines of pixels. */
bool HasSimplePadding(const SlidingWindow& window) {
  if (window.is_plain) return true;
  const std::optional<Padding> padding = SplitPadding(window.pixel, window.columns());
  if (!padding) return false;
  VarSet moving;
  for (const tir::For& loop : window.nest.spatial) moving.insert(loop->loop_var.get());
  for (const tir::For& loop : window.nest.reduction) moving.insert(loop->loop_var.get());
  const VarSet outside = VarsOf(padding->outside);
  bool calls = false;
  tschema::Walk(padding->inside, [&](const tir::CallNode*) { calls = true; });
  return !calls && std::none_of(outside.begin(), outside.end(),
                                [&](const tir::VarNode* var) { return moving.count(var) != 0; });
}

}  // namespace

int64_t SlidingWindow::taps() const {
  int64_t product = 1;
  for (const WindowAxis& axis : axes) product *= axis.taps;
  return product;
}

std::optional<SlidingWindow> MatchSlidingWindow(const LoopNest& nest) {
  const bool is_plain = nest.init && VarsOf((*nest.init)->value).empty();
  if (!is_plain || !CountAlike(nest)) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const bool is_number = ir::IsFloat(dtype) || ir::IsInteger(dtype);
  const auto column =
      nest.store->indices.empty() ? std::nullopt : nest.store->indices.back().as<tir::Var>();
  if (!is_number || !column) return std::nullopt;
  ffi::Map<tir::Var, PrimExpr> values;
  SlidingWindow window{
      WithoutSingleTaps(nest, &values), {},      {},     PrimExpr(ffi::UnsafeInit{}), true,
      PrimExpr(ffi::UnsafeInit{}),      *column, *column};
  PixelFinder finder(nest.store, *column);
  window.combined = finder(transform::Substitute(nest.store->value, values));
  if (!finder.pixel_var || !finder.is_one) return std::nullopt;
  window.element_var = finder.element_var;
  window.pixel_var = *finder.pixel_var;
  window.pixel = finder.pixel;
  const tir::BufferLoadNode* load = LoadOfPixel(window.pixel);
  if (load == nullptr || !FindAxes(load, &window) || !HaveOwnLoops(window)) return std::nullopt;
  for (const tir::For& loop : window.nest.spatial) {
    const bool is_place =
        std::any_of(window.axes.begin(), window.axes.end(),
                    [&](const WindowAxis& axis) { return axis.place.same_as(loop); });
    if (!is_place) window.outer.push_back(loop);
  }
  SimplifyPixel(&window);
  const std::optional<int64_t> width = tir::IntConstOf(window.columns()->extent);
  if (width && *width < kLeastColumns) return std::nullopt;
  if (nest.epilogue && !(window.epilogue = VectorEpilogueOf(nest, *column))) return std::nullopt;
  return HasSimplePadding(window) ? std::optional<SlidingWindow>(std::move(window)) : std::nullopt;
}

bool Slides(const LoopNest& nest) {
  if (!MatchSlidingWindow(nest)) return false;
  const std::optional<Window> window = MatchWindow(nest);
  if (!window) return true;
  int64_t rows = 1;
  for (const tir::For& loop : window->contraction.rows) {
    const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
    if (!extent || *extent > kFewWindowRows) return false;
    rows *= *extent;
  }
  return rows <= kFewWindowRows;
}

}  // namespace uir::schedule
