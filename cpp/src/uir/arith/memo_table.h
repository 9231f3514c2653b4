/*!
 * \file memo_table.h
 * \brief Answers about nodes that were visited before.
 */
#ifndef UIR_ARITH_MEMO_TABLE_H_
#define UIR_ARITH_MEMO_TABLE_H_

#include <tschema/pointer_map.h>
#include <uir/ir/expr.h>

#include <algorithm>
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
    return place < nodes_.size() ? &answers_[place].value : nullptr;
  }

  void Set(const ir::PrimExpr& node, Answer answer) {
    const size_t place = PlaceOf(node.get());
    if (place < nodes_.size()) {
      answers_[place].value = std::move(answer);
      return;
    }
    if (nodes_.size() == nodes_.capacity()) Grow();
    nodes_.push_back(node);
    answers_.push_back({std::move(answer)});
    if (nodes_.size() > kFew) AddPlaces();
  }

  void Clear() {
    if (nodes_.empty()) return;
    // A table that has been large is not likely to be needed again.
    constexpr size_t kMany = 512;
    if (nodes_.size() > kMany) {
      nodes_ = {};
      answers_ = {};
    }
    nodes_.clear();
    answers_.clear();
    places_ = {};
  }

 private:
  /*! \brief A vector of them, since one of `bool` has no references. */
  struct Slot {
    Answer value;
  };

  /*!
   * \brief As many are looked through without a hash.
   *
   * Few are found as fast, and the table stays below a kilobyte: when glibc's allocator is asked
   * for one, it puts in order all small pieces that the whole process has given back.
   */
  static constexpr size_t kFew = 96;

  /*! \brief Make place for more by half, and for what most tables hold to begin with. */
  void Grow() {
    constexpr size_t kLeast = 8;
    const size_t capacity = nodes_.size() + std::max(kLeast, nodes_.size() / 2);
    nodes_.reserve(capacity);
    answers_.reserve(capacity);
  }

  /*! \brief Where a node's entry is; the number of entries if it has none. */
  size_t PlaceOf(const ir::PrimExprNode* node) const {
    if (!places_.empty()) {
      const uint32_t* found = places_.Find(node);
      return found == nullptr ? nodes_.size() : *found;
    }
    size_t place = 0;
    while (place < nodes_.size() && nodes_[place].get() != node) ++place;
    return place;
  }

  /*! \brief Add the places of the entries that have none. */
  void AddPlaces() {
    for (size_t place = places_.size(); place < nodes_.size(); ++place) {
      places_.Insert(nodes_[place].get(), static_cast<uint32_t>(place));
    }
  }

  std::vector<ir::PrimExpr> nodes_;
  std::vector<Slot> answers_;
  /*! \brief Places of entries; empty while these are few. */
  tschema::PointerMap<uint32_t> places_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MEMO_TABLE_H_
