// Which nests are windows of pixels, and which loops count the pixels.
#include "./window.h"

#include <tschema/walk.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./flat_nest.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief The size of the groups into which an expression divides a variable, if it is constant
 * and divides the extent. */
std::optional<int64_t> GroupOf(const PrimExpr& expr, const tir::For& loop) {
  std::optional<int64_t> size;
  tschema::Walk(expr, [&](const tir::FloorDivNode* division) {
    if (division->a.same_as(loop->loop_var)) size = tir::IntConstOf(division->b);
  });
  const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
  const bool divides = size && extent && *size > 1 && *extent % *size == 0;
  return divides ? size : std::nullopt;
}

/*! \brief Make an outer loop over channels one over groups, and rows of the channels of a group. */
bool SplitGroups(Contraction* found, size_t place) {
  const tir::For loop = found->outer[place];
  const std::optional<int64_t> size = GroupOf(found->rhs, loop);
  if (!size) return false;
  const int64_t groups = *tir::IntConstOf(loop->extent) / *size;
  const tir::Var group(loop->loop_var->name + "_group", loop->loop_var->dtype);
  const tir::Var row(loop->loop_var->name + "_row", loop->loop_var->dtype);
  const tir::For group_loop = LoopLike(loop, group, groups), row_loop = LoopLike(loop, row, *size);
  const arith::Analyzer analyzer;
  analyzer->Bind(group, ir::Range(group_loop->min, group_loop->extent));
  analyzer->Bind(row, ir::Range(row_loop->min, row_loop->extent));
  const auto split = [&](const PrimExpr& expr) {
    return analyzer->Simplify(transform::Substitute(expr, {{loop->loop_var, group * *size + row}}));
  };
  PrimExpr lhs = split(found->lhs), rhs = split(found->rhs);
  if (VarsOf(rhs).count(row.get()) != 0) return false;
  found->lhs = std::move(lhs);
  found->rhs = std::move(rhs);
  if (found->epilogue) found->epilogue->value = split(found->epilogue->value);
  ffi::Array<PrimExpr> indices = found->nest.store->indices;
  for (int64_t i = 0; i < static_cast<int64_t>(indices.size()); ++i) {
    if (indices[i].same_as(loop->loop_var)) indices.Set(i, split(indices[i]));
  }
  const tir::BufferStore& store = found->nest.store;
  found->nest.store =
      tir::BufferStore(store->buffer, store->value, std::move(indices), std::nullopt, store->span);
  found->outer[place] = group_loop;
  found->rows.push_back(row_loop);
  return true;
}

/*! \brief The loops of the last indices of the result that the left operand does not use. */
std::vector<tir::For> PixelsOf(const Contraction& found) {
  std::vector<tir::For> pixels = {found.column};
  const tir::BufferStore& store = found.nest.store;
  const VarSet left = VarsOf(found.lhs);
  for (auto i = static_cast<int64_t>(store->indices.size()) - 2; i >= 0; --i) {
    const bool fills = IsExtentOf(pixels.front(), store->buffer->shape[i + 1]);
    if (!IsCompact(store->buffer) || !fills) break;
    const auto loop = std::find_if(
        found.outer.begin(), found.outer.end(),
        [&](const tir::For& outer) { return store->indices[i].same_as(outer->loop_var); });
    if (loop == found.outer.end() || left.count((*loop)->loop_var.get()) != 0) break;
    pixels.insert(pixels.begin(), *loop);
  }
  return pixels;
}

/*! \brief Replaces accesses by pixels by those of views with one index for all pixels. */
class PixelViews : public tir::PrimExprMutator {
 public:
  PixelViews(Window* window, tir::Var pixel) : window_(window), pixel_(std::move(pixel)) {}

  /*! \brief Whether all accesses so far had such a view. */
  bool has_views = true;

  tir::Buffer ViewOf(const tir::Buffer& buffer) {
    for (const auto& [known, view] : known_) {
      if (known.same_as(buffer)) return view;
    }
    ffi::Array<PrimExpr> shape(buffer->shape.begin(), buffer->shape.begin() + Kept(buffer->shape));
    PrimExpr size = tir::make_const(1, pixel_->dtype);
    for (auto i = Kept(buffer->shape); i < static_cast<int64_t>(buffer->shape.size()); ++i) {
      size = size * buffer->shape[i];
    }
    shape.push_back(size);
    const tir::Buffer view(buffer->data, buffer->dtype, std::move(shape), {}, std::nullopt,
                           buffer->name, buffer->data_alignment);
    window_->views.push_back(tir::DeclBuffer(view, {}, window_->contraction.nest.store->span));
    known_.emplace_back(buffer, view);
    return view;
  }

  ffi::Array<PrimExpr> IndicesOf(const ffi::Array<PrimExpr>& indices) const {
    ffi::Array<PrimExpr> kept(indices.begin(), indices.begin() + Kept(indices));
    kept.push_back(pixel_);
    return kept;
  }

 protected:
  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    const bool uses_pixels =
        std::any_of(op->indices.begin(), op->indices.end(),
                    [&](const PrimExpr& index) { return UsesAny(VarsOf(index), window_->pixels); });
    if (!uses_pixels) return ffi::GetRef<PrimExpr>(op);
    has_views = has_views && IsPixel(op);
    if (!has_views) return ffi::GetRef<PrimExpr>(op);
    return tir::BufferLoad(ViewOf(op->buffer), IndicesOf(op->indices), std::nullopt, op->span);
  }

 private:
  int64_t Kept(const ffi::Array<PrimExpr>& of_dimensions) const {
    return static_cast<int64_t>(of_dimensions.size()) -
           static_cast<int64_t>(window_->pixels.size());
  }

  /*! \brief Whether the last indices are the pixel, in an image of this size. */
  bool IsPixel(const tir::BufferLoadNode* load) const {
    const int64_t kept = Kept(load->indices);
    if (kept < 0 || !IsCompact(load->buffer)) return false;
    for (size_t i = 0; i < window_->pixels.size(); ++i) {
      const auto at = kept + static_cast<int64_t>(i);
      const tir::For& loop = window_->pixels[i];
      if (!load->indices[at].same_as(loop->loop_var)) return false;
      if (!IsExtentOf(loop, load->buffer->shape[at])) return false;
    }
    return std::none_of(
        load->indices.begin(), load->indices.begin() + kept,
        [&](const PrimExpr& index) { return UsesAny(VarsOf(index), window_->pixels); });
  }

  Window* window_;
  tir::Var pixel_;
  std::vector<std::pair<tir::Buffer, tir::Buffer>> known_;
};

/*! \brief Count all pixels by one loop, over views; return whether the epilogue has views too. */
bool FusePixels(Window* window) {
  Contraction& found = window->contraction;
  const tir::BufferStore store = found.nest.store;
  const PrimExpr extent = window->Lines() * window->Width();
  const tir::Var pixel("pixel", extent->dtype);
  PixelViews views(window, pixel);
  if (found.epilogue) {
    Epilogue& epilogue = *found.epilogue;
    epilogue.value = views(epilogue.value);
    if (UsesAny(VarsOf(epilogue.value), window->pixels)) return false;
    if (!views.has_views || !IsCompact(epilogue.buffer)) return false;
    epilogue.buffer = views.ViewOf(epilogue.buffer);
  }
  found.nest.store = tir::BufferStore(views.ViewOf(store->buffer), store->value,
                                      views.IndicesOf(store->indices), std::nullopt, store->span);
  found.column = tir::For(pixel, found.column->min, extent, tir::ForKind::kSerial,
                          found.column->body, std::nullopt, {}, std::nullopt, store->span);
  const auto is_pixel = [&](const tir::For& loop) {
    return std::any_of(window->pixels.begin(), window->pixels.end(),
                       [&](const tir::For& pixels) { return pixels.same_as(loop); });
  };
  found.outer.erase(std::remove_if(found.outer.begin(), found.outer.end(), is_pixel),
                    found.outer.end());
  return true;
}

}  // namespace

PrimExpr Window::Lines() const {
  PrimExpr lines = tir::make_const(1, Width()->dtype);
  for (size_t i = 0; i + 1 < pixels.size(); ++i) lines = lines * pixels[i]->extent;
  return lines;
}

std::optional<Window> MatchWindow(const LoopNest& nest) {
  std::optional<Contraction> found = MatchContraction(nest);
  if (!found) return std::nullopt;
  for (size_t i = 0; i < found->outer.size() && found->rows.empty(); ++i) {
    if (SplitGroups(&*found, i)) break;
  }
  Window window{std::move(*found), {}, {}};
  window.pixels = PixelsOf(window.contraction);
  if (window.pixels.size() > 1 && !FusePixels(&window)) return std::nullopt;
  return window;
}

}  // namespace uir::schedule
