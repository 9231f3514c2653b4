/*!
 * \file uir/ir/node_path.h
 * \brief The access path of a node in another one: `body.seq[3].value`.
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
 * \brief Find the access paths of nodes, through fields, elements of arrays and values of maps.
 *
 * \param root The start of the paths.
 * \param nodes The nodes to find.
 * \return The first path to each node in the order of the fields, by node. The middle of a very
 * long path is elided. A node that is not reachable from the root has none.
 */
std::unordered_map<const ffi::Object*, std::string> FindPaths(
    const ffi::Object* root, const std::vector<const ffi::Object*>& nodes);

}  // namespace uir::ir

#endif  // UIR_IR_NODE_PATH_H_
