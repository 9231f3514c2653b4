/*!
 * \file uir/target/c_flags.h
 * \brief The flags that give emitted C its meaning.
 */
#ifndef UIR_TARGET_C_FLAGS_H_
#define UIR_TARGET_C_FLAGS_H_

namespace uir::target {

/*!
 * \brief The flags that emitted C requires; its first comment lists them.
 *
 * Only `multiply_add` rounds a product and a sum once, integers wrap around, and vectors and
 * scalars read the same memory: docs/compiler/semantics.md.
 */
constexpr const char* kCFlags[] = {"-std=gnu11", "-ffp-contract=off", "-fwrapv",
                                   "-fno-strict-aliasing"};

}  // namespace uir::target

#endif  // UIR_TARGET_C_FLAGS_H_
