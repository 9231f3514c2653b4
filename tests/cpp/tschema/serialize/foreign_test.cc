// Types of code that does not use tschema: fields with getters only, hooks, tvm-ffi's enums.
#include <gtest/gtest.h>
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

#include "../support/small_stack.h"

namespace {

namespace ffi = ::tvm::ffi;
namespace json = ffi::json;
namespace refl = ffi::reflection;

/*! \brief Registered the way tvm-ffi's users do. */
class ForeignObj : public ffi::Object {
 public:
  int32_t small = 0;
  int64_t large = 0;
  ffi::String text;
  ffi::Array<int64_t> numbers;
  ffi::Optional<ffi::String> note;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign_test.Foreign", ForeignObj, ffi::Object);
};

/*! \brief Destroyed by recursion, as far as its own code goes. */
class LinkObj : public ffi::Object {
 public:
  ffi::ObjectRef next{nullptr};
  ffi::Any other;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign_test.Link", LinkObj, ffi::Object);
};

/*! \brief Knows its own data. */
class HookedObj : public ffi::Object {
 public:
  int64_t value = 0;

  HookedObj() = default;
  explicit HookedObj(int64_t value) : value(value) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign_test.Hooked", HookedObj, ffi::Object);
};

/*! \brief Has no creator. */
class OpaqueObj : public ffi::Object {
 public:
  explicit OpaqueObj(int64_t value) : value(value) {}
  int64_t value;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign_test.Opaque", OpaqueObj, ffi::Object);
};

json::Value ToData(ffi::AnyView value) { return json::Array{value.as<HookedObj>()->value, "x"}; }

ffi::Any FromData(ffi::AnyView data) {
  auto array = data.cast<json::Array>();
  if (array.size() != 2) TVM_FFI_THROW(ValueError) << "two elements are expected";
  return ffi::ObjectRef(ffi::make_object<HookedObj>(array[0].cast<int64_t>()));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ForeignObj>()
      .def_rw("small", &ForeignObj::small)
      .def_rw("large", &ForeignObj::large)
      .def_rw("text", &ForeignObj::text)
      .def_rw("numbers", &ForeignObj::numbers)
      .def_rw("note", &ForeignObj::note);
  refl::ObjectDef<LinkObj>().def_ro("next", &LinkObj::next).def_ro("other", &LinkObj::other);
  refl::ObjectDef<HookedObj>()
      .def_type_attr("__data_to_json__", ffi::Function::FromTyped(ToData))
      .def_type_attr("__data_from_json__", ffi::Function::FromTyped(FromData));
  refl::ObjectDef<OpaqueObj>(refl::init(false));
}

ffi::Any Foreign() {
  auto foreign = ffi::make_object<ForeignObj>();
  foreign->small = -5;
  foreign->large = int64_t{1} << 40;
  foreign->text = "text";
  foreign->numbers = {1, 2};
  foreign->note = ffi::String("a note that is not short");
  return ffi::ObjectRef(foreign);
}

std::string Saved(const ffi::Any& value) { return tschema::SaveJSON(value); }

std::string ErrorOf(const std::string& text) {
  try {
    tschema::LoadJSON(text);
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

TEST(ForeignTypes, RoundTripAndAgreeWithFFI) {
  ffi::Any twice = ffi::Array<ffi::Any>{Foreign(), Foreign()};
  std::string text = Saved(twice);
  EXPECT_EQ(Saved(tschema::LoadJSON(text)), text);
  ffi::Bytes data = tschema::SaveBinary(twice);
  EXPECT_EQ(Saved(tschema::LoadBinary({data.data(), data.size()})), text);
  EXPECT_EQ(
      Saved(tschema::LoadJSON(std::string(json::Stringify(ffi::ToJSONGraph(twice, nullptr))))),
      text);
  EXPECT_EQ(Saved(ffi::FromJSONGraph(json::Parse(text))), text);
}

TEST(ForeignTypes, AreChecked) {
  std::string text = Saved(Foreign());
  auto with = [&text](const std::string& part, const std::string& by) {
    std::string edited = text;
    return edited.replace(edited.find(part), part.size(), by);
  };
  EXPECT_EQ(ErrorOf(with(R"("small":-5)", R"("small":3000000000)"))
                .find("ValueError: 3000000000 is out of the range of `int32`"),
            0);
  EXPECT_EQ(ErrorOf(with(R"("text":0)", R"("text":3)")).substr(0, 9), "TypeError");
}

TEST(ForeignTypes, AreRefusedWithoutACreator) {
  ffi::Any opaque = ffi::ObjectRef(ffi::make_object<OpaqueObj>(1));
  EXPECT_THROW(Saved(opaque), ffi::Error);
  EXPECT_EQ(
      ErrorOf(R"({"nodes":[{"type":"foreign_test.Opaque","data":{"value":1}}],"root_index":0})"),
      "TypeError: objects of type `foreign_test.Opaque` cannot be made (byte 10, node 0)");
}

TEST(HookedTypes, RoundTripInBothForms) {
  ffi::Any hooked = ffi::ObjectRef(ffi::make_object<HookedObj>(7));
  std::string text = Saved(hooked);
  EXPECT_NE(text.find(R"([{"type":"foreign_test.Hooked","data":[7,"x"]}])"), std::string::npos);
  EXPECT_EQ(tschema::LoadJSON(text).as<HookedObj>()->value, 7);
  ffi::Bytes data = tschema::SaveBinary(ffi::Array<ffi::Any>{hooked, hooked, 1});
  auto loaded = tschema::LoadBinary({data.data(), data.size()}).cast<ffi::Array<ffi::Any>>();
  EXPECT_EQ(loaded[1].as<HookedObj>()->value, 7);
  EXPECT_TRUE(loaded[0].cast<ffi::ObjectRef>().same_as(loaded[1].cast<ffi::ObjectRef>()));
}

TEST(HookedTypes, KeepTheErrorsOfTheirHooks) {
  EXPECT_EQ(ErrorOf(R"({"nodes":[{"type":"foreign_test.Hooked","data":[7]}],"root_index":0})"),
            "ValueError: two elements are expected (byte 48, node 0 of type "
            "`foreign_test.Hooked`)");
  std::string deep(100000, '[');
  EXPECT_EQ(ErrorOf(R"({"nodes":[{"type":"foreign_test.Hooked","data":)" + deep),
            "ValueError: values are nested too deeply (byte 304, node 0 of type "
            "`foreign_test.Hooked`)");
}

/*! \brief A chain of links as JSON, each in one field or the other of the next. */
std::string ChainOfLinks(int depth) {
  std::string text = R"({"nodes":[{"type":"None"},{"type":"None"})";
  for (int node = 1; node <= depth; ++node) {
    std::string fields = node % 2 == 0 ? R"("next":0,"other":)" : R"("other":0,"next":)";
    text += R"(,{"type":"foreign_test.Link","data":{)" + fields + std::to_string(node) + "}}";
  }
  return text + R"(],"root_index":)" + std::to_string(depth + 1) + "}";
}

TEST(Foreign, LoadedChainsCanBeDropped) {
  RunOnSmallStack([] {
    ffi::Any chain = tschema::LoadJSON(ChainOfLinks(200'000));
    ffi::WeakObjectPtr<ffi::Object> weak(
        ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(
            chain.as<LinkObj>()->next.defined()
                ? chain.as<LinkObj>()->next
                : chain.as<LinkObj>()->other.cast<ffi::ObjectRef>()));
    chain = nullptr;
    EXPECT_TRUE(weak.expired());
  });
}

}  // namespace
