/*!
 * \file lowering_state.h
 * \brief What loops around a place chose: a part of each axis, and copies of operands.
 */
#ifndef UIR_SCHEDULE_NEST_LOWERING_STATE_H_
#define UIR_SCHEDULE_NEST_LOWERING_STATE_H_

#include <uir/transform/substitute.h>

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "./axis_range.h"

namespace uir::schedule::nest {

/*! \brief A copy of an operand, and how many places of axes were chosen when it was made. */
struct CopyInPlace {
  tir::Buffer buffer;
  const Copy* copy;
  std::unordered_map<const tir::VarNode*, size_t> depths;
};

/*! \brief Values of a few variables. Each loop copies the map with one other value, so that copies
 * share the values. */
template <typename Value>
class SharedValues {
 public:
  using Entry = std::pair<const tir::VarNode*, std::shared_ptr<const Value>>;

  /*! \brief The value of a variable; null if it has none. */
  const Value* Find(const tir::VarNode* var) const {
    for (const auto& [known, value] : entries_) {
      if (known == var) return value.get();
    }
    return nullptr;
  }
  void Set(const tir::Var& var, Value value) {
    auto shared = std::make_shared<const Value>(std::move(value));
    for (auto& [known, old] : entries_) {
      if (known == var.get()) return void(old = std::move(shared));
    }
    entries_.emplace_back(var.get(), std::move(shared));
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/*! \brief The parts of axes and the copies at a place. */
struct State {
  SharedValues<Range> ranges;
  SharedValues<CopyInPlace> copies;

  const Range& Of(const tir::Var& axis) const { return *ranges.Find(axis.get()); }
  State With(const tir::Var& axis, Range range) const;

  /*! \brief The first element of each axis. */
  transform::Substitution Values() const;
  /*! \brief An index at the first element of each axis. */
  PrimExpr At(const PrimExpr& index) const;
};

/*! \brief Whether an operand depends on an axis. */
bool UsesAxis(const Operand& operand, const tir::Var& axis);

/*! \brief The value of an operand at the first element of each axis. */
PrimExpr Read(const Operand& operand, const State& state);

/*! \brief The values of an operand for neighbours along an axis.
 * \throws ValueError if the operand has no form for vectors. */
PrimExpr ReadLanes(const Operand& operand, const State& state, const tir::Var& axis, int lanes);

/*! \brief The indices of the first element in a copy. */
ffi::Array<PrimExpr> PlaceIn(const CopyInPlace& copy, const State& state);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_LOWERING_STATE_H_
