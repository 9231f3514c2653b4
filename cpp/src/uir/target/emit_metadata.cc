// The names, data types and shapes of the parameters and results of entries.
#include "./emit_metadata.h"

#include <tschema/walk.h>
#include <tvm/ffi/extra/json.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/script_text.h>
#include <uir/tir/object_layout.h>

#include <utility>
#include <vector>

#include "./c_types.h"

namespace uir::target {

namespace {

namespace json = ::tvm::ffi::json;

/*! \brief A dimension: a number, or an expression as text. */
json::Value DimensionValue(const ir::PrimExpr& extent) {
  if (const auto* constant = extent.as<ir::IntImmNode>()) return constant->value;
  return ffi::String(ir::ExtentText(extent));
}

/*! \brief The name in tvm-ffi of a type other than that of tensors. */
std::string TypeKeyOf(const ffi::Optional<ir::Type>& annotation, DLDataType dtype) {
  const ffi::Optional<tir::ObjectType> object = tir::ObjectTypeOf(annotation);
  if (object.has_value()) return object.value()->key;
  if (ir::IsHandle(dtype)) return "void*";
  if (ir::IsBool(dtype)) return "bool";
  return dtype.code == kDLInt || dtype.code == kDLUInt ? "int" : "float";
}

json::Object TypeSchema(const std::string& key) {
  return {{ffi::String("type"), ffi::String(key)}};
}

json::Object NumberNamed(const ffi::String& name, DLDataType dtype) {
  return {{ffi::String("name"), name}, {ffi::String("dtype"), ffi::DLDataTypeToString(dtype)}};
}

json::Object TensorNamed(const ffi::String& name, DLDataType dtype,
                         const ffi::Array<ir::PrimExpr>& extents) {
  json::Array shape;
  for (const ir::PrimExpr& extent : extents) shape.push_back(DimensionValue(extent));
  return {{ffi::String("name"), name},
          {ffi::String("dtype"), ffi::DLDataTypeToString(dtype)},
          {ffi::String("shape"), shape}};
}

/*! \brief The call by which a function allocates the output of a parameter; null without one. */
const tir::CallNode* AllocationOf(const tir::PrimFuncNode* func, const tir::VarNode* slot) {
  static const ir::Op allocate_output = ir::get_op("tir.allocate_output");
  const tir::CallNode* found = nullptr;
  tschema::Walk(func->body, [&](const tir::CallNode* call) {
    if (call->op.same_as(allocate_output) && call->args[0].get() == slot) found = call;
  });
  return found;
}

json::Object Described(const Signature& signature, const Parameter& param) {
  if (param.buffer != nullptr) {
    return TensorNamed(param.buffer->name, param.buffer->dtype, param.buffer->shape);
  }
  const tir::CallNode* made = AllocationOf(signature.func, param.var);
  if (made == nullptr) return NumberNamed(param.var->name, param.var->dtype);
  const ffi::Array<ir::PrimExpr> shape(made->args.begin() + 2, made->args.end());
  return TensorNamed(param.var->name, made->args[1]->dtype, shape);
}

/*! \brief Writes the metadata of one entry, a part of the text for each parameter. */
class EntryMetadata {
 public:
  EntryMetadata(const Signature& signature, size_t num_outputs)
      : signature_(signature),
        num_inputs_(signature.params.size() - signature.num_sizes - num_outputs),
        num_outputs_(num_outputs) {}

  std::vector<std::string> Parts() {
    Add("{\"type_schema\":" + std::string(json::Stringify(json::Stringify(Schema()))) +
        ",\"inputs\":[");
    AddParameters("input_names", 0, num_inputs_);
    Add("],\"outputs\":[");
    AddParameters("output_names", num_inputs_, num_outputs_);
    if (signature_.result) Add(json::Stringify(NumberNamed("result", *signature_.result)));
    Add("]}");
    return std::move(parts_);
  }

 private:
  /*! \brief The type of the entry as tvm-ffi writes it: that of the result, then the arguments. */
  json::Object Schema() const {
    json::Array args = {TypeSchema(ResultKey())};
    for (size_t i = 0; i < num_inputs_; ++i) {
      const Parameter& param = signature_.params[i];
      args.push_back(TypeSchema(param.buffer != nullptr
                                    ? "ffi.Tensor"
                                    : TypeKeyOf(param.var->type_annotation, param.var->dtype)));
    }
    json::Object schema = TypeSchema("ffi.Function");
    schema.Set(ffi::String("args"), args);
    return schema;
  }

  std::string ResultKey() const {
    if (num_outputs_ > 0) return num_outputs_ == 1 ? "ffi.Tensor" : "ffi.Array";
    return signature_.result ? TypeKeyOf(signature_.func->ret_type, *signature_.result) : "None";
  }

  /*! \brief Add some parameters; an attribute of the function may name them. */
  void AddParameters(const char* attribute, size_t first, size_t count) {
    const ffi::Any given = signature_.func->GetAttr(attribute);
    const auto names = given.as<ffi::Array<ffi::String>>().value_or(ffi::Array<ffi::String>());
    for (size_t i = 0; i < count; ++i) {
      json::Object one = Described(signature_, signature_.params[first + i]);
      if (names.size() == count) one.Set(ffi::String("name"), names[static_cast<int64_t>(i)]);
      Add(std::string(json::Stringify(one)) + (i + 1 < count ? "," : ""));
    }
  }

  void Add(std::string part) { parts_.push_back(std::move(part)); }

  const Signature& signature_;
  size_t num_inputs_;
  size_t num_outputs_;
  std::vector<std::string> parts_;
};

}  // namespace

std::string MetadataEntry(ModuleContext* context, const Signature& signature,
                          const std::string& symbol, size_t num_outputs) {
  std::string text;
  for (const std::string& part : EntryMetadata(signature, num_outputs).Parts()) {
    text += "\n      " + StringLiteral(part);
  }
  return "ENTRY __tvm_ffi__metadata_" + symbol +
         "(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {\n"
         "  static const char text[] =" +
         text + ";\n  (void)self, (void)args, (void)num_args;\n  return " +
         context->prelude()->Use("return_text") + "(text, sizeof(text) - 1, result);\n}\n";
}

}  // namespace uir::target
