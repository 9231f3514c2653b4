// Reasons to refuse lists: what would compute something else, or elements that are not there.
#include "./list_check.h"

#include <uir/tir/const_fold.h>

#include <algorithm>
#include <vector>

namespace uir::schedule::nest {

namespace {

using Reason = std::optional<std::string>;

/*! \brief More sums are no longer registers, and their code grows with them. */
constexpr int64_t kMostRegisters = 256;
/*! \brief The most elements of a step, so that indices do not overflow. */
constexpr int64_t kLargestStep = int64_t{1} << 30;
constexpr int64_t kMostLanes = 64;

std::string Quoted(const std::string& name) { return "`" + name + "`"; }
std::string Quoted(const Loop& loop) { return Quoted(loop.options.name); }

/*! \brief The innermost loop of an axis among the first loops; none if it has none there. */
const Loop* LastLoop(const Nest& nest, const tir::Var& axis, size_t end) {
  const Loop* last = nullptr;
  for (size_t i = 0; i < end; ++i) {
    if (nest.loops[i].axis.same_as(axis)) last = &nest.loops[i];
  }
  return last;
}

Reason WhyWrongLoop(const Nest& nest, const Loop& loop) {
  const TileOptions& options = loop.options;
  if (loop.step > kLargestStep) return "the step of the loop " + Quoted(loop) + " is too large";
  if (options.tail == Tail::kPad && (options.lanes < 1 || loop.step % options.lanes != 0)) {
    return "the lanes of the loop " + Quoted(loop) + " must divide its step, got " +
           std::to_string(options.lanes) + " and " + std::to_string(loop.step);
  }
  if (loop.kind != tir::ForKind::kVectorized) return std::nullopt;
  const int64_t lanes = &loop == &nest.loops.back() ? nest.Lanes() : 0;
  const bool is_vector = lanes > 0 && lanes <= kMostLanes && (lanes & (lanes - 1)) == 0;
  if (is_vector) return std::nullopt;
  return "the lanes of a vector are the innermost loop, in one of its axis with a power of two up "
         "to 64 as its step; " +
         Quoted(loop) + " is another one";
}

/*! \brief The checks of the sums that registers hold. */
class RegisterCheck {
 public:
  explicit RegisterCheck(const Nest& nest)
      : nest_(nest), around_(*nest.around_registers), column_(nest.loops.back().axis) {}

  Reason Run() const {
    int64_t sums = 1;
    for (size_t i = around_; i < nest_.loops.size(); ++i) {
      const Loop& loop = nest_.loops[i];
      const bool is_vector = i + 2 >= nest_.loops.size();
      if (nest_.IsSum(loop) && loop.options.tail == Tail::kMin) {
        return "in registers, the loop " + Quoted(loop) + " cannot have the tail `min`";
      }
      if (loop.kind == tir::ForKind::kParallel) {
        return "in registers, the loop " + Quoted(loop) + " cannot be parallel";
      }
      if (nest_.IsSum(loop) || is_vector) continue;
      if (loop.axis.same_as(column_)) {
        return "in registers, the loops over " + Name(column_) +
               " are those over vectors and lanes";
      }
      if (Reason reason = WhyWrongRows(loop)) return reason;
      sums *= Elements(loop.axis);
    }
    if (Reason reason = WhyWrongColumns()) return reason;
    sums *= (Elements(column_) + nest_.Lanes() - 1) / nest_.Lanes();
    if (sums <= kMostRegisters) return WhyWrongTerms();
    return "registers would hold " + std::to_string(sums) + " vectors of sums, more than " +
           std::to_string(kMostRegisters);
  }

 private:
  std::string Name(const tir::Var& axis) const { return Quoted(nest_.NameOf(axis)); }
  const Loop* Outside(const tir::Var& axis) const { return LastLoop(nest_, axis, around_); }

  /*! \brief The most elements of an axis in registers; 0 if they are not known. */
  int64_t Elements(const tir::Var& axis) const {
    const Loop* outside = Outside(axis);
    if (outside != nullptr) return outside->step;
    return tir::IntConstOf(nest_.AxisOf(axis).extent).value_or(0);
  }

  bool AreSteps(const tir::Var& axis, int64_t step) const {
    const std::optional<int64_t> extent = tir::IntConstOf(nest_.AxisOf(axis).extent);
    return extent && *extent % step == 0;
  }

  Reason WhyWrongRows(const Loop& loop) const {
    const tir::Var& axis = loop.axis;
    if (Elements(axis) == 0 && !tir::IntConstOf(nest_.AxisOf(axis).extent)) {
      return "registers need a known number of elements of " + Name(axis) + ": add a loop over it";
    }
    const Loop* outside = Outside(axis);
    const bool is_whole = outside == nullptr || outside->options.tail <= Tail::kPowers;
    if (!is_whole && !AreSteps(axis, outside->step)) {
      return "a last step of the loop " + Quoted(*outside) +
             " would store elements that are not there: its tail must be `peel` or `powers`";
    }
    for (const Operand& operand : nest_.operands) {
      const VarSet used = VarsOf(operand.value);
      if (used.count(column_.get()) == 0 || used.count(axis.get()) == 0) continue;
      return "in registers, " + Quoted(operand.var->name) + " has one value for all of " +
             Name(axis) + ", but it changes along it";
    }
    return std::nullopt;
  }

  Reason WhyWrongColumns() const {
    const ffi::Array<PrimExpr>& indices = nest_.store->indices;
    int64_t uses = 0;
    for (const PrimExpr& index : indices) {
      uses += static_cast<int64_t>(VarsOf(index).count(column_.get()));
    }
    if (uses != 1 || !indices.back().same_as(column_)) {
      return "the lanes of sums must be those of the last index of the result, not of " +
             Name(column_);
    }
    return WhyPartVectors();
  }

  /*! \brief Whether each step of an axis' loops outside of registers is complete. */
  bool AreStepsComplete(const tir::Var& axis) const {
    for (size_t i = 0; i < around_; ++i) {
      const Loop& loop = nest_.loops[i];
      if (loop.axis.same_as(axis) && !AreSteps(axis, loop.step)) return false;
    }
    return true;
  }

  Reason WhyPartVectors() const {
    const int64_t lanes = nest_.Lanes();
    const Loop* outside = Outside(column_);
    const bool is_even = AreSteps(column_, lanes) && AreStepsComplete(column_);
    if (outside == nullptr) {
      if (is_even) return std::nullopt;
      return "the elements of " + Name(column_) +
             " do not fill whole vectors: add a loop with the tail `pad`";
    }
    const bool is_padded =
        outside->options.tail == Tail::kPad && outside->options.lanes % lanes == 0;
    if (outside->step % lanes == 0 && (is_padded || is_even)) return std::nullopt;
    return "a last step of the loop " + Quoted(*outside) +
           " may have no whole vectors: its tail must be `pad` with a multiple of " +
           std::to_string(lanes) + " lanes";
  }

  /*! \brief Registers hold a sum until its last term of a block. */
  Reason WhyWrongTerms() const {
    for (const Axis& axis : nest_.axes) {
      if (axis.kind != AxisKind::kSum || nest_.InnermostStep(axis.var) != 1) continue;
      const bool is_inside =
          std::any_of(nest_.loops.begin() + static_cast<int64_t>(around_), nest_.loops.end(),
                      [&](const Loop& loop) { return loop.axis.same_as(axis.var); });
      if (!is_inside) return "registers need the loop over single terms of " + Name(axis.var);
    }
    return std::nullopt;
  }

  const Nest& nest_;
  size_t around_;
  const tir::Var& column_;
};

/*! \brief The checks of one copy. */
class CopyCheck {
 public:
  CopyCheck(const Nest& nest, const Copy& copy)
      : nest_(nest), copy_(copy), place_(nest.PlaceOf(copy.at)) {
    for (const Operand& operand : nest.operands) {
      if (operand.var.same_as(copy.operand)) used_ = VarsOf(operand.value);
    }
  }

  Reason Run() const {
    if (!nest_.start || copy_.map.empty()) return "only the operands of sums have copies";
    const bool is_inside = place_ >= nest_.around_registers.value_or(nest_.loops.size());
    if (is_inside && (copy_.map.size() != 1 || !nest_.IsSum(nest_.loops[place_]))) {
      return "a copy in registers, as that in " + Quoted(copy_.at) +
             ", is made for a term, and has one index";
    }
    if (Reason reason = WhyShared(is_inside)) return reason;
    for (const CacheIndex& index : copy_.map) {
      if (Reason reason = WhyWrongIndex(index)) return reason;
    }
    for (const Axis& axis : nest_.axes) {
      if (used_.count(axis.var.get()) == 0 || Around(axis.var) == 1 || Has(axis.var)) continue;
      return "the copy of " + Quoted(copy_.operand->name) + " needs an index for " +
             Name(axis.var) + ", along which it changes in " + Quoted(copy_.at);
    }
    return std::nullopt;
  }

 private:
  std::string Name(const tir::Var& axis) const { return Quoted(nest_.NameOf(axis)); }

  /*! \brief The elements of an axis in an iteration of the copy's loop; 0 for all. */
  int64_t Around(const tir::Var& axis) const {
    const Loop* loop = LastLoop(nest_, axis, place_ + 1);
    return loop == nullptr ? 0 : loop->step;
  }

  std::vector<CacheIndex> Of(const tir::Var& axis) const {
    std::vector<CacheIndex> found;
    for (const CacheIndex& index : copy_.map) {
      if (index.axis.same_as(axis)) found.push_back(index);
    }
    return found;
  }
  bool Has(const tir::Var& axis) const { return !Of(axis).empty(); }

  /*! \brief Why threads would share the memory of the copy; registers are allocated inside of the
   * loop that chose the elements of the copy. */
  Reason WhyShared(bool is_inside) const {
    const Loop* next = LastLoop(nest_, copy_.map[0].axis, nest_.around_registers.value_or(0));
    bool is_allocated = false;
    for (size_t i = 0; i <= place_; ++i) {
      const Loop& loop = nest_.loops[i];
      is_allocated = is_allocated || (!is_inside && i == place_);
      if (is_allocated && loop.kind == tir::ForKind::kParallel) {
        return "the loop " + Quoted(loop) +
               " cannot be parallel: its iterations share the copy of " +
               Quoted(copy_.operand->name);
      }
      is_allocated = is_allocated || (is_inside && &loop == next);
    }
    return std::nullopt;
  }

  Reason WhyWrongIndex(const CacheIndex& index) const {
    const std::vector<CacheIndex> all = Of(index.axis);
    if (index.part == Part::kAll) {
      if (all.size() == 1) return std::nullopt;
      return "the copy of " + Quoted(copy_.operand->name) + " counts " + Name(index.axis) +
             " twice";
    }
    const int64_t around = Around(index.axis);
    const bool is_one_block =
        index.part == Part::kWithin && all.size() == 1 && around != 0 && around <= index.block;
    if (is_one_block) return std::nullopt;
    const bool is_pair = all.size() == 2 && all[0].part == Part::kBlock &&
                         all[1].part == Part::kWithin && all[0].block == all[1].block;
    if (!is_pair) {
      return "the copy of " + Quoted(copy_.operand->name) + " needs the number of a block of " +
             Name(index.axis) + ", and then an element within it";
    }
    return WhyWrongBlocks(index);
  }

  Reason WhyWrongBlocks(const CacheIndex& index) const {
    const int64_t block = index.block;
    const std::string blocks = "the blocks of " + std::to_string(block) + " elements of " +
                               Name(index.axis) + " in the copy of " + Quoted(copy_.operand->name);
    if (block % std::max<int64_t>(nest_.Lanes(), 1) != 0) return blocks + " must be whole vectors";
    for (size_t i = 0; i < nest_.loops.size(); ++i) {
      const Loop& loop = nest_.loops[i];
      if (!loop.axis.same_as(index.axis)) continue;
      const bool is_multiple = loop.step % block == 0;
      const bool is_part = i > place_ && block % loop.step == 0;
      if (!is_multiple && !is_part) {
        return blocks + " do not fit the step " + std::to_string(loop.step) + " of the loop " +
               Quoted(loop);
      }
      if (i > place_ && loop.step > block && loop.options.tail == Tail::kPowers) {
        return blocks + " do not fit the tail `powers` of the loop " + Quoted(loop);
      }
    }
    return std::nullopt;
  }

  const Nest& nest_;
  const Copy& copy_;
  size_t place_;
  VarSet used_;
};

}  // namespace

std::optional<std::string> WhyWrong(const Nest& nest) {
  for (const Loop& loop : nest.loops) {
    if (Reason reason = WhyWrongLoop(nest, loop)) return reason;
  }
  if (nest.around_registers) {
    if (Reason reason = RegisterCheck(nest).Run()) return reason;
  }
  for (size_t i = 0; i < nest.copies.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!nest.copies[i].operand.same_as(nest.copies[j].operand)) continue;
      return Quoted(nest.copies[i].operand->name) + " has two copies";
    }
    if (Reason reason = CopyCheck(nest, nest.copies[i]).Run()) return reason;
  }
  return std::nullopt;
}

std::optional<std::string> WhyIncomplete(const Nest& nest) {
  for (const Axis& axis : nest.axes) {
    if (nest.InnermostStep(axis.var) == 1) continue;
    return "no loop reaches the single elements of " + Quoted(nest.NameOf(axis.var)) +
           ": add `tile(\"" + nest.NameOf(axis.var) + "\", 1)`";
  }
  if (nest.start && !nest.around_registers) return "no loop keeps its sums in registers";
  for (const Operand& operand : nest.operands) {
    if (nest.around_registers && ReadsBehindColumns(nest, operand)) {
      return "the vectors that fill up a step would read " + Quoted(operand.var->name) +
             " behind its last element: it needs a copy";
    }
  }
  return std::nullopt;
}

bool ReadsBehindColumns(const Nest& nest, const Operand& operand) {
  const tir::Var& column = nest.loops.back().axis;
  const bool has_copy = std::any_of(nest.copies.begin(), nest.copies.end(), [&](const Copy& copy) {
    return copy.operand.same_as(operand.var);
  });
  if (has_copy || VarsOf(operand.value).count(column.get()) == 0) return false;
  const Loop* outside = LastLoop(nest, column, *nest.around_registers);
  if (outside == nullptr || outside->options.tail != Tail::kPad) return false;
  const std::optional<int64_t> extent = tir::IntConstOf(nest.AxisOf(column).extent);
  // A known rest is filled up to vectors, another one to a whole step.
  const int64_t filled = extent ? outside->options.lanes : outside->step;
  if (operand.panel_width) return *operand.panel_width % filled != 0;
  return !extent || *extent % filled != 0;
}

}  // namespace uir::schedule::nest
