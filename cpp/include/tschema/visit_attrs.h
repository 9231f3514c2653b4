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
 * \brief Visit the fields of an object, inherited fields first: by the type's hand-written
 * `VisitAttrs` if it has one, else all fields in order.
 *
 * A type that turned off `VisitAttrs` without writing its own has no attributes.
 *
 * \param object A node; a container has no attributes.
 * \param visitor May write through the pointers; a field with only a getter and a setter is visited
 * as an `Any` and written back if it was replaced.
 */
void VisitAttrs(ffi::Object* object, AttrVisitor* visitor);

}  // namespace tschema

#endif  // TSCHEMA_VISIT_ATTRS_H_
