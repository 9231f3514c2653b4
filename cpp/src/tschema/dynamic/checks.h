/*!
 * \file checks.h
 * \brief What stands against registering dynamic types.
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
 * \brief The types that are registered, as they are when this is made.
 *
 * To ask tvm-ffi for a single key that is missing costs an error with a backtrace.
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
 * \brief Check that each field has the room that its type takes, and each type its digest.
 * \throws ValueError that names the type.
 */
void CheckLayouts(const Schema& schema);

/*! \brief The digest of a package: of the digests of all its types. */
std::string PackageDigest(const Schema& schema);

using PostInitHook = void (*)(ffi::Object* self);

/*! \brief What the nearest ancestor with a `PostInit` runs on new objects, or null. */
PostInitHook InheritedPostInit(const Type& type, const Schema& schema,
                               const RegisteredTypes& registered);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_CHECKS_H_
