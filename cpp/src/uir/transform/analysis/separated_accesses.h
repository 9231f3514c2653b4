/*!
 * \file separated_accesses.h
 * \brief Loops whose iterations use disjoint elements.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_SEPARATED_ACCESSES_H_
#define UIR_TRANSFORM_ANALYSIS_SEPARATED_ACCESSES_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/stmt.h>

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Decides whether the iterations of a loop use disjoint elements of an allocation.
 *
 * Then no element carries a value to the next iteration, so the memory may be allocated in the
 * loop. This holds if the index of one dimension steps by a constant with the loop that exceeds the
 * distance of all accesses of one iteration in that dimension.
 */
class SeparatedAccesses {
 public:
  /*!
   * \param body The body of a function.
   * \param buffers The buffers, each of which one `AllocBuffer` in `body` allocates.
   */
  SeparatedAccesses(const tir::Stmt& body, const std::unordered_set<const ffi::Object*>& buffers);

  /*!
   * \brief Whether no two iterations of a loop use the same element.
   * \param data The data pointer of the allocation.
   * \param loop_var The variable of the loop, which contains all uses.
   */
  bool Separates(const tir::VarNode* data, const tir::VarNode* loop_var);

  struct Access {
    ffi::Array<ir::PrimExpr> indices;
    /*! \brief The variables of the loops around the access, innermost last. */
    std::vector<tir::Var> loops;
  };
  struct Uses {
    std::vector<Access> accesses;
    /*! \brief Whether the memory is also used through its address or a view. */
    bool has_others = false;
  };

 private:
  bool Compute(const Uses& uses, const tir::VarNode* loop_var) const;
  /*! \brief Whether an index uses only variables of loops and outer values. */
  bool IsKnown(const ir::PrimExpr& index) const;
  /*! \brief An index in the first iteration of all loops inside a given one. */
  ir::PrimExpr FirstIndex(const Access& access, size_t axis, size_t depth) const;
  bool SeparatesIn(size_t axis, const Uses& uses, const tir::Var& var, size_t depth) const;

  std::unordered_map<const tir::VarNode*, Uses> uses_;
  /*! \brief Knows the ranges of loops. */
  arith::Analyzer analyzer_;
  /*! \brief The variables of bindings, and those of more than one loop. */
  std::unordered_set<const tir::VarNode*> others_;
  std::map<std::pair<const tir::VarNode*, const tir::VarNode*>, bool> known_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_SEPARATED_ACCESSES_H_
