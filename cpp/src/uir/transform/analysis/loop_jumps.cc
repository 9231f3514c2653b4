// Finds the `break` and `continue` of a loop.
#include "./loop_jumps.h"

#include <tschema/walk.h>
#include <uir/tir/block.h>

namespace uir::transform {

namespace {

/*! \brief Whether a statement can contain a jump of a loop around it. */
bool HoldsJumps(const tir::StmtNode* stmt) {
  return stmt->IsInstance<tir::SeqStmtNode>() || stmt->IsInstance<tir::IfThenElseNode>() ||
         stmt->IsInstance<tir::AttrStmtNode>() || stmt->IsInstance<tir::BlockRealizeNode>() ||
         stmt->IsInstance<tir::BlockNode>();
}

}  // namespace

LoopJumps FindLoopJumps(const tir::Stmt& body) {
  LoopJumps jumps;
  tschema::Walk(body, [&](const tir::StmtNode* stmt) {
    jumps.has_break |= stmt->IsInstance<tir::BreakNode>();
    jumps.has_continue |= stmt->IsInstance<tir::ContinueNode>();
    return HoldsJumps(stmt) ? tschema::kAdvance : tschema::kSkip;
  });
  return jumps;
}

}  // namespace uir::transform
