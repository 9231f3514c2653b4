// Lowering of convolutions of integers: of bytes, four terms of which lie in an int32.
#include <uir/ir/dtype.h>
#include <uir/relay/convolution.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./operator_call.h"
#include "./reduce.h"
#include "./window.h"

namespace uir::transform {

namespace {

using Sizes = std::vector<int64_t>;

/*! \brief The bytes of an int32. */
constexpr int64_t kBytes = 4;
/*! \brief Sums for multiples of so many places need no incomplete vectors. */
constexpr int64_t kPlaces = 16;

PrimExpr Const(int64_t value, const PrimExpr& like) { return IndexIn(value, like->dtype); }
PrimExpr Plus(const PrimExpr& a, int64_t b) { return tir::add(a, Const(b, a)); }
PrimExpr Times(const PrimExpr& a, int64_t b) { return b == 1 ? a : tir::mul(a, Const(b, a)); }
PrimExpr Over(const PrimExpr& a, int64_t b) { return b == 1 ? a : tir::floordiv(a, Const(b, a)); }
PrimExpr Rest(const PrimExpr& a, int64_t b) {
  return b == 1 ? Const(0, a) : tir::floormod(a, Const(b, a));
}

PrimExpr ToInt32(const PrimExpr& element) { return tir::cast(element, ir::IntType(32)); }

bool IsByte(DLDataType dtype) { return ir::IsInteger(dtype) && dtype.bits == 8; }

int64_t Product(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

/*! \brief Whether int32 counts the elements of all places of a window, and there are some. */
bool AreCountedByInt32(const Sizes& image, const Sizes& kernel) {
  double count = 1;
  for (const Sizes* sizes : {&image, &kernel}) {
    for (const int64_t size : *sizes) count *= static_cast<double>(size);
  }
  return count > 0 && count < std::numeric_limits<int32_t>::max();
}

/*! \brief Known dimensions; none if one is not known. */
std::optional<Sizes> KnownSizes(const Indices& shape) {
  Sizes sizes;
  for (const PrimExpr& dimension : shape) {
    const std::optional<int64_t> known = ConstantIndex(dimension);
    if (!known) return std::nullopt;
    sizes.push_back(*known);
  }
  return sizes;
}

Indices DimensionsOf(const Sizes& sizes) {
  Indices shape;
  for (const int64_t size : sizes) shape.push_back(IndexIn(size, ir::IntType(32)));
  return shape;
}

/*! \brief The window of a call. */
struct IntegerWindow {
  Value data;
  Value rows;
  Sizes kernel;
  Sizes strides;
  Sizes dilations;
  int64_t groups;

  explicit IntegerWindow(const OperatorCall& call) : data(call.operand(0)), rows(call.operand(1)) {
    const auto* attrs = relay::AttrsOf<relay::IntegerConvAttrsNode>(call.call);
    kernel = Sizes(attrs->kernel.begin(), attrs->kernel.end());
    const relay::Window window = relay::MakeWindow(DimensionsOf(kernel), attrs->strides,
                                                   std::nullopt, attrs->dilations, "notset");
    strides = window.strides;
    dilations = window.dilations;
    groups = attrs->groups;
    data.StoreIfComputed();
    rows.StoreIfComputed();
  }
};

/*! \brief The sums of elements as they lie, for all sizes and types. */
Value PlainSums(const IntegerWindow& window, const std::string& name, const Indices& shape) {
  const PrimExpr channels = tir::floordiv(window.data.shape()[1], relay::Dimension(window.groups));
  const PrimExpr per_group = tir::floordiv(window.rows.shape()[0], relay::Dimension(window.groups));
  Indices terms = DimensionsOf(window.kernel);
  terms.push_back(channels);
  const auto source = [=](const Indices& indices, const Indices& reduced) {
    const Indices term = SplitPlace(reduced[0], terms);
    const PrimExpr group = tir::floordiv(indices[1], Divisor(per_group));
    Indices from = {indices[0], tir::add(tir::mul(group, channels), term.back())};
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      from.push_back(tir::add(Times(indices[at + 2], window.strides[i]),
                              Times(term[at], window.dilations[i])));
    }
    return tir::mul(ToInt32(window.data.At(from)),
                    ToInt32(window.rows.At({indices[1], reduced[0]})));
  };
  const Indices extents = {window.rows.shape()[1]};
  return Reduction{name, te::ReduceKind::kSum, shape, extents, source}.Make();
}

/*!
 * \brief A window of bytes, whose sums read int32 with four terms each.
 *
 * These words are stored before the sums. If channels of a group divide into fours, a word has four
 * channels of a pixel, and places of the kernel read the same words: with a stride, pixels lie in
 * phases, so that neighbouring places of the result read neighbours. Else a word has four terms of
 * a row of the window at a place of the result, such as four pixels of a channel.
 *
 * Places of the result are counted by one, along whole lines of words, so that vectors cross the
 * ends of lines. The sums behind the places of a line are not part of the result.
 */
class WordWindow {
 public:
  /*! \brief The window of a call; none if sizes are not known, or terms have no words. */
  static std::optional<WordWindow> Of(const IntegerWindow& window, const Indices& result) {
    const DLDataType data = window.data.dtype(), rows = window.rows.dtype();
    const auto image = KnownSizes(Between(window.data.shape(), 1, window.data.rank()));
    const auto weights = KnownSizes(window.rows.shape());
    const auto places = KnownSizes(SpatialOf(result));
    if (!IsByte(data) || !IsByte(rows) || data.code == rows.code || !image || !weights || !places) {
      return std::nullopt;
    }
    if (!AreCountedByInt32(*image, window.kernel) || Product(*weights) == 0) return std::nullopt;
    WordWindow made(window, (*image)[0] / window.groups, (*weights)[0] / window.groups);
    made.image_ = Sizes(image->begin() + 1, image->end());
    made.places_ = *places;
    if (made.channels_ * window.kernel.back() % kBytes != 0) return std::nullopt;
    made.SetLines();
    return made;
  }

  /*! \brief The sums at the places of the result. */
  Value Sums(const OperatorCall& call) const {
    const Value words = Words(call.Name() + "_words");
    const WordWindow& self = *this;
    const auto source = [self, words](const Indices& indices, const Indices& reduced) {
      return self.Term(words, indices, reduced[0]);
    };
    const Indices shape = {window_.data.shape()[0], relay::Dimension(window_.groups),
                           relay::Dimension(per_group_), relay::Dimension(num_places_)};
    const Value sums =
        Reduction{call.Name(), te::ReduceKind::kSum, shape, {window_.rows.shape()[1]}, source}
            .Make();
    return call.Result([self, sums](const Indices& indices) {
      PrimExpr place = Const(0, indices[1]);
      for (size_t i = 0; i < self.rank(); ++i) {
        const PrimExpr& index = indices[static_cast<int64_t>(i) + 2];
        place = tir::add(place, Times(index, self.Pitch(i)));
      }
      return sums.At({indices[0], Over(indices[1], self.per_group_),
                      Rest(indices[1], self.per_group_), place});
    });
  }

 private:
  WordWindow(IntegerWindow window, int64_t channels, int64_t per_group)
      : window_(std::move(window)), channels_(channels), per_group_(per_group) {}

  size_t rank() const { return image_.size(); }
  bool AreChannels() const { return channels_ % kBytes == 0; }
  /*! \brief Whether words along an axis are those at places of the result. */
  bool IsAtPlaces(size_t axis) const { return !AreChannels() && axis + 1 == rank(); }
  /*! \brief The phases of pixels along an axis. */
  int64_t Phases(size_t axis) const { return IsAtPlaces(axis) ? 1 : window_.strides[axis]; }
  /*! \brief The words of a group at a pixel. */
  int64_t WordsOfGroup() const {
    return (AreChannels() ? channels_ : channels_ * window_.kernel.back()) / kBytes;
  }
  /*! \brief The places of the kernel that sums count, beside the words of a group. */
  Sizes Taps() const {
    Sizes taps = window_.kernel;
    if (!AreChannels()) taps.back() = 1;
    return taps;
  }
  /*! \brief How many places apart along the axis the result's places are for one step of it. */
  int64_t Pitch(size_t axis) const {
    return Product(Sizes(lines_.begin() + static_cast<std::ptrdiff_t>(axis) + 1, lines_.end()));
  }

  /*! \brief Choose the words along each axis, and more of the first one as far as vectors read. */
  void SetLines() {
    for (size_t i = 0; i < rank(); ++i) {
      const int64_t step = Phases(i);
      lines_.push_back(IsAtPlaces(i) ? places_[i] : (image_[i] + step - 1) / step);
    }
    int64_t last = 0, shift = 0;
    const Sizes taps = Taps();
    for (size_t i = 0; i < rank(); ++i) {
      last += (places_[i] - 1) * Pitch(i);
      shift += (taps[i] - 1) * window_.dilations[i] / Phases(i) * Pitch(i);
    }
    num_places_ = (last / kPlaces + 1) * kPlaces;
    lines_[0] = std::max(lines_[0], (num_places_ - 1 + shift) / Pitch(0) + 1);
  }

  /*! \brief The words: of a group's word, a phase, and a pixel. */
  Value Words(const std::string& name) const {
    Sizes phases;
    for (size_t i = 0; i < rank(); ++i) phases.push_back(Phases(i));
    Indices shape = {window_.data.shape()[0], relay::Dimension(window_.groups * WordsOfGroup()),
                     relay::Dimension(Product(phases))};
    for (const int64_t size : lines_) shape.push_back(relay::Dimension(size));
    const WordWindow& self = *this;
    const Value words(name, shape, ir::IntType(32), [self, phases](const Indices& indices) {
      const Indices phase = SplitPlace(indices[2], DimensionsOf(phases));
      std::optional<PrimExpr> word;
      for (int64_t byte = 0; byte < kBytes; ++byte) {
        const PrimExpr element = self.Byte(indices, phase, byte);
        const PrimExpr bits = ToInt32(tir::cast(element, ir::UIntType(8)));
        const PrimExpr moved = tir::left_shift(bits, IndexIn(8 * byte, ir::IntType(32)));
        word = word ? tir::bitwise_or(*word, moved) : moved;
      }
      return *word;
    });
    words.Stored();
    return words;
  }

  /*! \brief A byte of a word. */
  PrimExpr Byte(const Indices& indices, const Indices& phase, int64_t byte) const {
    const PrimExpr& plane = indices[1];
    PrimExpr channel = Plus(Times(plane, kBytes), byte), tap = Const(0, plane);
    if (!AreChannels()) {
      const PrimExpr term = Plus(Times(Rest(plane, WordsOfGroup()), kBytes), byte);
      tap = Over(term, channels_);
      channel = tir::add(Times(Over(plane, WordsOfGroup()), channels_), Rest(term, channels_));
    }
    Indices from = {indices[0], channel};
    for (size_t i = 0; i < rank(); ++i) {
      const auto at = static_cast<int64_t>(i);
      PrimExpr pixel = Times(indices[at + 3], window_.strides[i]);
      const int64_t last = (lines_[i] - 1) * window_.strides[i];
      if (IsAtPlaces(i)) {
        const int64_t reach = (window_.kernel[i] - 1) * window_.dilations[i];
        pixel = tir::add(Within(pixel, last, image_[i] - reach), Times(tap, window_.dilations[i]));
      } else {
        pixel = Within(tir::add(pixel, phase[at]), last + Phases(i) - 1, image_[i]);
      }
      from.push_back(pixel);
    }
    return window_.data.At(from);
  }

  /*! \brief A pixel, up to a known last one, of an axis; one in the axis for others. */
  static PrimExpr Within(const PrimExpr& pixel, int64_t last, int64_t size) {
    return last < size ? pixel : tir::min(pixel, Const(size - 1, pixel));
  }

  /*! \brief A product of bytes. */
  PrimExpr Term(const Value& words, const Indices& indices, const PrimExpr& term) const {
    const PrimExpr word = Over(term, kBytes), group = indices[1];
    const Indices taps = SplitPlace(Over(word, WordsOfGroup()), DimensionsOf(Taps()));
    PrimExpr place = indices[3], phase = Const(0, term);
    for (size_t i = 0; i < rank(); ++i) {
      const PrimExpr pixel = Times(taps[static_cast<int64_t>(i)], window_.dilations[i]);
      place = tir::add(place, Times(Over(pixel, Phases(i)), Pitch(i)));
      phase = tir::add(Times(phase, Phases(i)), Rest(pixel, Phases(i)));
    }
    Indices from = {indices[0], tir::add(Times(group, WordsOfGroup()), Rest(word, WordsOfGroup())),
                    phase};
    for (const PrimExpr& index : SplitPlace(place, DimensionsOf(lines_))) from.push_back(index);
    const PrimExpr bits = ToInt32(Times(Rest(term, kBytes), 8));
    const PrimExpr byte = tir::cast(tir::right_shift(words.At(from), bits), window_.data.dtype());
    const PrimExpr row = tir::add(Times(group, per_group_), indices[2]);
    return tir::mul(ToInt32(window_.rows.At({row, term})), ToInt32(byte));
  }

  IntegerWindow window_;
  int64_t channels_;
  int64_t per_group_;
  Sizes image_ = {};
  Sizes places_ = {};
  /*! \brief The words along each axis. */
  Sizes lines_ = {};
  int64_t num_places_ = 0;
};

Values LowerIntegerConv(const OperatorCall& call) {
  const IntegerWindow window(call);
  const Indices& shape = call.results[0]->shape;
  const auto words = WordWindow::Of(window, shape);
  return {words ? words->Sums(call) : PlainSums(window, call.Name(), shape)};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.integer_conv", LowerIntegerConv);

}  // namespace

}  // namespace uir::transform
