/*!
 * \file memo_table.h
 * \brief Answers about nodes that were visited before.
 */
#ifndef UIR_ARITH_MEMO_TABLE_H_
#define UIR_ARITH_MEMO_TABLE_H_

#include <tschema/pointer_map.h>
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
    return place < entries_.size() ? &entries_[place].second : nullptr;
  }

  void Set(const ir::PrimExpr& node, Answer answer) {
    const size_t place = PlaceOf(node.get());
    if (place < entries_.size()) {
      entries_[place].second = std::move(answer);
      return;
    }
    entries_.emplace_back(node, std::move(answer));
    if (entries_.size() > kFew) AddPlaces();
  }

  void Clear() {
    if (entries_.empty()) return;
    // A table that has been large is not likely to be needed again.
    constexpr size_t kMany = 512;
    if (entries_.size() > kMany) entries_ = {};
    entries_.clear();
    places_ = {};
  }

 private:
  static constexpr size_t kFew = 8;

  /*! \brief Where a node's entry is; the number of entries if it has none. */
  size_t PlaceOf(const ir::PrimExprNode* node) const {
    if (!places_.empty()) {
      const uint32_t* found = places_.Find(node);
      return found == nullptr ? entries_.size() : *found;
    }
    size_t place = 0;
    while (place < entries_.size() && entries_[place].first.get() != node) ++place;
    return place;
  }

  /*! \brief Add the places of the entries that have none. */
  void AddPlaces() {
    for (size_t place = places_.size(); place < entries_.size(); ++place) {
      places_.Insert(entries_[place].first.get(), static_cast<uint32_t>(place));
    }
  }

  std::vector<std::pair<ir::PrimExpr, Answer>> entries_;
  /*! \brief Places of entries; empty while these are few. */
  tschema::PointerMap<uint32_t> places_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MEMO_TABLE_H_
