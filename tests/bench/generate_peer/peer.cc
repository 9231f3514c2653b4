// A library whose objects are those of the benchmark's schema, as the peer's generator wants one.
//
// What a generator of bindings reads is the registry; a loop fills it through the C ABI, so that
// the library of 5000 types compiles in the time of one.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <string>

#ifndef COUNT
#error "COUNT is the number of types"
#endif

namespace {

constexpr int kFamily = 10;
constexpr int kInPart = 200;

struct Field {
  const char* name;
  const char* doc;
  const char* schema;  // JSON, escaped to stand in a string of JSON.
  int64_t size;
};

constexpr Field kFields[] = {
    {"first", "How many times the thing is done.", R"({\"type\":\"int\"})", 8},
    {"second", "What it is called.", R"({\"type\":\"ffi.String\"})", 16},
    {"third", "The values that it takes.",
     R"({\"type\":\"ffi.Array\",\"args\":[{\"type\":\"int\"}]})", 8},
    {"fourth", "The type of what it returns.", R"({\"type\":\"DataType\"})", 4},
    {"fifth", "How much of it there is.", R"({\"type\":\"float\"})", 8},
    {"sixth", "Whether it is done at all.", R"({\"type\":\"bool\"})", 1},
};

int GetNothing(void*, TVMFFIAny* result) {
  *result = TVMFFIAny{};
  return 0;
}

TVMFFIByteArray Bytes(const std::string& text) { return {text.data(), text.size()}; }

void RegisterField(int32_t type_index, const Field& field, int64_t offset) {
  std::string name = field.name, doc = field.doc;
  std::string metadata = std::string("{\"type_schema\":\"") + field.schema + "\"}";
  TVMFFIFieldInfo info{};
  info.name = Bytes(name);
  info.doc = Bytes(doc);
  info.metadata = Bytes(metadata);
  info.size = field.size;
  info.alignment = field.size < 8 ? field.size : 8;
  info.offset = offset;
  info.getter = GetNothing;
  info.field_static_type_index = -1;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index, &info));
}

int32_t RegisterType(int number, int32_t parent, int32_t depth) {
  std::string key =
      "many.part" + std::to_string(number / kInPart) + ".Kind" + std::to_string(number);
  std::string doc = "The node that does the " + std::to_string(number) + "th thing.";
  bool is_head = number % kFamily == 0;
  TVMFFIByteArray key_bytes = Bytes(key);
  int32_t index = TVMFFITypeGetOrAllocIndex(&key_bytes, -1, depth, 0, 1, parent);
  int64_t offset = is_head ? 24 : 48;
  for (int field = is_head ? 0 : 2; field < (is_head ? 2 : 6); ++field) {
    RegisterField(index, kFields[field], offset);
    offset += kFields[field].size < 8 ? 8 : kFields[field].size;
  }
  TVMFFITypeMetadata metadata{};
  metadata.doc = Bytes(doc);
  metadata.total_size = static_cast<int32_t>(offset);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(index, &metadata));
  return index;
}

int RegisterAll() {
  int32_t head = 0;
  for (int number = 0; number < COUNT; ++number) {
    if (number % kFamily == 0) {
      head = RegisterType(number, TVMFFITypeIndex::kTVMFFIObject, 1);
    } else {
      RegisterType(number, head, 2);
    }
  }
  return 0;
}

[[maybe_unused]] const int kDone = RegisterAll();

}  // namespace
