/*!
 * \file structural_names.h
 * \brief How a schema spells the rules of structural equality.
 */
#ifndef TSCHEMA_SRC_REFLECTION_STRUCTURAL_NAMES_H_
#define TSCHEMA_SRC_REFLECTION_STRUCTURAL_NAMES_H_

#include <tvm/ffi/c_api.h>

#include <array>

namespace tschema {

/*! \brief In the order of `TVMFFISEqHashKind`; null where objects are not compared. */
inline constexpr std::array<const char*, 6> kStructuralNames = {nullptr, "tree",       "var",
                                                                "dag",   "const_tree", "unique"};
static_assert(kTVMFFISEqHashKindTreeNode == 1 && kTVMFFISEqHashKindFreeVar == 2 &&
              kTVMFFISEqHashKindDAGNode == 3 && kTVMFFISEqHashKindConstTreeNode == 4 &&
              kTVMFFISEqHashKindUniqueInstance == 5);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_STRUCTURAL_NAMES_H_
