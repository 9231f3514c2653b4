/*!
 * \file memo_table.h
 * \brief Answers about nodes that were visited before.
 */
#ifndef UIR_ARITH_MEMO_TABLE_H_
#define UIR_ARITH_MEMO_TABLE_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "./node_index.h"

namespace uir::arith {

/*! \brief Answers by node. */
template <typename Answer>
class MemoTable {
 public:
  /*! \brief The answer about a node; null if there is none yet.  `Add` moves it. */
  const Answer* Find(const ir::PrimExpr& node) const {
    const size_t place = nodes_.Find(node.get());
    return place < nodes_.size() ? &answers_[place].value : nullptr;
  }

  /*! \brief Remember the answer about a node; the first of several answers counts. */
  void Add(const ir::PrimExpr& node, Answer answer) {
    if (answers_.size() == answers_.capacity()) answers_.reserve(nodes_.NextCapacity());
    answers_.push_back({std::move(answer)});
    nodes_.Add(node);
  }

  void Clear() {
    if (nodes_.empty()) return;
    if (nodes_.size() > NodeIndex::kMany) answers_ = {};
    answers_.clear();
    nodes_.Clear();
  }

 private:
  /*! \brief Elements of a vector, since a vector of `bool` has no references. */
  struct Slot {
    Answer value;
  };

  NodeIndex nodes_;
  std::vector<Slot> answers_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MEMO_TABLE_H_
