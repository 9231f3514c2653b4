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
 * \brief Hash a value by what it is built of: equal values have equal hashes.
 *
 * The hash is that of `tvm_ffi.structural_hash`, bit for bit, and the same in every process for a
 * value without unbound variables.  An object hashes to the hash of its type key, combined with
 * the hashes of its fields in the order of declaration, the parents' first; ignored ones are left
 * out.  A class with its own `SHashReduce` combines what that hands over, in its order.  A variable
 * where it is bound takes its number in the order of binding in addition, and elsewhere its address
 * alone.
 *
 * \param value A value of any type.
 * \param map_free_vars Whether variables that nothing binds are numbered too.
 * \return The hash.
 * \throws TypeError for an object of a type without structural behaviour.
 * \throws ValueError for a tensor that cannot be read: on a device, not contiguous.
 */
uint64_t StructuralHash(ffi::AnyView value, bool map_free_vars = false);

}  // namespace tschema

#endif  // TSCHEMA_STRUCTURAL_HASH_H_
