// Types of calls of functions: matches parameters with arguments, which bind the dimensions.
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/ir/script_text.h>
#include <uir/relay/infer.h>

#include <algorithm>
#include <string>

#include "./relation.h"

namespace uir::relay {

namespace {

using Values = ffi::Map<ir::PrimExpr, ir::PrimExpr>;

class ArgumentMatcher {
 public:
  explicit ArgumentMatcher(TypeContext* context) : context_(context) {}

  /*! \brief Bind the variables that are dimensions of a type, before other types use them. */
  void Bind(const ir::Type& expected, const ir::Type& found) {
    const auto* tensor = expected.as<ir::TensorTypeNode>();
    const auto* found_tensor = found.as<ir::TensorTypeNode>();
    if (tensor != nullptr && found_tensor != nullptr &&
        tensor->shape.size() == found_tensor->shape.size()) {
      for (size_t i = 0; i < tensor->shape.size(); ++i) {
        const ir::PrimExpr dimension = tensor->shape[static_cast<int64_t>(i)];
        const bool is_new = context_->IsVariable(dimension) && values_.count(dimension) == 0;
        if (is_new) values_.Set(dimension, found_tensor->shape[static_cast<int64_t>(i)]);
      }
    }
    const auto* tuple = expected.as<ir::TupleTypeNode>();
    const auto* found_tuple = found.as<ir::TupleTypeNode>();
    if (tuple == nullptr || found_tuple == nullptr) return;
    for (size_t i = 0; i < std::min(tuple->fields.size(), found_tuple->fields.size()); ++i) {
      const auto at = static_cast<int64_t>(i);
      Bind(tuple->fields[at], found_tuple->fields[at]);
    }
  }

  void Match(const ir::Type& expected, const ir::Type& found, const std::string& path) {
    const auto* tensor = expected.as<ir::TensorTypeNode>();
    const auto* found_tensor = found.as<ir::TensorTypeNode>();
    if (tensor != nullptr && found_tensor != nullptr) {
      return MatchTensor(tensor, found_tensor, path);
    }
    const auto* tuple = expected.as<ir::TupleTypeNode>();
    const auto* found_tuple = found.as<ir::TupleTypeNode>();
    if (tuple != nullptr && found_tuple != nullptr &&
        tuple->fields.size() == found_tuple->fields.size()) {
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        Match(tuple->fields[at], found_tuple->fields[at], path + "[" + std::to_string(i) + "]");
      }
      return;
    }
    if (tschema::StructuralEqual(expected, found)) return;
    Fail(path, ir::ScriptText(found), ir::ScriptText(expected));
  }

  void Require(const ir::PrimExpr& condition) {
    if (context_->Require(context_->Substitute(condition, values_))) return;
    TVM_FFI_THROW(TypeError) << "the function assumes `" << ir::ScriptText(condition)
                             << "`, which does not hold for the arguments";
  }

  ir::Type Substitute(const ir::Type& type) const {
    if (const auto* tensor = type.as<ir::TensorTypeNode>()) {
      return ir::TensorType(SubstituteShape(tensor->shape), tensor->dtype);
    }
    const auto* tuple = type.as<ir::TupleTypeNode>();
    if (tuple == nullptr) return type;
    ffi::Array<ir::Type> fields;
    for (const ir::Type& field : tuple->fields) fields.push_back(Substitute(field));
    return ir::TupleType(std::move(fields));
  }

 private:
  [[noreturn]] static void Fail(const std::string& path, const std::string& found,
                                const std::string& expected) {
    TVM_FFI_THROW(TypeError) << path << " has type `" << found << "`, expected `" << expected
                             << "`";
    TVM_FFI_UNREACHABLE();
  }

  Shape SubstituteShape(const Shape& shape) const {
    Shape result;
    for (const ir::PrimExpr& dimension : shape) {
      result.push_back(context_->Substitute(dimension, values_));
    }
    return result;
  }

  void MatchTensor(const ir::TensorTypeNode* expected, const ir::TensorTypeNode* found,
                   const std::string& path) {
    if (expected->dtype != found->dtype) {
      TVM_FFI_THROW(TypeError) << path << " has data type `" << found->dtype << "`, expected `"
                               << expected->dtype << "`";
    }
    if (expected->shape.size() != found->shape.size()) {
      TVM_FFI_THROW(TypeError) << path << " has shape " << ToText(found->shape) << ", expected "
                               << ToText(expected->shape);
    }
    for (size_t i = 0; i < expected->shape.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      MatchDimension(expected->shape[at], found->shape[at], i, path);
    }
  }

  void MatchDimension(const ir::PrimExpr& expected, const ir::PrimExpr& found, size_t at,
                      const std::string& path) {
    const ir::PrimExpr value = context_->Substitute(expected, values_);
    if (context_->RequireEqual(value, found)) return;
    TVM_FFI_THROW(TypeError) << path << ": dimension " << at << " is " << ir::ScriptText(found)
                             << ", expected " << ir::ExtentText(value) << " for `"
                             << ir::ScriptText(expected) << "`";
  }

  Values values_;
  TypeContext* context_;
};

}  // namespace

ir::Type InferFunctionCall(const ir::FuncType& type, const ffi::Array<ir::Type>& arguments,
                           TypeContext* context, const ffi::Array<ir::PrimExpr>& conditions,
                           const std::vector<std::string>& names) {
  if (type->arg_types.size() != arguments.size()) {
    TVM_FFI_THROW(TypeError) << "the function takes " << type->arg_types.size()
                             << " arguments, got " << arguments.size();
  }
  ArgumentMatcher matcher(context);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    matcher.Bind(type->arg_types[at], arguments[at]);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    matcher.Match(type->arg_types[at], arguments[at],
                  names.empty() ? "argument " + std::to_string(i) : names[i]);
  }
  for (const ir::PrimExpr& condition : conditions) matcher.Require(condition);
  return matcher.Substitute(type->ret_type);
}

void CheckArgument(const ir::Type& expected, const ir::Type& found, const std::string& what,
                   TypeContext* context) {
  ArgumentMatcher(context).Match(expected, found, what);
}

}  // namespace uir::relay
