// Operators that packages without compiled code declare; their rows live as long as the process.
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <uir/ir/declared_operator.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/stored_call.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

using Data = ffi::Map<ffi::String, ffi::Any>;

/*! \brief The row of an operator, with the memory for all its texts. */
struct OwnedRow {
  std::deque<std::string> texts;
  std::vector<OperandRow> operands;
  std::vector<AttributeRow> attributes;
  std::vector<TraitRow> traits;
  std::deque<std::vector<UpgradedArgument>> upgraded;
  std::deque<StoredCallRow> stored_calls;
  OperatorRow row;

  /*! \brief Store a text of a declaration; empty if absent. */
  const char* Text(const Data& data, const char* name) {
    const auto found = data.find(name);
    return Keep(found == data.end() ? ffi::String() : (*found).second.cast<ffi::String>());
  }

  const char* Keep(const ffi::String& text) { return texts.emplace_back(text).c_str(); }
};

bool FlagOf(const Data& data, const char* name) {
  const auto found = data.find(name);
  return found != data.end() && (*found).second.cast<bool>();
}

int32_t PositionOf(const Data& operand) {
  const auto found = operand.find("position");
  return found == operand.end() ? -1 : (*found).second.cast<int32_t>();
}

ffi::Array<Data> ListOf(const Data& data, const char* name) {
  const auto found = data.find(name);
  return found == data.end() ? ffi::Array<Data>() : (*found).second.cast<ffi::Array<Data>>();
}

TraitRow TraitOf(const char* name, const ffi::Any& value, OwnedRow* owned) {
  if (const auto text = value.as<ffi::String>()) return TraitRow(name, owned->Keep(*text));
  if (value.type_index() == ffi::TypeIndex::kTVMFFIBool) return TraitRow(name, value.cast<bool>());
  return TraitRow(name, value.cast<int64_t>());
}

template <typename Row>
tschema::Rows<Row> RowsOf(const std::vector<Row>& rows) {
  tschema::Rows<Row> slice;
  slice.data = rows.data();
  slice.size = static_cast<int32_t>(rows.size());
  return slice;
}

UpgradedArgument UpgradedOf(const Data& argument, OwnedRow* owned) {
  using Kind = UpgradedArgument::Kind;
  const auto stored = argument.find("stored");
  if (stored != argument.end()) return {Kind::kStored, (*stored).second.cast<int64_t>()};
  const auto constant = argument.find("constant");
  if (constant == argument.end()) return {};
  const ffi::Any value = (*constant).second;
  if (const auto text = value.as<ffi::String>()) return {Kind::kText, owned->Keep(*text)};
  if (const auto real = value.as<double>()) return {Kind::kFloat, *real};
  const bool is_bool = value.type_index() == ffi::TypeIndex::kTVMFFIBool;
  return {is_bool ? Kind::kBool : Kind::kInt, value.cast<int64_t>()};
}

void AddStoredForm(const Data& form, OwnedRow* owned) {
  StoredCallRow& row = owned->stored_calls.emplace_back();
  row.op = owned->row.name;
  row.name = owned->Text(form, "name");
  const auto count = form.find("num_arguments");
  if (count == form.end()) return;
  row.num_arguments = (*count).second.cast<int32_t>();
  std::vector<UpgradedArgument>& arguments = owned->upgraded.emplace_back();
  for (const Data& argument : ListOf(form, "arguments")) {
    arguments.push_back(UpgradedOf(argument, owned));
  }
  row.arguments = RowsOf(arguments);
}

OwnedRow* MakeRow(const Data& data) {
  auto* const owned = new OwnedRow();
  for (const Data& operand : ListOf(data, "operands")) {
    owned->operands.push_back({owned->Text(operand, "name"), owned->Text(operand, "dtype"),
                               owned->Text(operand, "doc"), FlagOf(operand, "optional"),
                               FlagOf(operand, "variadic"), PositionOf(operand)});
  }
  for (const Data& attribute : ListOf(data, "attributes")) {
    owned->attributes.push_back({owned->Text(attribute, "name"), owned->Text(attribute, "type"),
                                 owned->Text(attribute, "doc")});
  }
  const auto traits = data.find("traits");
  if (traits != data.end()) {
    for (const auto& [name, value] : (*traits).second.cast<Data>()) {
      owned->traits.push_back(TraitOf(owned->Keep(name), value, owned));
    }
  }
  OperatorRow& row = owned->row;
  row.name = owned->Text(data, "name");
  row.doc = owned->Text(data, "doc");
  row.operands = RowsOf(owned->operands);
  row.attributes = RowsOf(owned->attributes);
  if (data.count("attrs_key") != 0) row.attrs_key = owned->Text(data, "attrs_key");
  row.traits = RowsOf(owned->traits);
  if (data.count("number") != 0) row.number_key = owned->Text(data, "number");
  for (const Data& form : ListOf(data, "stored_calls")) AddStoredForm(form, owned);
  return owned;
}

}  // namespace

Op register_operator(ffi::Map<ffi::String, ffi::Any> declaration, ffi::String place) {
  const OwnedRow& owned = *MakeRow(declaration);
  const Op op = RegisterOperator(owned.row, place);
  for (const StoredCallRow& form : owned.stored_calls) AddStoredCall(form);
  return op;
}

ffi::Array<ffi::Any> convert_numbers(Op op, ffi::Array<ffi::Any> operands) {
  const OperatorRow* row = FindOperatorRow(op);
  if (row == nullptr || static_cast<int32_t>(operands.size()) != row->operands.size) {
    TVM_FFI_THROW(ValueError) << "convert_numbers: operator `" << op->name
                              << "` is not declared with " << operands.size() << " operands";
  }
  std::vector<ffi::Any> converted(operands.begin(), operands.end());
  ConvertNumbers(*row, &converted);
  return ffi::Array<ffi::Any>(converted.begin(), converted.end());
}

}  // namespace uir::ir
