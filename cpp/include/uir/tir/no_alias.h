/*!
 * \file uir/tir/no_alias.h
 * \brief Functions whose buffers do not overlap.
 */
#ifndef UIR_TIR_NO_ALIAS_H_
#define UIR_TIR_NO_ALIAS_H_

#include <uir/tir/function.h>

namespace uir::tir {

/*! \brief The attribute of a function whose buffers do not overlap. */
inline constexpr const char* kNoAlias = "tir.noalias";

/*! \brief Whether a function has this attribute. */
inline bool HasNoAliases(const PrimFuncNode* func) {
  return func->GetAttr(kNoAlias).as<bool>().value_or(false);
}

}  // namespace uir::tir

#endif  // UIR_TIR_NO_ALIAS_H_
