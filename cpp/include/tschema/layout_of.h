/*!
 * \file tschema/layout_of.h
 * \brief The offsets of members that are not public, for the registration tables of their class.
 */
#ifndef TSCHEMA_LAYOUT_OF_H_
#define TSCHEMA_LAYOUT_OF_H_

namespace tschema {

/*!
 * \brief The offsets of the members of a data class: a friend, specialized by generated sources.
 *
 * Each member that is not public has a constant of its name: its bytes from the start of the
 * object, header included.
 */
template <typename Node>
struct LayoutOf;

}  // namespace tschema

#endif  // TSCHEMA_LAYOUT_OF_H_
