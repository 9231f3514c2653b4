/*!
 * \file tschema/visit_attrs.h
 * \brief Visits the fields of an object whose type is known only at run time.
 */
#ifndef TSCHEMA_VISIT_ATTRS_H_
#define TSCHEMA_VISIT_ATTRS_H_

#include <tschema/structural.h>
#include <tvm/ffi/object.h>

namespace tschema {

/*!
 * \brief Hand the fields of an object to a visitor, the parents' first: the type's own
 * `VisitAttrs` if people wrote one, else all fields in order.
 *
 * A type that has turned `VisitAttrs` off and has none of its own has no attributes.
 *
 * \param object A node; a container has no attributes.
 * \param visitor May write through the pointers; a field that only a getter and a setter reach
 *        is visited as an `Any` and written back if it was replaced.
 */
void VisitAttrs(ffi::Object* object, AttrVisitor* visitor);

}  // namespace tschema

#endif  // TSCHEMA_VISIT_ATTRS_H_
