/*!
 * \file uir/tir/keep_in_registers.h
 * \brief The annotation of buffers of vectors that stay in registers.
 */
#ifndef UIR_TIR_KEEP_IN_REGISTERS_H_
#define UIR_TIR_KEEP_IN_REGISTERS_H_

namespace uir::tir {

/*!
 * \brief Annotates an `AllocBuffer` of vectors in scope `local`, by true: each vector that is
 * stored there stays in a register.
 *
 * A compiler of the emitted C neither loads the vector again where it is used, nor keeps other
 * values that it loaded from memory before.
 */
inline constexpr const char* kKeepInRegisters = "tir.keep_in_registers";

}  // namespace uir::tir

#endif  // UIR_TIR_KEEP_IN_REGISTERS_H_
