/*!
 * \file equal_pairs.h
 * \brief Shared objects that were found equal, so that no pair is compared twice.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_EQUAL_PAIRS_H_
#define TSCHEMA_SRC_STRUCTURAL_EQUAL_PAIRS_H_

#include <tschema/pointer_map.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tschema {

/*!
 * \brief Equivalence classes of objects, by union-find.
 *
 * Time is near-linear in the edges of a graph, not in the pairs of nodes, as in the algorithm of
 * Hopcroft and Karp ("A linear algorithm for testing equivalence of finite automata", 1971).
 */
class EqualPairs {
 public:
  /*!
   * \brief Record that a left and a right object are equal.
   * \return False if that followed from earlier records.
   */
  bool Unite(const void* lhs, const void* rhs) {
    uint32_t lhs_class = ClassOf(lhs, &lhs_);
    uint32_t rhs_class = ClassOf(rhs, &rhs_);
    parents_[rhs_class] = lhs_class;
    return lhs_class != rhs_class;
  }

  void Clear() {
    lhs_.Clear();
    rhs_.Clear();
    parents_.clear();
  }

 private:
  uint32_t ClassOf(const void* object, PointerMap<uint32_t>* numbers) {
    auto number = static_cast<uint32_t>(parents_.size());
    auto [known, is_new] = numbers->Insert(object, number);
    if (is_new) parents_.push_back(number);
    return Find(*known);
  }

  uint32_t Find(uint32_t number) {
    while (parents_[number] != number) {
      parents_[number] = parents_[parents_[number]];
      number = parents_[number];
    }
    return number;
  }

  PointerMap<uint32_t> lhs_;
  PointerMap<uint32_t> rhs_;
  std::vector<uint32_t> parents_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_EQUAL_PAIRS_H_
