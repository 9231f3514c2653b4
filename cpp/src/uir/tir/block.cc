// Checks of blocks: iteration variables and their values.
#include <uir/ir/operand.h>
#include <uir/tir/block.h>

namespace uir::tir {

void BlockRealizeNode::PostInit() {
  ir::CheckSameSize(this, "iter_values", iter_values.size(), "block.iter_vars",
                    block->iter_vars.size());
  for (size_t i = 0; i < iter_values.size(); ++i) {
    ir::CheckSameType(this, {"iter_values", iter_values[i]},
                      {"block.iter_vars", block->iter_vars[i]->var});
  }
  ir::CheckScalarBool(this, {"predicate", predicate});
}

}  // namespace uir::tir
