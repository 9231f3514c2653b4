/*!
 * \file uir/ir/node_path.h
 * \brief Says where a node stands in another one: `body.seq[3].value`.
 */
#ifndef UIR_IR_NODE_PATH_H_
#define UIR_IR_NODE_PATH_H_

#include <tvm/ffi/object.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace uir::ir {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Find the ways to nodes, through fields, elements of arrays and values of maps.
 *
 * \param root Where the ways begin.
 * \param nodes What to find.
 * \return By node, the first way to it in the order of the fields.  The middle of a very long way
 * is left out.  A node that is not below the root has none.
 */
std::unordered_map<const ffi::Object*, std::string> FindPaths(
    const ffi::Object* root, const std::vector<const ffi::Object*>& nodes);

}  // namespace uir::ir

#endif  // UIR_IR_NODE_PATH_H_
