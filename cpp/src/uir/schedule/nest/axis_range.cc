// Loops over parts of axes, and how their last steps run.
#include "./axis_range.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <string>
#include <utility>

namespace uir::schedule::nest {

namespace {

using Body = std::function<void(const Range&)>;

PrimExpr True() { return tir::make_const(1, ir::BoolType()); }

/*! \brief Half of the elements of large steps, unless it is a power of two: lines of images often
 * have 7 pixels, which are 4, 2 and 1 otherwise. */
std::optional<int64_t> OwnHalf(int64_t step) {
  constexpr int64_t kLargeStep = 12;
  const int64_t half = step / 2;
  const bool is_power = (half & (half - 1)) == 0;
  return step >= kLargeStep && step % 2 == 0 && !is_power ? std::optional(half) : std::nullopt;
}

/*! \brief Splits a range by the steps of a loop. */
class Splitter {
 public:
  Splitter(const Range& range, const Loop& loop, LoopWriter* writer, const Body& body)
      : range_(range), loop_(loop), step_(loop.step), writer_(writer), body_(body) {}

  void Elements() const {
    Each(range_.Extent(),
         [&](const PrimExpr& at) { body_(range_.Inside(range_.start + at, at, 1)); });
  }

  /*! \brief One loop over all steps, whose last one may be shorter. */
  void Blocks(AxisKind kind) const {
    const std::optional<int64_t> size = tir::IntConstOf(range_.size);
    const PrimExpr extent = range_.Extent();
    PrimExpr count = tir::floordiv(extent + (step_ - 1), Const(step_));
    if (kind == AxisKind::kSum) count = tir::max(count, Const(1));
    const bool is_even = !range_.limit && size && *size > 0 && *size % step_ == 0;
    Each(count, [&](const PrimExpr& at) {
      Range part = Part(at);
      if (!is_even) part.limit = range_.limit ? *range_.limit : range_.start + range_.size;
      part.is_first = tir::logical_and(range_.is_first, part.start <= 0);
      part.is_last = tir::logical_and(range_.is_last, at + 1 >= count);
      body_(part);
    });
  }

  /*! \brief A loop over whole steps, then the rest of the axis, if this range has it. */
  void WholeSteps() const {
    const bool is_counted = range_.limit && range_.block;
    const PrimExpr extent = is_counted ? *range_.limit : range_.Extent();
    const PrimExpr whole = tir::floordiv(extent, Const(step_));
    const PrimExpr first = is_counted ? First() : Const(0);
    const int64_t steps = is_counted ? range_.step / step_ : 0;
    const PrimExpr left = whole - first;
    const PrimExpr count = is_counted ? tir::min(left, Const(steps)) : left;
    Each(count, [&](const PrimExpr& at) { body_(Part(at)); });
    const PrimExpr is_here = is_counted ? left < steps : True();
    Range last = Part(left);
    last.start = is_counted ? whole * step_ : range_.start + whole * step_;
    Rest(std::move(last), tir::floormod(extent, Const(step_)), is_here);
  }

 private:
  PrimExpr Const(int64_t value) const { return tir::make_const(value, loop_.axis->dtype); }

  /*! \brief The number of this range's first step among those of the axis. */
  PrimExpr First() const { return *range_.block * (range_.step / step_); }

  void Each(const PrimExpr& count, const std::function<void(const PrimExpr&)>& body) const {
    tir::ForKind kind = loop_.kind;
    // Lanes and copies of the body have a known number.
    const bool needs_number = kind == tir::ForKind::kVectorized || kind == tir::ForKind::kUnrolled;
    if (needs_number && !tir::IntConstOf(count)) kind = tir::ForKind::kSerial;
    const std::string& name = loop_.options.name;
    writer_->ForEach(name.substr(0, name.find_first_of(":#")).c_str(), count, body, kind);
  }

  /*! \brief A step; its number counts from the beginning of the axis, so a rest has none. */
  Range Part(const PrimExpr& at) const {
    const PrimExpr block = range_.block ? First() + at : at;
    const PrimExpr start = range_.block ? block * step_ : range_.start + at * step_;
    Range part = range_.Inside(start, at, step_);
    if (range_.block || tir::IntConstOf(range_.start) == 0) part.block = block;
    return part;
  }

  void Rest(Range last, const PrimExpr& rest, const PrimExpr& is_here) const {
    const std::optional<int64_t> known = tir::IntConstOf(rest);
    if (known == 0) return;
    last.block = std::nullopt;
    if (loop_.options.tail == Tail::kPad) return Padded(std::move(last), rest, is_here);
    if (known || loop_.options.tail == Tail::kPeel) {
      last.size = rest;
      return writer_->Where(is_here, [&] { body_(last); });
    }
    Powers(last, rest, is_here);
  }

  void Padded(Range last, const PrimExpr& rest, const PrimExpr& is_here) const {
    const int64_t lanes = loop_.options.lanes;
    const std::optional<int64_t> known = tir::IntConstOf(rest);
    last.size = Const(known ? (*known + lanes - 1) / lanes * lanes : step_);
    last.valid = rest;
    writer_->Where(tir::logical_and(rest > 0, is_here), [&] { body_(last); });
  }

  /*! \brief Parts of known sizes, for a rest that is not known. */
  void Powers(const Range& last, const PrimExpr& rest, const PrimExpr& is_here) const {
    const auto where = [&](const PrimExpr& condition, const PrimExpr& place, int64_t size) {
      Range part = last;
      part.start = part.start + place;
      part.size = Const(size);
      part.places.push_back({place, 1});
      writer_->Where(tir::logical_and(is_here, condition), [&] { body_(part); });
    };
    const std::optional<int64_t> half = OwnHalf(step_);
    if (half) where(tir::equal(rest, Const(*half)), Const(0), *half);
    int64_t power = 1;
    while (power * 2 < step_) power *= 2;
    for (; power > 0; power /= 2) {
      PrimExpr has_power = tir::floormod(tir::floordiv(rest, Const(power)), Const(2)) > 0;
      if (half && (*half & power) != 0) {
        has_power = tir::logical_and(has_power, tir::not_equal(rest, Const(*half)));
      }
      where(has_power, tir::floordiv(rest, Const(power * 2)) * (power * 2), power);
    }
  }

  const Range& range_;
  const Loop& loop_;
  int64_t step_;
  LoopWriter* writer_;
  const Body& body_;
};

}  // namespace

PrimExpr Range::Extent() const { return limit ? tir::min(*limit - start, size) : size; }

Range Range::Inside(PrimExpr first, PrimExpr count, int64_t by) const {
  Range part = *this;
  part.size = tir::make_const(by, start->dtype);
  part.start = std::move(first);
  part.limit = std::nullopt;
  part.block = std::nullopt;
  part.valid = std::nullopt;
  part.step = by;
  part.places.push_back({std::move(count), by});
  return part;
}

Range PartOf(PrimExpr start, PrimExpr size) {
  return {std::move(start), std::move(size), std::nullopt, std::nullopt, 1, std::nullopt, 0, {},
          True(),           True()};
}

Range WholeRange(const Axis& axis) {
  return PartOf(tir::make_const(0, axis.var->dtype), axis.extent);
}

void Split(const Range& range, const Loop& loop, AxisKind kind, LoopWriter* writer,
           const Body& body) {
  if (range.valid) {
    Range counted = range;
    counted.size = *range.valid;
    counted.valid = std::nullopt;
    return Split(counted, loop, kind, writer, body);
  }
  const Splitter splitter(range, loop, writer, body);
  if (loop.options.tail == Tail::kMin) return splitter.Blocks(kind);
  if (loop.step == 1) return splitter.Elements();
  splitter.WholeSteps();
}

}  // namespace uir::schedule::nest
