// Registers the expressions of another package.
#include "./foreign_node.h"

#include <tvm/ffi/reflection/registry.h>

namespace foreign {

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  refl::ObjectDef<FusedNode>()
      .def_ro("factors", &FusedNode::factors)
      .def_ro("addend", &FusedNode::addend);
  refl::ObjectDef<TracedVarNode>();
}

}  // namespace foreign
