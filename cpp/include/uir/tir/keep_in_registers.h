/*!
 * \file uir/tir/loaded_once.h
 * \brief The annotation of buffers whose vectors are loaded where the program loads them.
 */
#ifndef UIR_TIR_LOADED_ONCE_H_
#define UIR_TIR_LOADED_ONCE_H_

namespace uir::tir {

/*!
 * \brief On an `AllocBuffer` of vectors in scope `local`: keep each vector that is stored there in
 * a register.
 *
 * A compiler of the emitted C neither loads the vector again where it is used, nor keeps other
 * values that it loaded from memory before.
 */
inline constexpr const char* kLoadedOnce = "tir.loaded_once";

}  // namespace uir::tir

#endif  // UIR_TIR_LOADED_ONCE_H_
