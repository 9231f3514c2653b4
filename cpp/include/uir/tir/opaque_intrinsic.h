/*!
 * \file uir/tir/opaque_intrinsic.h
 * \brief Intrinsics of TVM's lowered programs, which passes do not change.
 */
#ifndef UIR_TIR_OPAQUE_INTRINSIC_H_
#define UIR_TIR_OPAQUE_INTRINSIC_H_

#include <string_view>

namespace uir::tir {

/*! \brief Whether an operator is such an intrinsic, by its name in the registry. */
bool IsOpaqueIntrinsic(std::string_view name);

}  // namespace uir::tir

#endif  // UIR_TIR_OPAQUE_INTRINSIC_H_
