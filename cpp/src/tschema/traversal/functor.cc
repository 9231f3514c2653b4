/*!
 * \file functor.cc
 * \brief Dispatch by type, and what visitors and mutators walk.
 */
#include <tschema/functor.h>
#include <tschema/type_info.h>
#include <tschema/type_key.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>

#include "./walked_type.h"

namespace tschema {

namespace {

std::string_view KeyOf(const TVMFFITypeInfo* type) {
  return {type->type_key.data, type->type_key.size};
}

/*! \brief Visit a type and its ancestors, the nearest first, until `visit` returns false. */
template <typename Visit>
void ForLineage(int32_t type_index, Visit visit) {
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(type_index);
  if (!visit(type)) return;
  for (int32_t depth = type->type_depth; depth-- > 0;) {
    if (!visit(type->type_ancestors[depth])) return;
  }
}

bool IsBelow(int32_t type_index, int32_t ancestor) {
  bool found = false;
  ForLineage(type_index, [&](const TVMFFITypeInfo* type) {
    found = type->type_index == ancestor;
    return !found;
  });
  return found;
}

}  // namespace

CaseTable::Entry CaseTable::Resolve(int32_t type_index) const {
  Entry entry = kOutside;
  ForLineage(type_index, [&](const TVMFFITypeInfo* type) {
    std::string_view key = KeyOf(type);
    const char* const* found = std::find(keys_, keys_ + num_keys_, key);
    if (found != keys_ + num_keys_) {
      bool is_own = type->type_index == type_index;
      entry = 2 * static_cast<Entry>(found - keys_ + 1) + (is_own ? 1 : 0);
    } else if (root_ != nullptr && key == root_) {
      entry = 0;
    }
    return entry == kOutside;
  });
  entries_.Set(type_index, entry + kFirst);
  return entry + kFirst;
}

bool CaseTable::LeadsToCase(int32_t type_index) const {
  return std::any_of(keys_, keys_ + num_keys_, [type_index](const char* key) {
    const std::optional<int32_t> case_index = FindTypeIndex(key);
    // A case whose type is not registered has no objects.
    return case_index && IsBelow(*case_index, type_index);
  });
}

namespace detail {

int FindRegistered(const std::vector<int32_t>& registered, const CaseTable& cases,
                   const ffi::Object* object) {
  int place = -1;
  ForLineage(object->type_index(), [&](const TVMFFITypeInfo* type) {
    // The latest registration of a type is the one that counts.
    auto found = std::find(registered.rbegin(), registered.rend(), type->type_index);
    place = static_cast<int>(registered.rend() - found) - 1;
    return place < 0 && !cases.IsOwn(type->type_index);
  });
  return place;
}

void ThrowNoMethod(const char* functor, const ffi::Object* object) {
  TVM_FFI_THROW(TypeError) << functor << ": there is no method for `" << object->GetTypeKey()
                           << "`, nor for an ancestor of it";
  TVM_FFI_UNREACHABLE();
}

}  // namespace detail

bool Family::Knows(int32_t type_index) const {
  bool is_case = std::any_of(roots_, roots_ + num_roots_, [type_index](const CaseTable* root) {
    return root->IsOwn(type_index);
  });
  return is_case || (parts_ != nullptr && parts_->IsOwn(type_index));
}

bool Family::LeadsToMember(const TypeExpr& type) const {
  if (type.kind != TypeExpr::Kind::kObject) {
    return std::any_of(type.arguments.begin(), type.arguments.end(),
                       [this](const TypeExpr& argument) { return LeadsToMember(argument); });
  }
  if (type.type_index == kTVMFFIObject) return false;
  bool is_member = std::any_of(roots_, roots_ + num_roots_, [&type](const CaseTable* root) {
    return root->Contains(type.type_index);
  });
  if (is_member) return true;
  return parts_ != nullptr &&
         (parts_->Contains(type.type_index) || parts_->LeadsToCase(type.type_index));
}

const detail::WalkedType& Family::MakeWalk(int32_t type_index) const {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (const detail::WalkedType* known = walks_.Get(type_index)) return *known;
  const TypeInfo& info = TypeInfoOf(type_index);
  auto walk = std::make_unique<detail::WalkedType>();
  walk->info = &info;
  bool is_known = Knows(type_index);
  for (const FieldInfo& field : info.edges) {
    if (field.ignored || (is_known && !LeadsToMember(*field.type))) continue;
    walk->fields.push_back({&field, field.binds || field.binds_pattern, is_known});
  }
  // Lives as long as the process, as types do.
  const detail::WalkedType* made = walk.release();
  walks_.Set(type_index, made);
  return *made;
}

}  // namespace tschema
