// The entries of public functions.
#include "./emit_entry.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/tir/fallible_divisions.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/object_layout.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>

#include "./c_types.h"

namespace uir::target {

/*! \brief More tensors than these are compared in a loop. */
static constexpr size_t kManyTensors = 32;

namespace {

/*! \brief The greatest value of a variable as a literal. */
std::string MaxLiteral(DLDataType dtype) { return IntLiteral(ir::MaxValue(dtype), dtype); }

/*! \brief The longest list of parameters in a message, which has room for 512 bytes. */
constexpr size_t kLongestList = 320;

/*! \brief A parameter as its caller sees it, such as `x`: float32 (n, 4). */
std::string ParameterText(const Parameter& param) {
  if (param.buffer == nullptr) {
    const ffi::Optional<tir::ObjectType> object = tir::ObjectTypeOf(param.var->type_annotation);
    const std::string type = object.has_value() ? std::string(object.value()->key)
                             : ir::IsHandle(param.var->dtype)
                                 ? "pointer"
                                 : std::string(ffi::DLDataTypeToString(param.var->dtype));
    return "`" + std::string(param.var->name) + "`: " + type;
  }
  std::string dims;
  for (const ir::PrimExpr& dim : param.buffer->shape) {
    dims += (dims.empty() ? "" : ", ") + ir::ExtentText(dim);
  }
  return "`" + std::string(param.buffer->name) +
         "`: " + std::string(ffi::DLDataTypeToString(param.buffer->dtype)) + " (" + dims + ")";
}

/*! \brief The statements of a body, in order. */
ffi::Array<tir::Stmt> StatementsOf(const tir::Stmt& body) {
  const auto* sequence = body.as<tir::SeqStmtNode>();
  return sequence != nullptr ? sequence->seq : ffi::Array<tir::Stmt>{body};
}

/*! \brief Whether a function only reads a buffer. */
bool IsRead(const Parameter& param) { return param.type.rfind("const ", 0) == 0; }

}  // namespace

EntryEmitter::EntryEmitter(ModuleContext* context, const Signature* signature, std::string callee,
                           std::string symbol, size_t num_outputs)
    : context_(context),
      signature_(signature),
      callee_(std::move(callee)),
      symbol_(std::move(symbol)),
      num_given_(signature->params.size() - signature->num_sizes),
      num_outputs_(num_outputs),
      unshared_(*signature),
      sizes_(context, &unshared_) {
  unshared_.shared.clear();
}

std::string EntryEmitter::Run() {
  context_->prelude()->Use("tvm_ffi");
  names_.Open();
  lines_.Open("ENTRY __tvm_ffi_" + symbol_ +
              "(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {");
  if (!context_->machine_check().empty()) CheckMachine();
  FindObjectTypes();
  Check("check_num_args",
        std::to_string(num_inputs()) + ", " + NameLiteral(InputsText()) + ", num_args");
  for (size_t i = 0; i < num_inputs(); ++i) TakeArgument(i);
  for (size_t i = 0; i < num_inputs(); ++i) CheckDimensions(i);
  CheckAssertions();
  for (size_t i = 0; i < num_inputs(); ++i) CheckExpressions(i);
  for (size_t i = 0; i < num_inputs(); ++i) CheckCount(i, params_[i] + "->shape", "-1");
  for (size_t i = 0; i < num_inputs(); ++i) CheckPlace(i);
  if (signature_->HasNoAliases()) CheckOverlaps();
  Call();
  lines_.Close();
  return lines_.Text();
}

/*! \brief The parameters of a caller, in parentheses; empty if there are none. */
std::string EntryEmitter::InputsText() const {
  std::string text;
  for (size_t i = 0; i < num_inputs(); ++i) {
    const std::string param = ParameterText(signature_->params[i]);
    if (text.size() + param.size() > kLongestList) {
      return " (" + text + (text.empty() ? "" : ", ") + "and " + std::to_string(num_inputs() - i) +
             " more)";
    }
    text += (text.empty() ? "" : ", ") + param;
  }
  return text.empty() ? "" : " (" + text + ")";
}

void EntryEmitter::Report(const ffi::Object* node, std::string message) {
  context_->problems()->Report(signature_->func, node, std::move(message));
}

/*! \brief Add a call of a helper that takes the name of the function, and raises errors. */
void EntryEmitter::Check(const std::string& helper, const std::string& arguments) {
  const std::string function = context_->prelude()->Use(helper.c_str());
  lines_.Leave(function + "(" + StringLiteral(symbol_) + ", " + arguments + ")", "-1");
}

/*! \brief Check that the processor has the instructions that the function is made of. */
void EntryEmitter::CheckMachine() {
  const std::string function = context_->prelude()->Use(context_->machine_check().c_str());
  lines_.Leave(function + "(" + StringLiteral(symbol_) + ")", "-1");
}

/*! \brief Find the types of all objects before the first one is looked at. */
void EntryEmitter::FindObjectTypes() {
  const auto is_object = [](const tir::Var& param) {
    return tir::ObjectTypeOf(param->type_annotation).has_value();
  };
  const ffi::Array<tir::Var>& params = signature_->func->params;
  if (std::none_of(params.begin(), params.end(), is_object)) return;
  context_->prelude()->Use("find_type");
  lines_.Leave(context_->objects()->UseFinder() + "(" + StringLiteral(symbol_) + ") != 0", "-1");
}

/*! \brief Check that the indices of a tensor, which are as wide as its dimensions, reach all of it.
 */
void EntryEmitter::CheckCount(size_t index, const std::string& extents,
                              const std::string& failure) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  if (buffer == nullptr) return;
  const auto is_narrow = [](const ir::PrimExpr& extent) {
    return extent.as<ir::IntImmNode>() == nullptr && extent->dtype.bits < 64;
  };
  const ffi::Array<ir::PrimExpr>& shape = buffer->shape;
  const auto narrow = std::find_if(shape.begin(), shape.end(), is_narrow);
  const bool is_variable = shape.size() == 1 && shape[0].as<tir::VarNode>() != nullptr;
  if (narrow == shape.end() || is_variable) return;
  const std::string check = context_->prelude()->Use("check_count");
  lines_.Leave(check + "(" + StringLiteral(symbol_) + ", " +
                   NameLiteral(std::string(buffer->name)) + ", " + std::to_string(shape.size()) +
                   ", " + extents + ", " + MaxLiteral((*narrow)->dtype) + ")",
               failure);
}

void EntryEmitter::TakeArgument(size_t index) {
  const Parameter& param = signature_->params[index];
  const bool has_buffer = param.buffer != nullptr;
  const std::string shown(has_buffer ? param.buffer->name : param.var->name);
  const std::string name = names_.Take(shown);
  params_.push_back(name);
  arguments_.push_back(name);
  const std::string argument = "&args[" + std::to_string(index) + "]";
  if (!has_buffer) return TakeNumber(param, name, argument);
  lines_.Line("const DLTensor* " + name + " = NULL;");
  Check("take_tensor", NameLiteral(shown) + ", " + argument + ", " +
                           DTypeLiteral(param.buffer->dtype) + ", " +
                           std::to_string(param.buffer->shape.size()) + ", &" + name);
}

void EntryEmitter::TakeNumber(const Parameter& param, const std::string& name,
                              const std::string& argument) {
  const DLDataType dtype = param.var->dtype;
  const std::string begin = NameLiteral(std::string(param.var->name)) + ", " + argument + ", ";
  values_[param.var] = name;
  sizes_.NameSize(param.var, name);
  if (!ir::IsScalar(dtype)) {
    return Report(param.var, "the parameter of a public function must be a scalar or a buffer");
  }
  const ffi::Optional<tir::ObjectType> object = tir::ObjectTypeOf(param.var->type_annotation);
  if (object.has_value()) return TakeObject(param, object.value(), name, argument);
  if (ir::IsHandle(dtype)) {
    lines_.Line("void* " + name + " = NULL;");
    return Check("take_pointer", begin + "&" + name);
  }
  if (ir::IsBool(dtype)) {
    lines_.Line("bool " + name + " = false;");
    return Check("take_bool", begin + "&" + name);
  }
  if (IsBFloat16(dtype)) {
    arguments_.back() = context_->prelude()->Use("narrow", dtype) + "(" + name + ")";
  }
  if (ir::IsFloat(dtype)) {
    lines_.Line("double " + name + " = 0;");
    return Check("take_float", begin + "&" + name);
  }
  lines_.Line("int64_t " + name + " = 0;");
  const bool is_size = param.var->IsInstance<tir::SizeVarNode>();
  std::string min = is_size ? "0" : IntLiteral(ir::MinValue(dtype), dtype);
  Check("take_int", begin + min + ", " + MaxLiteral(dtype) + ", &" + name);
}

/*! \brief Check that an argument is an object of a type. */
void EntryEmitter::TakeObject(const Parameter& param, const tir::ObjectType& type,
                              const std::string& name, const std::string& argument) {
  lines_.Line("void* " + name + " = NULL;");
  Check("take_object", NameLiteral(std::string(param.var->name)) + ", " + argument + ", &" +
                           context_->objects()->Use(std::string(type->key)) + ", " +
                           (type->nullable ? "true" : "false") + ", &" + name);
}

/*! \brief Check that no divisor of a size is 0, before the size is computed. */
void EntryEmitter::CheckDivisors(const tir::BufferNode* buffer, size_t axis,
                                 const ir::PrimExpr& size) {
  for (const tir::BinaryOpNode* division : tir::FallibleDivisions(size)) {
    const ir::PrimExpr& divisor = division->b;
    const std::string message = symbol_ + ": the divisor `" + ir::ScriptText(divisor) + "` of `" +
                                ir::ScriptText(size) + "` is 0, dimension " + std::to_string(axis) +
                                " of `" + std::string(buffer->name) + "`";
    const ir::PrimExpr is_zero = tir::equal(divisor, tir::make_const(0, divisor->dtype));
    lines_.Leave(sizes_.EmitSize(is_zero), context_->prelude()->Use("raise_error") +
                                               "(\"ValueError\", " + NameLiteral(message) + ")");
  }
}

/*! \brief Check a dimension or a stride, or give the variable that it is a value. */
void EntryEmitter::CheckPart(size_t index, size_t axis, bool is_stride, bool is_late) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  const ir::PrimExpr part = is_stride ? buffer->strides[axis] : buffer->shape[axis];
  const auto* constant = part.as<ir::IntImmNode>();
  const auto* var = part.as<tir::VarNode>();
  const bool is_expression = constant == nullptr && var == nullptr;
  if (is_expression != is_late) return;
  const std::string place = std::to_string(axis);
  const std::string shown = NameLiteral(std::string(buffer->name)) + ", " + params_[index] + ", ";
  if (var != nullptr && values_.count(var) == 0) {
    const std::string name = names_.Take(std::string(var->name));
    const std::string stride = is_stride ? context_->prelude()->Use("stride_of") : "";
    const std::string value = is_stride ? stride + "(" + params_[index] + ", " + place + ")"
                                        : params_[index] + "->shape[" + place + "]";
    lines_.Line("const int64_t " + name + " = " + value + ";");
    values_[var] = name;
    sizes_.NameSize(var, name);
    if (!is_stride) Check("check_size", shown + place + ", " + MaxLiteral(var->dtype));
    return;
  }
  if (is_expression) CheckDivisors(buffer, axis, part);
  const std::string value =
      constant != nullptr ? std::to_string(constant->value) : sizes_.EmitSize(part);
  const std::string text = constant != nullptr ? "NULL" : NameLiteral(ir::ScriptText(part));
  Check(is_stride ? "check_stride" : "check_extent", shown + place + ", " + text + ", " + value);
}

void EntryEmitter::CheckDimensions(size_t index) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  if (buffer == nullptr) return;
  for (size_t axis = 0; axis < buffer->shape.size(); ++axis) CheckPart(index, axis, false, false);
  for (size_t axis = 0; axis < buffer->strides.size(); ++axis) CheckPart(index, axis, true, false);
}

/*! \brief Whether an expression depends only on sizes that have values. */
bool EntryEmitter::IsOfSizes(const ir::PrimExpr& expr) const {
  bool is_known = true;
  tschema::Walk(expr, [&](const ir::PrimExprNode* part) {
    const auto* var =
        part->IsInstance<tir::VarNode>() ? static_cast<const tir::VarNode*>(part) : nullptr;
    is_known &= var != nullptr
                    ? values_.count(var) != 0
                    : !part->IsInstance<tir::BufferLoadNode>() &&
                          !part->IsInstance<tir::CallNode>() && !part->IsInstance<tir::LetNode>();
  });
  return is_known;
}

/*! \brief Check the function's assertions about sizes, before other uses of the sizes. */
void EntryEmitter::CheckAssertions() {
  for (const tir::Stmt& stmt : StatementsOf(signature_->func->body)) {
    if (const auto* bind = stmt.as<tir::BindNode>()) {
      if (!IsOfSizes(bind->value)) return;
      const std::string value = "(" + sizes_.EmitSize(bind->value) + ")";
      values_[bind->var.get()] = value;
      sizes_.NameSize(bind->var.get(), value);
    } else if (const auto* assertion = stmt.as<tir::AssertStmtNode>()) {
      if (!IsOfSizes(assertion->condition)) return;
      const Failure failure = sizes_.EmitAssertion(assertion);
      lines_.Leave(failure.condition, failure.value);
    } else if (!stmt->IsInstance<tir::DeclBufferNode>()) {
      return;
    }
  }
}

void EntryEmitter::CheckExpressions(size_t index) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  if (buffer == nullptr) return;
  for (size_t axis = 0; axis < buffer->shape.size(); ++axis) CheckPart(index, axis, false, true);
  for (size_t axis = 0; axis < buffer->strides.size(); ++axis) CheckPart(index, axis, true, true);
}

/*! \brief Check how a tensor lies in memory, and find its first element. */
void EntryEmitter::CheckPlace(size_t index) {
  const tir::BufferNode* buffer = signature_->params[index].buffer;
  if (buffer == nullptr) return;
  const auto* offset = buffer->elem_offset.value().as<ir::IntImmNode>();
  const bool has_offset = offset != nullptr && offset->value != 0;
  if (has_offset) Report(buffer, "the buffer of a public function begins at its first element");
  const std::string shown = NameLiteral(std::string(buffer->name)) + ", " + params_[index];
  const std::string data = names_.Take(params_[index] + "_data");
  const std::string alignment =
      std::to_string(std::min(buffer->data_alignment, BytesOf(buffer->dtype)));
  lines_.Line("void* " + data + " = NULL;");
  arguments_[index] = data;
  const bool is_read = IsRead(signature_->params[index]);
  if (buffer->strides.empty() && is_read && !buffer->shape.empty()) {
    const std::string copy = names_.Take(params_[index] + "_copy");
    context_->prelude()->Use("take_input");
    lines_.Line("OWNED void* " + copy + " = NULL;");
    return Check("take_input", shown + ", " + alignment + ", &" + data + ", &" + copy);
  }
  if (buffer->strides.empty()) Check("check_compact", shown);
  Check("take_data", shown + ", " + alignment + ", &" + data);
}

/*! \brief Check that no tensor that is written shares memory with another one. */
void EntryEmitter::CheckOverlaps() {
  if (num_inputs() > kManyTensors) return CheckManyOverlaps();
  const auto shown = [&](size_t index) {
    const std::string name(signature_->params[index].buffer->name);
    return NameLiteral(name) + ", " + params_[index] + ", " + arguments_[index];
  };
  for (size_t i = 0; i < num_inputs(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Parameter& later = signature_->params[i];
      const Parameter& earlier = signature_->params[j];
      if (later.buffer == nullptr || earlier.buffer == nullptr) continue;
      if (!IsRead(later)) {
        Check("check_apart", shown(i) + ", " + shown(j));
      } else if (!IsRead(earlier)) {
        Check("check_apart", shown(j) + ", " + shown(i));
      }
    }
  }
}

/*! \brief The same in a loop over tables: the text is linear in the number of tensors. */
void EntryEmitter::CheckManyOverlaps() {
  std::string names, tensors, addresses, are_written;
  size_t count = 0;
  for (size_t i = 0; i < num_inputs(); ++i) {
    const Parameter& param = signature_->params[i];
    if (param.buffer == nullptr) continue;
    names += NameLiteral(std::string(param.buffer->name)) + ", ";
    tensors += params_[i] + ", ";
    addresses += arguments_[i] + ", ";
    are_written += IsRead(param) ? "0, " : "1, ";
    ++count;
  }
  lines_.Line("const char* const all_names[] = {" + names + "};");
  lines_.Line("const DLTensor* const all_tensors[] = {" + tensors + "};");
  lines_.Line("const void* const all_addresses[] = {" + addresses + "};");
  lines_.Line("const unsigned char are_written[] = {" + are_written + "};");
  Check("check_all_apart",
        std::to_string(count) + ", all_names, all_tensors, all_addresses, are_written");
}

}  // namespace uir::target
