/*!
 * \file checks.h
 * \brief Checks before the registration of dynamic types.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_CHECKS_H_
#define TSCHEMA_SRC_DYNAMIC_CHECKS_H_

#include <tvm/ffi/object.h>

#include <cstdint>
#include <string>
#include <unordered_set>

#include "./schema.h"

namespace tschema {
namespace dynamic {

/*!
 * \brief A snapshot of the registered types.
 *
 * A query of tvm-ffi for one missing key would cost an error with a backtrace.
 */
class RegisteredTypes {
 public:
  RegisteredTypes();

  /*! \brief The index of a registered type, or -1. */
  int32_t Find(const std::string& key) const;

 private:
  std::unordered_set<std::string> keys_;
};

/*!
 * \brief Whether all types of a package are registered with the same layouts.
 * \throws RuntimeError if one is registered with another layout, or only some are registered.
 */
bool IsRegistered(const Schema& schema, const RegisteredTypes& registered,
                  const std::string& owner);

/*!
 * \brief Refuse declarations whose code only a compiled library has.
 * \throws TypeError that names all of them.
 */
void CheckNeedsNoCode(const Schema& schema, const std::string& owner);

/*!
 * \brief Check the types of other packages that the package builds on.
 * \throws RuntimeError if one is not registered, or with another layout.
 */
void CheckImports(const Schema& schema, const RegisteredTypes& registered,
                  const std::string& owner);

/*!
 * \brief Check that each field has the size of its type, and each type its digest.
 * \throws ValueError that names the type.
 */
void CheckLayouts(const Schema& schema);

/*! \brief The digest of a package: of the digests of all its types. */
std::string PackageDigest(const Schema& schema);

using PostInitHook = void (*)(ffi::Object* self);

/*! \brief The `PostInit` of the nearest ancestor that has one, or null. */
PostInitHook InheritedPostInit(const Type& type, const Schema& schema,
                               const RegisteredTypes& registered);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_CHECKS_H_
