// Types that are declared in JSON alone, seen from C++: made, filled in, copied, destroyed.
#include <gtest/gtest.h>
#include <tschema/load_types.h>
#include <tschema/sha256.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <string>

#include "tschema/support/depth.h"
#include "tschema/support/small_stack.h"

namespace {

namespace ffi = ::tvm::ffi;
using tschema::TypeInfo;

constexpr const char* kSchema = R"({"version": 1, "package": "declared_test", "namespaces": [
  {"name": "declared_test", "file": "nodes", "source": "schema/nodes.py", "types": [
    {"name": "LinkNode", "key": "declared_test.Link", "ref": "Link", "parent": "ffi.Object",
     "options": {"final": true, "mutable": true},
     "fields": [
       {"name": "next", "type": {"kind": "Optional", "args": [{"kind": "Object"}]},
        "offset": 24, "size": 8, "align": 8},
       {"name": "level", "type": {"kind": "uint8"}, "default": {"value": 3},
        "offset": 32, "size": 1},
       {"name": "text", "type": {"kind": "String"}, "default": {"value": ""},
        "offset": 40, "size": 16, "align": 8}],
     "init": ["next", "level", "text"],
     "layout": {"size": 56, "offset": 24, "depth": 1, "child_slots": 0, "padded": false,
                "digest": "08929105c90cb4ed"}}]}]})";

/*! \brief The constructor, after the types were loaded at the latest now. */
ffi::Function Link() {
  tschema::LoadTypes(kSchema, "test.json");
  return ffi::Function::GetGlobalRequired("declared_test.Link");
}

ffi::ObjectRef Make(ffi::Any next) { return Link()(next).cast<ffi::ObjectRef>(); }

TEST(LoadTypes, RegistersOnce) {
  Link();
  EXPECT_FALSE(tschema::LoadTypes(kSchema, "again.json"));
  EXPECT_TRUE(ffi::Function::GetGlobal("tschema.package_digest").has_value());
}

TEST(LoadTypes, DescribesTypesLikeCompiledOnes) {
  const TypeInfo& info = tschema::TypeInfoOf(Make(nullptr).get());
  ASSERT_EQ(info.fields.size(), 3u);
  EXPECT_EQ(info.key, "declared_test.Link");
  EXPECT_EQ(info.size, 56);
  EXPECT_TRUE(info.is_concrete);
  EXPECT_EQ(info.fields[0].kind, tschema::FieldKind::kObject);
  EXPECT_EQ(info.fields[1].kind, tschema::FieldKind::kUInt8);
  EXPECT_EQ(info.fields[2].kind, tschema::FieldKind::kString);
  EXPECT_EQ(info.fields[1].MakeDefault().cast<int>(), 3);
}

TEST(LoadTypes, MakesEmptyObjectsForLoaders) {
  const TypeInfo& info = tschema::TypeInfoOf(Make(nullptr).get());
  ffi::ObjectPtr<ffi::Object> made = info.Create();
  EXPECT_EQ(info.fields[0].Read(made.get()), nullptr);
  EXPECT_EQ(info.fields[2].Read(made.get()).cast<ffi::String>(), "");
  info.fields[0].Write(made.get(), Make(nullptr));
  info.fields[1].Write(made.get(), 255);
  info.fields[2].Write(made.get(), ffi::String("longer than a word or two"));
  EXPECT_EQ(info.fields[1].Get<uint8_t>(made.get()), 255);
  EXPECT_THROW(info.fields[1].Write(made.get(), 256), ffi::Error);
  EXPECT_THROW(info.fields[0].Write(made.get(), 1), ffi::Error);
  EXPECT_EQ(info.fields[1].Get<uint8_t>(made.get()), 255);
}

TEST(LoadTypes, CopiesShareChildren) {
  ffi::ObjectRef child = Make(nullptr);
  ffi::ObjectRef link = Make(child);
  ffi::reflection::TypeAttrColumn column("__ffi_shallow_copy__");
  auto copy = column[link.type_index()].cast<ffi::Function>()(link).cast<ffi::ObjectRef>();
  EXPECT_EQ(child.use_count(), 3);
  EXPECT_FALSE(copy.same_as(link));
  link = ffi::ObjectRef();
  copy = ffi::ObjectRef();
  EXPECT_EQ(child.use_count(), 1);
}

TEST(LoadTypes, RefusesWithoutKeepingAnything) {
  ffi::ObjectRef child = Make(nullptr);
  EXPECT_THROW(Link()(child, 256), ffi::Error);
  EXPECT_THROW(Link()(child, 1, 2), ffi::Error);
  EXPECT_THROW(Link()(child, 1, "text", "more"), ffi::Error);
  EXPECT_EQ(child.use_count(), 1);
}

TEST(LoadTypes, OutlivesWeakReferences) {
  ffi::ObjectRef child = Make(nullptr);
  ffi::ObjectRef link = Make(child);
  ffi::WeakObjectPtr<ffi::Object> weak(
      ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(link));
  link = ffi::ObjectRef();
  EXPECT_EQ(weak.lock(), nullptr);
  EXPECT_EQ(child.use_count(), 1);
}

TEST(LoadTypes, DestroysManyLevels) {
  RunOnSmallStack([] {
    ffi::Function link = Link();
    ffi::Any chain;
    for (int level = 0; level < kDeep; ++level) chain = link(chain);
    chain = nullptr;
  });
}

TEST(LoadTypes, RefusesOtherLayouts) {
  Link();
  std::string other = kSchema;
  other.replace(other.find("\"mutable\": true"), 15, "\"mutable\": false");
  EXPECT_THROW(tschema::LoadTypes(other, "other.json"), ffi::Error);
  EXPECT_THROW(tschema::LoadTypes("[]", "list.json"), ffi::Error);
  EXPECT_THROW(tschema::LoadTypes("{", "broken.json"), ffi::Error);
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(tschema::Sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(tschema::Sha256(std::string(1000, 'a')),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

}  // namespace
