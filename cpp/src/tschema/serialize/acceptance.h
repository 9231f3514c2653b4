/*!
 * \file acceptance.h
 * \brief Whether values are of the types that fields declare, in time linear in a shared graph.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_
#define TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_

#include <tvm/ffi/any.h>

#include <vector>

#include "../reflection/type_expr.h"
#include "./hash_index.h"

namespace tschema {

/*! \brief The check of `TypeExpr::Accepts`, but it looks into a container once for each type. */
class Acceptance final : public TypeCheck {
 private:
  bool AcceptsParts(const TypeExpr& type, const ffi::Object* container) final;

  /*! \brief A large container that has been looked into. */
  struct Known {
    /*! \brief Held, so that its address is not used again. */
    ffi::ObjectRef container;
    const TypeExpr* type;
    bool is_accepted;
  };

  std::vector<Known> known_;
  HashIndex index_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_
