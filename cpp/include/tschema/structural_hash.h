/*!
 * \file tschema/structural_hash.h
 * \brief Structural hash of values.
 */
#ifndef TSCHEMA_STRUCTURAL_HASH_H_
#define TSCHEMA_STRUCTURAL_HASH_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Compute the structural hash of a value: structurally equal values have equal hashes.
 *
 * The hash is that of `tvm_ffi.structural_hash`, bit for bit, and the same in every process for a
 * value without free variables. The hash of an object combines the hash of its type key with the
 * hashes of its fields in declaration order, inherited fields first, without ignored ones. A class
 * with its own `SHashReduce` combines the values that it passes, in order. A variable additionally
 * combines its number in the order of binding; a free variable hashes by address.
 *
 * \param value A value of any type.
 * \param map_free_vars Whether free variables are numbered too.
 * \return The hash.
 * \throws TypeError for an object of a type without structural behaviour.
 * \throws ValueError for a tensor that cannot be read: on a device, not contiguous.
 */
uint64_t StructuralHash(ffi::AnyView value, bool map_free_vars = false);

}  // namespace tschema

#endif  // TSCHEMA_STRUCTURAL_HASH_H_
