/*!
 * \file memo_table.h
 * \brief Answers about nodes that were visited before.
 */
#ifndef UIR_ARITH_MEMO_TABLE_H_
#define UIR_ARITH_MEMO_TABLE_H_

#include <uir/ir/expr.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace uir::arith {

/*!
 * \brief Answers by node; it keeps the nodes alive, so that an address means one node.
 *
 * Between two changes of the facts a table has few answers: they are looked through in turn, and
 * found by a hash when there are more.  Its memory is kept for the next ones.
 */
template <typename Answer>
class MemoTable {
 public:
  /*! \brief The answer about a node; null if there is none yet.  `Set` moves it. */
  const Answer* Find(const ir::PrimExpr& node) const {
    const size_t place = PlaceOf(node.get());
    return place == kNowhere ? nullptr : &entries_[place].second;
  }

  void Set(const ir::PrimExpr& node, Answer answer) {
    const size_t place = PlaceOf(node.get());
    if (place != kNowhere) {
      entries_[place].second = std::move(answer);
      return;
    }
    entries_.emplace_back(node, std::move(answer));
    if (entries_.size() > kFew) AddSlot();
  }

  void Clear() {
    if (entries_.empty()) return;
    // A table that has been large is not likely to be needed again.
    if (slots_.size() > 1024) {
      entries_ = {};
      slots_ = {};
    } else {
      entries_.clear();
      slots_.clear();
    }
  }

 private:
  static constexpr size_t kFew = 8;
  static constexpr size_t kNowhere = SIZE_MAX;

  size_t PlaceOf(const ir::PrimExprNode* node) const {
    if (!slots_.empty()) {
      const uint32_t found = slots_[SlotOf(node)];
      return found == 0 ? kNowhere : found - 1;
    }
    for (size_t i = entries_.size(); i-- > 0;) {
      if (entries_[i].first.get() == node) return i;
    }
    return kNowhere;
  }

  /*! \brief The slot that names a node's entry, or the empty one that is to name it. */
  size_t SlotOf(const ir::PrimExprNode* node) const {
    const size_t mask = slots_.size() - 1;
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    size_t slot = (reinterpret_cast<uintptr_t>(node) * 0x9E3779B97F4A7C15u) >> 32 & mask;
    while (slots_[slot] != 0 && entries_[slots_[slot] - 1].first.get() != node) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /*! \brief Add the slot of the last entry; half of the slots stay empty. */
  void AddSlot() {
    if (2 * entries_.size() <= slots_.size()) {
      slots_[SlotOf(entries_.back().first.get())] = static_cast<uint32_t>(entries_.size());
      return;
    }
    slots_.assign(slots_.empty() ? 4 * kFew : 2 * slots_.size(), 0);
    for (size_t i = 0; i < entries_.size(); ++i) {
      slots_[SlotOf(entries_[i].first.get())] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<std::pair<ir::PrimExpr, Answer>> entries_;
  /*! \brief Places of entries, counted from 1, by hash; empty while the entries are few. */
  std::vector<uint32_t> slots_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MEMO_TABLE_H_
