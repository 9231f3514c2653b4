// The end of an entry: it allocates the outputs, calls the function and returns its results.
#include <uir/ir/script_text.h>
#include <uir/tir/object_layout.h>

#include <string>
#include <vector>

#include "./c_types.h"
#include "./emit_entry.h"

namespace uir::target {

void EntryEmitter::Call() {
  for (size_t i = num_given_; i < signature_->params.size(); ++i) {
    const auto found = values_.find(signature_->params[i].var);
    // A size that only an output has is reported where the output is made.
    arguments_.push_back(found == values_.end() ? "0" : found->second);
  }
  num_outputs_ == 0 ? ReturnResult() : ReturnOutputs();
}

/*! \brief The call of the function, perhaps with where its result goes. */
std::string EntryEmitter::CallText(const std::string& result) const {
  std::string text;
  for (const std::string& argument : arguments_) text += (text.empty() ? "" : ", ") + argument;
  if (!result.empty()) text += (text.empty() ? "&" : ", &") + result;
  return callee_ + "(" + text + ")";
}

/*! \brief Check that there is a tensor of the extents of a buffer. */
void EntryEmitter::CheckOutput(size_t index) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  if (buffer == nullptr) return;
  for (size_t axis = 0; axis < buffer->shape.size(); ++axis) {
    const ir::PrimExpr extent = buffer->shape[static_cast<int64_t>(axis)];
    // Constants and the dimensions of inputs are not negative.
    if (extent->IsInstance<ir::IntImmNode>() || extent->IsInstance<tir::VarNode>()) continue;
    CheckDivisors(buffer, axis, extent);
    Check("check_output", NameLiteral(std::string(buffer->name)) + ", " + std::to_string(axis) +
                              ", " + NameLiteral(ir::ScriptText(extent)) + ", " +
                              sizes_.EmitSize(extent));
  }
}

/*! \brief Allocate a tensor of the extents of a buffer. */
void EntryEmitter::AllocateOutput(size_t index, const std::string& failure) {
  const Parameter& param = signature_->params[index];
  const std::string number = std::to_string(index - num_inputs());
  if (param.buffer == nullptr && ir::IsHandle(param.var->dtype)) {
    // The function allocates it when it knows its size.
    return arguments_.push_back("&outputs[" + number + "]");
  }
  if (param.buffer == nullptr) {
    return Report(param.var, "an output of a public function must be a buffer");
  }
  const ffi::Array<ir::PrimExpr>& shape = param.buffer->shape;
  std::string extents = "NULL";
  if (!shape.empty()) {
    extents = names_.Take(std::string(param.buffer->name) + "_shape");
    std::string values;
    for (const ir::PrimExpr& extent : shape) {
      values += (values.empty() ? "" : ", ") + sizes_.EmitSize(extent);
    }
    lines_.Line("int64_t " + extents + "[] = {" + values + "};");
    CheckCount(index, extents, failure);
  }
  const std::string allocate = context_->prelude()->Use("new_tensor");
  lines_.Leave(allocate + "(" + DTypeLiteral(param.buffer->dtype) + ", " +
                   std::to_string(shape.size()) + ", " + extents + ", &outputs[" + number + "])",
               failure);
  arguments_.push_back(context_->prelude()->Use("data_of") + "(&outputs[" + number + "])");
}

/*! \brief Allocate the outputs, call the function, and return the output, or an array of several.
 */
void EntryEmitter::ReturnOutputs() {
  const std::string count = std::to_string(num_outputs_);
  const std::string release = context_->prelude()->Use("release_outputs");
  const std::string failure = release + "(outputs, " + count + ")";
  const std::vector<std::string> sizes(arguments_.begin() + static_cast<int64_t>(num_inputs()),
                                       arguments_.end());
  arguments_.resize(num_inputs());
  for (size_t i = num_inputs(); i < num_given_; ++i) CheckOutput(i);
  lines_.Line("TVMFFIAny outputs[" + count + "] = {0};");
  for (size_t i = num_inputs(); i < num_given_; ++i) AllocateOutput(i, failure);
  arguments_.insert(arguments_.end(), sizes.begin(), sizes.end());
  if (signature_->result) Report(signature_->func, "a function with outputs has no result besides");
  lines_.Leave(CallText("") + " != 0", failure);
  if (num_outputs_ == 1) {
    lines_.Line("*result = outputs[0];");
    return lines_.Line("return 0;");
  }
  const std::string pack = context_->prelude()->Use("return_array");
  lines_.Line("return " + pack + "(outputs, " + count + ", result);");
}

void EntryEmitter::ReturnResult() {
  if (!signature_->result) return lines_.Line("return " + CallText("") + ";");
  const DLDataType dtype = *signature_->result;
  const std::string value = names_.Take("value");
  lines_.Line(context_->prelude()->TypeOf(dtype) + " " + value + " = 0;");
  lines_.Leave(CallText(value) + " != 0", "-1");
  if (tir::ObjectTypeOf(signature_->func->ret_type).has_value()) {
    return lines_.Line("return " + context_->prelude()->Use("return_object") + "(" + value +
                       ", result);");
  }
  const auto [kind, field] = BoxedAs(dtype);
  lines_.Line(std::string("result->type_index = ") + kind + ";");
  const std::string widen = IsBFloat16(dtype) ? context_->prelude()->Use("widen", dtype) : "";
  lines_.Line(std::string("result->") + field + " = " +
              (widen.empty() ? value : widen + "(" + value + ")") + ";");
  lines_.Line("return 0;");
}

}  // namespace uir::target
