/*!
 * \file tschema/foreign_members.h
 * \brief The registration of types with members that only C++ knows how to copy.
 */
#ifndef TSCHEMA_FOREIGN_MEMBERS_H_
#define TSCHEMA_FOREIGN_MEMBERS_H_

#include <tschema/registry.h>

#include <type_traits>

namespace tschema {

/*!
 * \brief The row of a concrete type with members of foreign types.
 *
 * If one of them cannot be copied, as a mutex cannot, objects of the type are not copied either: it
 * is an error that names the type.
 *
 * \tparam kFlags As those of `Concrete`.
 */
template <typename Node, unsigned kFlags = 0>
constexpr Type ConcreteWithForeign(const char* digest, const char* doc, Rows<Field> fields,
                                   const Callable& constructor, Rows<Callable> methods = {}) {
  Type type = Abstract<Node, kFlags>(digest, doc, fields, methods);
  type.constructor = &constructor;
  type.create = &detail::Create<Node>;
  if constexpr (std::is_copy_constructible_v<Node>) type.copy = &detail::Copy<Node>;
  type.hooks = detail::HooksOf<Node, kFlags & ~kPolymorphic>();
  return type;
}

}  // namespace tschema

#endif  // TSCHEMA_FOREIGN_MEMBERS_H_
