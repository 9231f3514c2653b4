/*!
 * \file memo_table.h
 * \brief Answers about nodes that were visited before.
 */
#ifndef UIR_ARITH_MEMO_TABLE_H_
#define UIR_ARITH_MEMO_TABLE_H_

#include <uir/ir/expr.h>

#include <unordered_map>
#include <utility>

namespace uir::arith {

/*! \brief Answers by node; it keeps the nodes alive, so that an address means one node. */
template <typename Answer>
class MemoTable {
 public:
  /*! \brief The answer about a node; null if there is none yet. */
  const Answer* Find(const ir::PrimExpr& node) const {
    const auto found = answers_.find(node.get());
    return found == answers_.end() ? nullptr : &found->second.second;
  }

  void Set(const ir::PrimExpr& node, Answer answer) {
    answers_.insert_or_assign(node.get(), std::make_pair(node, std::move(answer)));
  }

  void Clear() {
    if (answers_.empty()) return;
    // A table that has been large takes long to clear, and is not likely to be needed again.
    if (answers_.bucket_count() > 1024) {
      answers_ = {};
    } else {
      answers_.clear();
    }
  }

 private:
  std::unordered_map<const ir::PrimExprNode*, std::pair<ir::PrimExpr, Answer>> answers_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MEMO_TABLE_H_
