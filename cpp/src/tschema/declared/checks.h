/*!
 * \file checks.h
 * \brief What stands against registering declared types.
 */
#ifndef TSCHEMA_SRC_DECLARED_CHECKS_H_
#define TSCHEMA_SRC_DECLARED_CHECKS_H_

#include <tvm/ffi/object.h>

#include <string>

#include "./schema.h"

namespace tschema {
namespace declared {

/*!
 * \brief Whether somebody has registered all types of a package, laid out alike.
 * \throws RuntimeError if somebody has registered one otherwise, or some of them only.
 */
bool IsRegistered(const Schema& schema, const std::string& owner);

/*!
 * \brief Refuse declarations whose code only a compiled library has.
 * \throws TypeError that names all of them.
 */
void CheckNeedsNoCode(const Schema& schema, const std::string& owner);

/*!
 * \brief Check the types of other packages that the package builds on.
 * \throws RuntimeError if one is not registered, or with another layout.
 */
void CheckImports(const Schema& schema, const std::string& owner);

/*!
 * \brief Check that each field has the room that its type takes, and each type its digest.
 * \throws ValueError that names the type.
 */
void CheckLayouts(const Schema& schema);

/*! \brief The digest of a package: of the digests of all its types. */
std::string PackageDigest(const Schema& schema);

/*! \brief What the nearest ancestor with a `PostInit` runs on new objects, or null. */
void (*InheritedPostInit(const Type& type, const Schema& schema))(ffi::Object* self);

/*! \brief The index of a type that somebody has registered, or -1. */
int32_t RegisteredIndex(const std::string& key);

}  // namespace declared
}  // namespace tschema

#endif  // TSCHEMA_SRC_DECLARED_CHECKS_H_
