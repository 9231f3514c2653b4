// The rows of operators: registration, and conversion of plain numbers in calls.
#include <uir/ir/op_registry.h>
#include <uir/ir/operator_table.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace uir::ir {

namespace {

/*! \brief The rows of operators by name; never destroyed, because operators outlive it. */
class RowTable {
 public:
  static RowTable& Global() {
    static RowTable* const table = new RowTable();
    return *table;
  }

  void Add(const OperatorRow& row) {
    const std::lock_guard<std::mutex> lock(mutex_);
    rows_.emplace(row.name, &row);
  }

  const OperatorRow* Find(std::string_view name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string_view, const OperatorRow*> rows_;
};

/*! \brief `T: float`, `T: float?` for an optional operand, `T: float...` for a variadic one. */
std::string TypeInfoOf(const OperandRow& operand) {
  return operand.dtype + std::string(operand.is_optional ? "?" : operand.is_variadic ? "..." : "");
}

ffi::Array<AttrFieldInfo> ArgumentsOf(const OperatorRow& row) {
  ffi::Array<AttrFieldInfo> arguments;
  for (const OperandRow& operand : row.operands) {
    arguments.push_back(AttrFieldInfo(operand.name, TypeInfoOf(operand), operand.doc));
  }
  if (row.attrs_key != nullptr) return arguments;
  for (int32_t index = 0; index < row.attributes.size; ++index) {
    if (index == ResultAttributeOf(row)) continue;
    const AttributeRow& attribute = row.attributes[index];
    arguments.push_back(AttrFieldInfo(attribute.name, attribute.type, attribute.doc));
  }
  return arguments;
}

/*!
 * \brief The number of arguments of a call; -1 for any number.
 *
 * The attribute that holds the data type of the result is not an argument: the call has that type.
 */
int32_t NumInputsOf(const OperatorRow& row) {
  const bool is_fixed = std::none_of(
      row.operands.begin(), row.operands.end(),
      [](const OperandRow& operand) { return operand.is_variadic || operand.is_optional; });
  if (!is_fixed) return -1;
  if (row.attrs_key != nullptr) return row.operands.size;
  return row.operands.size + row.attributes.size - (ResultAttributeOf(row) >= 0 ? 1 : 0);
}

ffi::Any TraitValue(const TraitRow& trait) {
  switch (trait.kind) {
    case TraitRow::Kind::kText:
      return ffi::String(trait.text);
    case TraitRow::Kind::kNumber:
      return trait.number;
    case TraitRow::Kind::kBool:
      return trait.number != 0;
  }
  return ffi::Any();
}

/*! \brief The `tir::CallEffectKind` of an effect, which passes read. */
int64_t EffectOf(std::string_view effect) {
  constexpr std::string_view kEffects[] = {"annotation", "pure", "read_state", "update_state"};
  return std::find(std::begin(kEffects), std::end(kEffects), effect) - std::begin(kEffects);
}

void SetTraits(const Op& op, const OperatorRow& row, const ffi::String& place) {
  if (row.attrs_key != nullptr) set_op_attr(op, "attrs_key", ffi::String(row.attrs_key), place);
  for (const TraitRow& trait : row.traits) {
    set_op_attr(op, trait.name, TraitValue(trait), place);
    if (std::string_view(trait.name) == "effect") {
      set_op_attr(op, "TCallEffectKind", EffectOf(trait.text), place);
    }
  }
}

/*! \brief Whether a value is a plain number, or a tensor, for which a dialect may throw its own
 * error. */
bool IsPlain(const ffi::Any& value) {
  switch (value.type_index()) {
    case ffi::TypeIndex::kTVMFFIBool:
    case ffi::TypeIndex::kTVMFFIInt:
    case ffi::TypeIndex::kTVMFFIFloat:
    case ffi::TypeIndex::kTVMFFITensor:
      return true;
    default:
      return false;
  }
}

/*! \brief `T` for `T` and for `T: float`; empty for a class without a variable. */
std::string_view VariableOf(const OperandRow& operand) {
  const std::string_view dtype = operand.dtype;
  const std::string_view name = dtype.substr(0, dtype.find(':'));
  return !name.empty() && 'A' <= name[0] && name[0] <= 'Z' ? name : std::string_view();
}

/*! \brief The first expression among values, or None. */
ffi::Any FirstExpression(const ffi::Any& value) {
  if (const auto elements = value.as<ffi::Array<ffi::Any>>()) {
    for (const ffi::Any& element : *elements) {
      if (element != nullptr && !IsPlain(element)) return element;
    }
    return ffi::Any();
  }
  return IsPlain(value) ? ffi::Any() : value;
}

/*! \brief The expression whose data type the number at a position takes, or None. */
ffi::Any LikeOf(const OperatorRow& row, const std::vector<ffi::Any>& operands, int32_t position) {
  const std::string_view variable = VariableOf(row.operands[position]);
  for (int32_t index = 0; index < row.operands.size && !variable.empty(); ++index) {
    if (VariableOf(row.operands[index]) != variable) continue;
    ffi::Any found = FirstExpression(operands[index]);
    if (found != nullptr) return found;
  }
  return ffi::Any();
}

bool HoldsPlain(const ffi::Any& value) {
  if (IsPlain(value)) return true;
  const auto elements = value.as<ffi::Array<ffi::Any>>();
  return elements && std::any_of(elements->begin(), elements->end(), IsPlain);
}

/*! \brief The position of an operand among the arguments of the function. */
int32_t OperandPlace(const OperatorRow& row, int32_t index) {
  const int32_t position = row.operands[index].position;
  return position < 0 ? index : position;
}

ffi::Any ConstantOf(const OperatorRow& row, const ffi::Any& number, const ffi::Any& like) {
  if (row.number != nullptr) return row.number(number, like);
  return ffi::Function::GetGlobalRequired(row.number_key)(number, like);
}

ffi::Any Converted(const OperatorRow& row, const ffi::Any& value, const ffi::Any& like) {
  if (IsPlain(value)) return ConstantOf(row, value, like);
  ffi::Array<ffi::Any> elements;
  for (const ffi::Any& element : value.cast<ffi::Array<ffi::Any>>()) {
    elements.push_back(IsPlain(element) ? ConstantOf(row, element, like) : element);
  }
  return elements;
}

}  // namespace

void AddOperators(tschema::Rows<const OperatorRow*> rows, const char* place) noexcept {
  AddOpProvider([rows, place] {
    for (const OperatorRow* row : rows) RegisterOperator(*row, place);
  });
}

Op RegisterOperator(const OperatorRow& row, const ffi::String& place) {
  Op op(row.name, row.doc, ArgumentsOf(row), NumInputsOf(row));
  register_op(op, place);
  RowTable::Global().Add(row);
  SetTraits(op, row, place);
  return op;
}

const OperatorRow* FindOperatorRow(const Op& op) {
  return RowTable::Global().Find(std::string_view(op->name.data(), op->name.size()));
}

std::vector<std::string_view> ArgumentNamesOf(const OperatorRow& row) {
  std::vector<std::string_view> names(static_cast<size_t>(row.operands.size + row.attributes.size));
  for (int32_t index = 0; index < row.operands.size; ++index) {
    names[static_cast<size_t>(OperandPlace(row, index))] = row.operands[index].name;
  }
  auto place = names.begin();
  for (const AttributeRow& attribute : row.attributes) {
    place = std::find(place, names.end(), std::string_view());
    *place = attribute.name;
  }
  return names;
}

int32_t FindOperand(const OperatorRow& row, std::string_view name) {
  for (int32_t index = 0; index < row.operands.size; ++index) {
    if (row.operands[index].name == name) return index;
  }
  return -1;
}

std::string_view ResultRuleOf(const OperatorRow& row) {
  for (const TraitRow& trait : row.traits) {
    if (std::string_view(trait.name) == "result") return trait.text;
  }
  return "";
}

int32_t ResultAttributeOf(const OperatorRow& row) {
  const std::string_view rule = ResultRuleOf(row);
  for (int32_t index = 0; index < row.attributes.size; ++index) {
    if (rule == row.attributes[index].name) return index;
  }
  return -1;
}

void ConvertNumbers(const OperatorRow& row, std::vector<ffi::Any>* operands) {
  if (row.number == nullptr && row.number_key == nullptr) return;
  // From the right: of two numbers, the left one takes the data type of the right one.
  for (int32_t index = row.operands.size; index-- > 0;) {
    ffi::Any& operand = (*operands)[index];
    if (HoldsPlain(operand)) operand = Converted(row, operand, LikeOf(row, *operands, index));
  }
}

ffi::Any ListOfOne(const ffi::Any& value) {
  const bool is_one = value.type_index() == ffi::TypeIndex::kTVMFFIInt || value.as<PrimExpr>();
  if (!is_one) return value;
  return ffi::Array<ffi::Any>({value});
}

void detail::CheckLocation(const OperatorRow& row, const ffi::Any& value) {
  if (value == nullptr || value.as<Span>()) return;
  const std::string name = row.name;
  TVM_FFI_THROW(TypeError) << name << ": too many arguments: `span` must be a `uir.ir.Span`, not `"
                           << value.GetTypeKey() << "`; several values of one attribute are a "
                           << "list: `[1, 0]`";
}

std::vector<ffi::Any> detail::OperandsOf(const OperatorRow& row,
                                         const tschema::Arguments& arguments) {
  std::vector<ffi::Any> operands;
  operands.reserve(row.operands.size);
  for (int32_t index = 0; index < row.operands.size; ++index) {
    operands.push_back(arguments.Get<ffi::Any>(OperandPlace(row, index)));
  }
  ConvertNumbers(row, &operands);
  return operands;
}

int32_t detail::OperandAt(const OperatorRow& row, int32_t place) {
  if (place < row.operands.size && row.operands[place].position < 0) return place;
  for (int32_t index = 0; index < row.operands.size; ++index) {
    if (row.operands[index].position == place) return index;
  }
  return -1;
}

}  // namespace uir::ir
