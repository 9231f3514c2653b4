/*!
 * \file tschema/layout_of.h
 * \brief The offsets of members that are not public, for the registration tables of their class.
 */
#ifndef TSCHEMA_LAYOUT_OF_H_
#define TSCHEMA_LAYOUT_OF_H_

namespace tschema {

/*!
 * \brief Where the members of a data class are: its friend, which generated sources specialize.
 *
 * Each member that is not public has a constant of its name there: its bytes from the start of the
 * object, header included.
 */
template <typename Node>
struct LayoutOf;

}  // namespace tschema

#endif  // TSCHEMA_LAYOUT_OF_H_
