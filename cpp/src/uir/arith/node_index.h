/*!
 * \file node_index.h
 * \brief Places of nodes in a list.
 */
#ifndef UIR_ARITH_NODE_INDEX_H_
#define UIR_ARITH_NODE_INDEX_H_

#include <tschema/pointer_map.h>
#include <uir/ir/expr.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace uir::arith {

/*!
 * \brief A list of nodes with the place of each; it keeps the nodes alive, so that an address
 * identifies a node.
 *
 * Short lists are searched linearly, longer ones by hash.
 */
class NodeIndex {
 public:
  size_t size() const { return nodes_.size(); }
  bool empty() const { return nodes_.empty(); }

  /*! \brief The first place of a node; `size()` if it has none. */
  size_t Find(const ir::PrimExprNode* node) const {
    if (num_hashed_ != 0) return FindHashed(node);
    size_t place = 0;
    while (place < nodes_.size() && nodes_[place].get() != node) ++place;
    return place;
  }

  /*! \brief Append a node, even if it has a place already. */
  void Add(const ir::PrimExpr& node) {
    if (nodes_.size() == nodes_.capacity()) nodes_.reserve(NextCapacity());
    nodes_.push_back(node);
    // Once the list is hashed, it stays hashed, even if it becomes short again.
    if (nodes_.size() > kFew || num_hashed_ != 0) Hash();
  }

  void RemoveLast() {
    nodes_.pop_back();
    num_hashed_ = std::min(num_hashed_, nodes_.size());
  }

  /*! \brief Remove all nodes; their memory is kept for the next ones unless it is large. */
  void Clear() {
    if (nodes_.size() > kMany) nodes_ = {};
    nodes_.clear();
    if (num_hashed_ != 0) places_ = {};
    num_hashed_ = 0;
  }

  /*! \brief The capacity to reserve when the present one is used up. */
  size_t NextCapacity() const {
    constexpr size_t kLeast = 8;
    return nodes_.size() + std::max(kLeast, nodes_.size() / 2);
  }

  /*! \brief A list that has been longer is not likely to be as long again. */
  static constexpr size_t kMany = 512;

 private:
  /*!
   * \brief The most nodes without a hash.
   *
   * A linear search of so few is as fast, and the list stays below a kilobyte: for an allocation of
   * that size, glibc first consolidates all small chunks that the process has freed.
   */
  static constexpr size_t kFew = 96;

  size_t FindHashed(const ir::PrimExprNode* node) const {
    const uint32_t* found = places_.Find(node);
    // The place of a removed node may belong to another one.
    const bool is_there =
        found != nullptr && *found < nodes_.size() && nodes_[*found].get() == node;
    return is_there ? *found : nodes_.size();
  }

  /*! \brief Hash the places of the nodes that were added since. */
  void Hash() {
    for (; num_hashed_ < nodes_.size(); ++num_hashed_) {
      const ir::PrimExprNode* node = nodes_[num_hashed_].get();
      if (FindHashed(node) == nodes_.size()) {
        places_.Set(node, static_cast<uint32_t>(num_hashed_));
      }
    }
  }

  std::vector<ir::PrimExpr> nodes_;
  tschema::PointerMap<uint32_t> places_;
  /*! \brief How many nodes have a place in the hash: none or all. */
  size_t num_hashed_ = 0;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_NODE_INDEX_H_
