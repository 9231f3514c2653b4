// Parameters of recipes, from the table of the library.
#include "./parameters.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <uir/ir/near_names.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace uir::schedule {

namespace {

namespace json = ffi::json;

constexpr char kTable[] =
#include "schedule_parameters.inc"
    ;

const json::Object& Table() {
  static const json::Object table = json::Parse(kTable).cast<json::Object>();
  return table;
}

std::string Native() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return "x86-64-v4";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64-v3";
#endif
  return "generic";
}

bool FitsRow(const json::Object& row, const char* name, const ffi::String& value) {
  const auto found = row.at(ffi::String(name)).cast<ffi::String>();
  return found == "*" || found == value;
}

/*! \brief The same of a row of a user, who may leave out what fits all. */
bool MayFit(const ffi::Map<ffi::String, ffi::Any>& row, const char* name,
            const ffi::String& value) {
  const auto found = row.find(name);
  if (found == row.end()) return true;
  const auto wanted = (*found).second.cast<ffi::String>();
  return wanted == "*" || wanted == value;
}

constexpr std::array<const char*, 4> kKeys = {"recipe", "isa", "dtype", "shape"};

bool IsKey(const ffi::String& name) {
  return std::any_of(kKeys.begin(), kKeys.end(), [&](const char* key) { return name == key; });
}

/*! \brief The values of a key in the rows of a recipe; for no key, the names of its parameters. */
std::vector<std::string> Known(const char* key, const std::string& recipe) {
  std::set<std::string> known;
  for (const ffi::Any& any : Table().at(ffi::String("rows")).cast<json::Array>()) {
    const auto row = any.cast<json::Object>();
    if (!recipe.empty() && row.at(ffi::String("recipe")).cast<ffi::String>() != recipe) continue;
    if (key != nullptr) {
      known.insert(row.at(ffi::String(key)).cast<ffi::String>());
      continue;
    }
    for (const auto& [name, value] : row) {
      if (value.as<int64_t>()) known.insert(name.cast<ffi::String>());
    }
  }
  return {known.begin(), known.end()};
}

/*! \brief A row of a user, and its place for error messages. */
class RowCheck {
 public:
  RowCheck(const ffi::Map<ffi::String, ffi::Any>& row, std::string place)
      : row_(row), place_(std::move(place)) {}

  void Run() const {
    if (row_.count("recipe") == 0) Fail("the key `recipe` is missing");
    CheckWord("recipe", Known("recipe", ""));
    if (row_.count("isa") != 0) CheckWord("isa", InstructionSets());
    const std::string recipe = row_.at("recipe").cast<ffi::String>();
    std::vector<std::string> shapes = Known("shape", recipe);
    shapes.emplace_back("*");
    const bool is_any = shapes.size() == 2 && shapes[0] == "*";
    if (row_.count("shape") != 0 && !is_any) CheckWord("shape", shapes);
    if (row_.count("dtype") != 0) CheckDataType();
    const std::vector<std::string> parameters = Known(nullptr, recipe);
    for (const auto& [name, value] : row_) {
      if (!IsKey(name)) CheckNumber(name, value, parameters);
    }
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    TVM_FFI_THROW(ValueError) << place_ << ": " << why;
    TVM_FFI_UNREACHABLE();
  }

  static std::vector<std::string> InstructionSets() {
    std::vector<std::string> names = {"*"};
    const auto known = Table().at(ffi::String("vector_bytes")).cast<json::Object>();
    for (const auto& [name, bytes] : known) names.emplace_back(name.cast<ffi::String>());
    return names;
  }

  std::string Word(const char* key) const {
    const auto word = row_.at(key).as<ffi::String>();
    if (!word) Fail("`" + std::string(key) + "` must be a string");
    return *word;
  }

  void CheckWord(const char* key, const std::vector<std::string>& known) const {
    const std::string word = Word(key);
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "`" : ", `") + one + "`";
    const std::string near = ir::DidYouMean(word, known);
    Fail("`" + std::string(key) + "` must be one of " + list + ", got `" + word + "`" + near);
  }

  void CheckDataType() const {
    const std::string word = Word("dtype");
    if (word == "*") return;
    try {
      ffi::StringToDLDataType(word);
    } catch (const ffi::Error&) {
      Fail("`dtype` must be a data type such as `float32`, got `" + word + "`");
    }
  }

  void CheckNumber(const std::string& name, const ffi::Any& value,
                   const std::vector<std::string>& known) const {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::vector<std::string> all = known;
      all.insert(all.end(), kKeys.begin(), kKeys.end());
      std::string list;
      for (const std::string& one : known) list += (list.empty() ? "`" : ", `") + one + "`";
      const std::string near = ir::DidYouMean(name, all);
      Fail("`" + name + "` is not a parameter of this recipe" +
           (near.empty() ? "; it has " + list : near));
    }
    const auto number =
        value.type_index() == ffi::TypeIndex::kTVMFFIInt ? value.as<int64_t>() : std::nullopt;
    if (!number) Fail("`" + name + "` must be an integer");
    try {
      CheckParameter(name, *number);
    } catch (const ffi::Error& error) {
      Fail(error.message());
    }
  }

  const ffi::Map<ffi::String, ffi::Any>& row_;
  std::string place_;
};

}  // namespace

void CheckRows(const TunedRows& rows, const std::string& source) {
  for (size_t i = 0; i < rows.size(); ++i) {
    RowCheck(rows[i], source + ": row " + std::to_string(i)).Run();
  }
}

std::string ResolveInstructionSet(const ffi::String& isa) {
  if (isa == "native") return Native();
  const auto known = Table().at(ffi::String("vector_bytes")).cast<json::Object>();
  if (known.count(isa) != 0) return isa;
  TVM_FFI_THROW(ValueError) << "`isa` must be one of `native`, `generic`, `x86-64-v3`, "
                               "`x86-64-v4`, `aarch64`, got `"
                            << isa << "`";
  TVM_FFI_UNREACHABLE();
}

int VectorLanes(const std::string& isa, DLDataType dtype) {
  const auto bytes = Table().at(ffi::String("vector_bytes")).cast<json::Object>();
  const auto register_bytes = bytes.at(ffi::String(isa)).cast<int64_t>();
  return static_cast<int>(std::max<int64_t>(register_bytes * 8 / std::max<int>(dtype.bits, 8), 1));
}

int64_t ParameterTable::Get(const ParameterKey& key, const char* name) const {
  const ffi::String dtype = ffi::DLDataTypeToString(key.dtype);
  for (const auto& row : tuned_) {
    const bool fits = MayFit(row, "recipe", key.recipe) && MayFit(row, "isa", isa_) &&
                      MayFit(row, "dtype", dtype) && MayFit(row, "shape", key.shape);
    if (fits && row.count(name) != 0) return row.at(name).cast<int64_t>();
  }
  for (const ffi::Any& any : Table().at(ffi::String("rows")).cast<json::Array>()) {
    const auto row = any.cast<json::Object>();
    if (FitsRow(row, "recipe", key.recipe) && FitsRow(row, "isa", isa_) &&
        FitsRow(row, "dtype", dtype) && FitsRow(row, "shape", key.shape)) {
      return row.at(ffi::String(name)).cast<int64_t>();
    }
  }
  TVM_FFI_THROW(InternalError) << "no row of parameters.json fits the recipe `" << key.recipe
                               << "`";
  TVM_FFI_UNREACHABLE();
}

void CheckParameter(const std::string& name, int64_t value) {
  const auto ranges = Table().at(ffi::String("ranges")).cast<json::Object>();
  const bool is_known = ranges.count(ffi::String(name)) != 0;
  const ffi::String key(is_known ? name : "*");
  const auto range = ranges.at(key).cast<json::Array>();
  const auto least = range[0].cast<int64_t>(), most = range[1].cast<int64_t>();
  if (least <= value && value <= most) return;
  TVM_FFI_THROW(ValueError) << "`" << name << "` must be from " << least << " to " << most
                            << ", got " << value;
}

}  // namespace uir::schedule
