/*!
 * \file acceptance.h
 * \brief Whether values are of the types that fields declare, in time linear in a shared graph.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_
#define TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>

#include <vector>

#include "./hash_index.h"

namespace tschema {

/*! \brief Agrees with `TypeExpr::Accepts`, but looks into a container once for each type. */
class Acceptance {
 public:
  bool Accepts(const TypeExpr& type, const TVMFFIAny& value);

 private:
  bool AcceptsContainer(const TypeExpr& type, const TVMFFIAny& value);
  bool AcceptsParts(const TypeExpr& type, const TVMFFIAny& value);

  /*! \brief A large container that has been looked into. */
  struct Known {
    /*! \brief Held, so that its address is not used again. */
    ffi::Any container;
    const TypeExpr* type;
    bool is_accepted;
  };

  std::vector<Known> known_;
  HashIndex index_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_ACCEPTANCE_H_
