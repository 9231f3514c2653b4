// Functions of operands and attributes in texts of operators, such as `rank(x)`.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/expr.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "./operator_formula.h"

namespace uir::transform {

namespace {

using Arguments = std::vector<ffi::Any>;

ir::TensorType TypeOf(const ffi::Any& operand) {
  const auto expr = operand.cast<ir::RelayExpr>();
  const auto type = expr->checked_type.has_value() ? expr->checked_type.value().as<ir::TensorType>()
                                                   : std::nullopt;
  if (!type) TVM_FFI_THROW(TypeError) << "the type of an operand is not that of a tensor";
  return *type;
}

/*! \brief `rank(x)`: the number of dimensions. */
ffi::Any Rank(const Arguments& arguments) {
  return static_cast<int64_t>(TypeOf(arguments[0])->shape.size());
}

/*! \brief `shape(x)`: the dimensions. */
ffi::Any ShapeOf(const Arguments& arguments) { return TypeOf(arguments[0])->shape; }

/*! \brief `dtype(x)`: the data type. */
ffi::Any DataTypeOf(const Arguments& arguments) { return TypeOf(arguments[0])->dtype; }

/*! \brief `wide(x)`: the data type of computations on elements, `float32` for 16 bits. */
ffi::Any WideTypeOf(const Arguments& arguments) {
  const DLDataType dtype = TypeOf(arguments[0])->dtype;
  return ir::IsFloat(dtype) && dtype.bits == 16 ? ir::FloatType(32) : dtype;
}

/*! \brief `bits(x)`: the width of an element. */
ffi::Any BitsOf(const Arguments& arguments) {
  return static_cast<int64_t>(TypeOf(arguments[0])->dtype.bits);
}

/*! \brief `is_float(x)`: whether elements are floating-point numbers. */
ffi::Any HasFloats(const Arguments& arguments) { return ir::IsFloat(TypeOf(arguments[0])->dtype); }

/*! \brief `size(x, axes)`: the number of elements along axes (None means all axes); None if a
 * dimension is not constant. */
ffi::Any SizeOfArgument(const Arguments& arguments) {
  const ir::TensorType type = TypeOf(arguments[0]);
  const auto rank = static_cast<int64_t>(type->shape.size());
  const auto axes = arguments[1].as<ffi::Array<int64_t>>();
  int64_t size = 1;
  for (int64_t i = 0; i < rank; ++i) {
    const bool counts = !axes || std::any_of(axes->begin(), axes->end(), [&](int64_t axis) {
      return axis == i || axis + rank == i;
    });
    if (!counts) continue;
    const std::optional<int64_t> extent = ir::IntegerOf(type->shape[i]);
    if (!extent) return nullptr;
    size *= *extent;
  }
  return size;
}

/*! \brief `range(start, stop)`: the integers from `start` up to, but without, `stop`. */
ffi::Any Range(const Arguments& arguments) {
  ffi::Array<int64_t> values;
  for (auto i = arguments[0].cast<int64_t>(); i < arguments[1].cast<int64_t>(); ++i) {
    values.push_back(i);
  }
  return values;
}

/*! \brief `is_given(x)`: whether an operand is present, or a number known. */
ffi::Any IsGiven(const Arguments& arguments) { return arguments[0] != nullptr; }

/*! \brief `permutation(x, axes)`: the axes from 0; reversed if None. */
std::vector<int64_t> Permutation(const ffi::Any& axes, int64_t rank) {
  std::vector<int64_t> result;
  const auto given = axes.as<ffi::Array<int64_t>>();
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t axis = given ? (*given)[i] : rank - 1 - i;
    result.push_back(axis < 0 ? axis + rank : axis);
  }
  return result;
}

/*! \brief `compose(x, first, second)`: the composition of two permutations. */
ffi::Any Compose(const Arguments& arguments) {
  const auto rank = static_cast<int64_t>(TypeOf(arguments[0])->shape.size());
  const std::vector<int64_t> first = Permutation(arguments[1], rank);
  ffi::Array<int64_t> result;
  for (int64_t axis : Permutation(arguments[2], rank)) {
    result.push_back(first[static_cast<size_t>(axis)]);
  }
  return result;
}

/*! \brief `is_identity(x, axes)`: whether a transposition moves no axis. */
ffi::Any IsIdentity(const Arguments& arguments) {
  const auto rank = static_cast<int64_t>(TypeOf(arguments[0])->shape.size());
  const std::vector<int64_t> axes = Permutation(arguments[1], rank);
  return std::is_sorted(axes.begin(), axes.end());
}

/*! \brief `are_positive(steps)`: whether all integers are positive; None means that all are 1. */
ffi::Any ArePositive(const Arguments& arguments) {
  const auto steps = arguments[0].as<ffi::Array<int64_t>>();
  return !steps || std::all_of(steps->begin(), steps->end(), [](int64_t step) { return step > 0; });
}

/*! \brief `are_zero(amounts)`: whether all dimensions are the constant 0. */
ffi::Any AreZero(const Arguments& arguments) {
  const auto amounts = arguments[0].cast<ffi::Array<ffi::Any>>();
  return std::all_of(amounts.begin(), amounts.end(),
                     [](const ffi::Any& amount) { return ir::IntegerOf(amount) == 0; });
}

/*! \brief The bits of the integers that a data type holds exactly, without the sign. */
int ExactBits(DLDataType dtype) {
  if (ir::IsBool(dtype)) return 1;
  if (dtype.code == kDLInt) return dtype.bits - 1;
  if (dtype.code == kDLUInt) return dtype.bits;
  if (dtype.code == kDLBfloat) return 8;
  return dtype.bits == 16 ? 11 : dtype.bits == 32 ? 24 : 53;
}

bool IsSigned(DLDataType dtype) { return dtype.code != kDLUInt && !ir::IsBool(dtype); }
bool IsReal(DLDataType dtype) { return dtype.code == kDLFloat || dtype.code == kDLBfloat; }

/*! \brief Whether a cast keeps every value. */
bool KeepsValues(DLDataType from, DLDataType to) {
  if (ir::IsBool(to)) return ir::IsBool(from);
  if (IsSigned(from) && !IsSigned(to)) return false;
  if (IsReal(from)) {
    const bool has_range = to.bits > from.bits || from == to;
    return IsReal(to) && has_range;
  }
  return ExactBits(from) <= ExactBits(to);
}

/*! \brief `is_lossless(x, middle, last)`: whether a cast to `middle` before one to `last` makes no
 * difference. */
ffi::Any IsLossless(const Arguments& arguments) {
  const DLDataType from = TypeOf(arguments[0])->dtype;
  const auto middle = arguments[1].cast<DLDataType>();
  const auto last = arguments[2].cast<DLDataType>();
  // A detour through a real type stays if the last integer type does not hold all values.
  const bool is_cut = !IsReal(from) && IsReal(middle) && !IsReal(last) && !KeepsValues(from, last);
  return KeepsValues(from, middle) && !is_cut;
}

ffi::Any IsAll(const Arguments& arguments) { return IsUniform(arguments[0], arguments[1]); }

struct NamedFunction {
  std::string_view name;
  AttributeFunction function;
};

constexpr NamedFunction kFunctions[] = {
    {"bits", &BitsOf},
    {"are_positive", &ArePositive},
    {"are_zero", &AreZero},
    {"compose", &Compose},
    {"dtype", &DataTypeOf},
    {"is_all", &IsAll},
    {"is_float", &HasFloats},
    {"is_given", &IsGiven},
    {"is_identity", &IsIdentity},
    {"is_lossless", &IsLossless},
    {"range", &Range},
    {"rank", &Rank},
    {"shape", &ShapeOf},
    {"size", &SizeOfArgument},
    {"wide", &WideTypeOf},
};

}  // namespace

AttributeFunction FindAttributeFunction(std::string_view name) {
  for (const NamedFunction& known : kFunctions) {
    if (known.name == name) return known.function;
  }
  return nullptr;
}

bool IsUniform(const ffi::Any& value, const ffi::Any& number) {
  const auto constant = value.as<relay::Constant>();
  if (!constant || (*constant)->data.numel() == 0) return false;
  const ffi::Tensor& data = (*constant)->data;
  const DLDataType dtype = data.dtype();
  const auto real = number.as<double>();
  const bool is_real = real && !number.as<int64_t>();
  if (is_real && !IsReal(dtype)) return false;
  const auto integer = number.as<int64_t>();
  if (ir::IsBool(dtype) && integer && (*integer < 0 || *integer > 1)) return false;
  if (dtype.code == kDLUInt && integer && *integer < 0) return false;
  const relay::Constant expected = relay::constant({number}, {}, dtype);
  const size_t size = static_cast<size_t>(dtype.bits * dtype.lanes + 7) / 8;
  const auto* elements = static_cast<const char*>(data.data_ptr());
  const bool is_first = std::memcmp(elements, expected->data.data_ptr(), size) == 0;
  const auto rest = static_cast<size_t>(data.numel() - 1) * size;
  return is_first && std::memcmp(elements, elements + size, rest) == 0;
}

}  // namespace uir::transform
