/*!
 * \file node_table.h
 * \brief The values that a reader has made so far, by index.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_NODE_TABLE_H_
#define TSCHEMA_SRC_SERIALIZE_NODE_TABLE_H_

#include <tvm/ffi/any.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Values, children before their parents.
 *
 * Released from the last to the first, so that the release of a value does not free its children.
 */
class NodeTable {
 public:
  NodeTable() = default;
  NodeTable(const NodeTable&) = delete;
  NodeTable& operator=(const NodeTable&) = delete;
  ~NodeTable() { Clear(); }

  size_t size() const { return nodes_.size(); }
  const ffi::Any& operator[](size_t index) const { return nodes_[index]; }
  ffi::Any& operator[](size_t index) { return nodes_[index]; }
  void Reserve(size_t count) { nodes_.reserve(count); }
  void Resize(size_t count) { nodes_.resize(count); }
  void Add(ffi::Any node) { nodes_.push_back(std::move(node)); }
  void Clear() {
    while (!nodes_.empty()) nodes_.pop_back();
  }

 private:
  std::vector<ffi::Any> nodes_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_NODE_TABLE_H_
