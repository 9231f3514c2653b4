/*!
 * \file acceptance.cc
 * \brief Remembers which containers are of the types that fields declare.
 */
#include "./acceptance.h"

#include <tvm/ffi/cast.h>

namespace tschema {

bool Acceptance::AcceptsParts(const TypeExpr& type, const ffi::Object* container) {
  constexpr size_t kSmall = 4;
  size_t size =
      IsMapping(container->type_index()) ? MappingOf(container)->size() : SizeOfSequence(container);
  if (size <= kSmall) return TypeCheck::AcceptsParts(type, container);
  uint32_t next = static_cast<uint32_t>(known_.size());
  uint64_t hash = reinterpret_cast<uintptr_t>(container) * 31 + reinterpret_cast<uintptr_t>(&type);
  uint32_t entry = index_.FindOrAdd(hash, next, [&](uint32_t known) {
    return known_[known].container.get() == container && known_[known].type == &type;
  });
  if (entry == next) {
    known_.push_back({ffi::GetRef<ffi::ObjectRef>(container), &type, false});
    bool is_accepted = TypeCheck::AcceptsParts(type, container);
    known_[entry].is_accepted = is_accepted;
  }
  return known_[entry].is_accepted;
}

}  // namespace tschema
