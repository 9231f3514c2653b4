/*!
 * \file layout_check.cc
 * \brief Checks the offsets, sizes and digests of the JSON IR.
 *
 * Objects are accessed by these numbers, so a wrong one would be an access out of bounds.
 */
#include <tschema/sha256.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>

#include <set>
#include <string>
#include <string_view>

#include "../reflection/structural_names.h"
#include "./checks.h"
#include "./value_type.h"

namespace tschema {
namespace dynamic {
namespace {

constexpr int64_t kPointerSize = 8;
/*! \brief Far beyond any type; sums of such numbers do not overflow. */
constexpr int64_t kLargest = 1 << 24;

[[noreturn]] void Fail(const Type& type, const std::string& what) {
  TVM_FFI_THROW(ValueError) << "the layout of type `" << type.key << "` is wrong: " << what
                            << "; generate the JSON IR anew";
  TVM_FFI_UNREACHABLE();
}

std::string Flag(bool value) { return value ? "True" : "False"; }

/*! \brief The type as the generator's digest spells it: enums like nodes, without a prefix. */
std::string DigestText(const TypeRef& ref) {
  std::string text = ref.key.empty() ? ref.kind : ref.key;
  for (const TypeRef& arg : ref.args) {
    text += (&arg == &ref.args.front() ? "[" : ", ") + DigestText(arg);
  }
  return ref.args.empty() ? text : text + "]";
}

std::string DigestLine(const Field& field) {
  return "\n" + std::to_string(field.offset) + " " + std::to_string(field.size) + " " +
         std::to_string(field.align) + " " + field.name + " " +
         DigestText(field.declared.value_or(field.type)) + " " +
         (field.structural.empty() ? "None" : field.structural);
}

/*! \brief The digest as the generator computes it. */
std::string DigestOf(const Type& type) {
  const Layout& layout = type.layout;
  std::string text = type.key + " " + type.parent;
  text += "\nsize=" + std::to_string(layout.size) + " depth=" + std::to_string(layout.depth) +
          " child_slots=" + std::to_string(layout.child_slots);
  text += "\nabstract=" + Flag(type.is_abstract) + " final=" + Flag(type.is_final) +
          " mutable=" + Flag(type.is_mutable);
  const char* structural = kStructuralNames[type.structural];
  text += std::string("\nstructural=") + (structural == nullptr ? "None" : structural);
  for (const Field& field : type.fields) text += DigestLine(field);
  for (const Field& member : type.unregistered) text += DigestLine(member);
  return Sha256(text).substr(0, 16);
}

/*! \brief The offset of the type's own fields and its depth; types without a parent come last. */
void CheckPlace(const Type& type, const Schema& schema) {
  const Type* parent = schema.Find(type.parent);
  Layout root;
  root.size = sizeof(TVMFFIObject);
  const Layout& above = parent == nullptr ? root : parent->layout;
  int64_t pointer = parent != nullptr && parent->is_polymorphic ? kPointerSize : 0;
  if (type.layout.offset != above.size - pointer)
    Fail(type, "its fields do not follow its parent's");
  if (type.layout.depth != above.depth + 1) Fail(type, "its depth is not one below its parent");
  if (parent != nullptr && parent->is_final) Fail(type, "its parent is final");
  if (type.layout.child_slots < 0 || type.layout.child_slots >= ::tschema::detail::kMaxTypes) {
    Fail(type, "its number of child slots");
  }
}

void CheckFields(const Type& type) {
  int64_t end = type.layout.offset;
  std::set<std::string_view> names;
  for (const Field& field : type.fields) {
    if (!names.insert(field.name).second) Fail(type, "field `" + field.name + "` is repeated");
    auto [size, align] = ExtentOf(field.type);
    bool is_placed = field.offset >= end && field.offset % align == 0 && field.offset <= kLargest;
    if (field.size != size || field.align != align || !is_placed) {
      Fail(type, "the place of field `" + field.name + "`");
    }
    end = field.offset + size;
  }
  const Layout& layout = type.layout;
  if (layout.size < end || layout.size % kPointerSize != 0 || layout.size > kLargest) {
    Fail(type, "its size");
  }
}

}  // namespace

void CheckLayouts(const Schema& schema) {
  for (const Type& type : schema.types) {
    CheckPlace(type, schema);
    CheckFields(type);
    std::string digest = DigestOf(type);
    if (type.layout.digest != digest) {
      Fail(type, "its digest is " + type.layout.digest + ", that of its content " + digest);
    }
  }
}

std::string PackageDigest(const Schema& schema) {
  std::set<std::string> lines;
  for (const Type& type : schema.types) lines.insert(type.key + " " + type.layout.digest + "\n");
  std::string text;
  for (const std::string& line : lines) text += line;
  return Sha256(text).substr(0, 16);
}

}  // namespace dynamic
}  // namespace tschema
