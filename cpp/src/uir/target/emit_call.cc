// Calls: of functions of the module, of functions of other libraries, and of intrinsics.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/tir/op.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./function_emitter.h"
#include "./intrinsics.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

CExpr CallEmitter::EmitCall(const tir::CallNode* op) {
  if (const auto* callee = op->op.as<ir::GlobalVarNode>()) return CallFunction(op, callee);
  const auto* named = op->op.as<ir::OpNode>();
  if (named == nullptr) return Refuse(op, "C has no way to call this");
  constexpr std::string_view kPrefix = "tir.";
  const std::string name(named->name);
  return CallIntrinsic(op, name.substr(name.rfind(kPrefix, 0) == 0 ? kPrefix.size() : 0));
}

/*! \brief Add a line for a call with an effect; its value is kept, unless it is discarded. */
CExpr CallEmitter::Effect(const tir::CallNode* op, const std::string& code) {
  scalars().NoteEffect();
  if (op == state_.discarded || op->dtype == ir::kVoid) {
    writer_->Line(code + ";");
    return {"0"};
  }
  return {scalars().Keep("value", op->dtype, code)};
}

std::string CallEmitter::Argument(const ir::PrimExpr& arg, const CExpr& text,
                                  const std::string& type) {
  if (!ir::IsHandle(arg->dtype)) return text.code;
  const DLDataType pointee = PointeeOf(arg);
  if (pointee == ir::kVoid || type == "void*" || type == "const void*") return text.code;
  const std::string own = context_->prelude()->TypeOf(pointee) + "*";
  return type == own || type == "const " + own ? text.code : Converted(type, text);
}

CExpr CallEmitter::CallFunction(const tir::CallNode* op, const ir::GlobalVarNode* callee) {
  const std::string shown = "`" + std::string(callee->name_hint) + "`";
  const Signature* signature = context_->CalleeOf(callee);
  if (signature == nullptr) return CallOther(op, callee);
  if (signature->num_sizes != 0) {
    return Refuse(op, "the sizes of the buffers of " + shown + " are known to its entry only");
  }
  if (signature->params.size() != op->args.size()) {
    return Refuse(op, shown + " takes " + std::to_string(signature->params.size()) +
                          " arguments, got " + std::to_string(op->args.size()));
  }
  const std::vector<ir::PrimExpr> args(op->args.begin(), op->args.end());
  const std::vector<CExpr> texts = scalars().EmitAll(args);
  std::string code;
  for (size_t i = 0; i < args.size(); ++i) {
    code += (i == 0 ? "" : ", ") + Argument(args[i], texts[i], signature->params[i].type);
  }
  std::string result;
  if (signature->result) {
    const std::string name = signature->name.substr(0, signature->name.size() - 1);
    result = names_.Take(name);
    writer_->Line(TypeOf(op, *signature->result) + " " + result + " = 0;");
    code += std::string(code.empty() ? "&" : ", &") + result;
  }
  statements().EmitFailure(signature->name + "(" + code + ") != 0", "-1");
  return {signature->result ? result : "0"};
}

/*! \brief Call an external function by its symbol. */
CExpr CallEmitter::CallOther(const tir::CallNode* op, const ir::GlobalVarNode* callee) {
  const auto& functions = context_->module()->functions;
  const auto found = functions.find(ffi::GetRef<ir::GlobalVar>(callee));
  const std::string shown = "`" + std::string(callee->name_hint) + "`";
  if (found == functions.end()) return Refuse(op, "the module has no function " + shown);
  const auto* external = (*found).second.as<ir::ExternFuncNode>();
  if (external == nullptr) {
    return Refuse(op, shown + " is a function on tensors; run `LowerOps` before");
  }
  return CallNamed(op, std::string(external->global_symbol), 0);
}

CExpr CallEmitter::CallExtern(const tir::CallNode* op) {
  const auto* name = op->args.empty() ? nullptr : op->args[0].as<ir::StringImmNode>();
  if (name == nullptr) return Refuse(op, "the first argument must be the name of a function");
  return CallNamed(op, std::string(name->value), 1);
}

CExpr CallEmitter::CallNamed(const tir::CallNode* op, const std::string& name, size_t first_arg) {
  if (!IsIdentifier(name)) return Refuse(op, "`" + name + "` is not a name in C");
  const std::vector<ir::PrimExpr> args(op->args.begin() + static_cast<int64_t>(first_arg),
                                       op->args.end());
  const std::vector<CExpr> texts = scalars().EmitAll(args);
  std::string code;
  std::string types;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    const bool is_string = args[i].as<ir::StringImmNode>() != nullptr;
    types += comma + (is_string ? "const char*" : TypeOf(op, args[i]->dtype));
    code += comma + texts[i].code;
  }
  const std::string result = op->dtype == ir::kVoid ? "void" : TypeOf(op, op->dtype);
  const std::string declaration =
      "extern " + result + " " + name + "(" + (types.empty() ? "void" : types) + ");";
  if (IsLibraryFunction(name)) {
    context_->prelude()->Include("<math.h>");
  } else if (!context_->DeclareExtern(name, declaration)) {
    return Refuse(op,
                  "function `" + name + "` is called with arguments or a result of other types");
  }
  code = name + "(" + code + ")";
  const auto* caller = op->op.as<ir::OpNode>();
  if (caller == nullptr || caller->name != "tir.call_pure_extern") return Effect(op, code);
  return {code};
}

CExpr CallEmitter::CallInfix(const tir::CallNode* op, const char* symbol, Binding binding) {
  std::vector<CExpr> texts = scalars().EmitTyped(op->args[0], op->args[1]);
  vectors().EqualizeMasks(&texts, op->dtype);
  if (binding == Binding::kShift && !texts[0].is_typed) {
    // A number that is shifted by a vector keeps the type of an element.
    texts[0] = {Converted(TypeOf(op, ir::ElementOf(op->dtype)), texts[0]), Binding::kUnary};
  }
  for (CExpr& text : texts) text = scalars().Exact(std::move(text), op->dtype);
  CExpr made = scalars().Infix(texts[0], symbol, texts[1], binding);
  made.mask_bits = texts[0].mask_bits;
  if (IsPromoted(op->dtype) && std::string_view(symbol) == "<<") made.is_wrapped = false;
  return made;
}

/*! \brief Call a function of numbers; of halves it takes and returns `float`. */
CExpr CallEmitter::CallMath(const std::string& function, DLDataType dtype,
                            const std::vector<CExpr>& args) {
  CExpr made;
  for (const CExpr& arg : args) {
    const std::string text = IsHalf(dtype) ? Converted("float", arg) : arg.code;
    made.code += (made.code.empty() ? "" : ", ") + text;
    made.reads_memory |= arg.reads_memory;
  }
  made.code = function + "(" + made.code + ")";
  return made;
}

CExpr CallEmitter::CallLibrary(const std::string& function, DLDataType dtype,
                               const std::vector<CExpr>& args) {
  context_->prelude()->Include("<math.h>");
  CExpr made = CallMath(function + (dtype.bits == 64 ? "" : "f"), dtype, args);
  return IsHalf(dtype) ? CExpr{"(_Float16)" + made.code, Binding::kUnary} : made;
}

/*! \brief Use a function of mathematics, which is emitted once; returns its name. */
std::string CallEmitter::UseMath(const MathFunction& math, int lanes) {
  Prelude* prelude = context_->prelude();
  std::string name = prelude->MathName(math.name, ir::FloatType(32, lanes));
  if (prelude->HasMath(name)) return name;
  const tir::PrimFunc func = MakeMathFunction(math, lanes);
  const Signature signature = MathSignature(math, func, name, prelude);
  prelude->AddMath(name, FunctionEmitter(context_, &signature).Run());
  return name;
}

/*! \brief Use a function that is not inlined, and calls the one that is; returns its name. */
std::string CallEmitter::UseMathOutOfLine(const MathFunction& math, int lanes) {
  Prelude* prelude = context_->prelude();
  const std::string inlined = UseMath(math, lanes);
  std::string name = "call_" + inlined;
  if (prelude->HasMath(name)) return name;
  const std::string type = prelude->TypeOf(ir::FloatType(32, lanes));
  std::string params;
  std::string args;
  for (const char* param = math.params; *param != '\0'; ++param) {
    params += (params.empty() ? "" : ", ") + type + " " + *param;
    args += (args.empty() ? "" : ", ") + std::string(1, *param);
  }
  const std::string head = "static " + prelude->Use("OUT_OF_LINE") + " " + type + " " + name;
  prelude->AddMath(name, head + "(" + params + ") {\n  return " + inlined + "(" + args + ");\n}\n");
  return name;
}

/*! \brief Call a function of float32, which halves are converted to. */
CExpr CallEmitter::CallMathFunction(const tir::CallNode* op, const MathFunction& math) {
  const DLDataType dtype = op->args[0]->dtype;
  const int lanes = ir::LanesOf(dtype);
  TypeOf(op, dtype);
  const DLDataType computed = ir::FloatType(32, lanes);
  const bool out_of_line = state_.calls_math_out_of_line && lanes > 1;
  CExpr made = {(out_of_line ? UseMathOutOfLine(math, lanes) : UseMath(math, lanes)) + "("};
  const std::vector<CExpr> args = scalars().EmitAll({op->args.begin(), op->args.end()});
  for (size_t i = 0; i < args.size(); ++i) {
    const CExpr arg = IsHalf(dtype) ? vectors().ConvertFloat(args[i], dtype, computed) : args[i];
    made.code += (i == 0 ? "" : ", ") + arg.code;
    made.reads_memory |= arg.reads_memory;
  }
  made.code += ")";
  return IsHalf(dtype) ? vectors().ConvertFloat(made, computed, dtype) : made;
}

CExpr CallEmitter::CallTable(const tir::CallNode* op, const Intrinsic& intrinsic) {
  if (intrinsic.kind == IntrinsicKind::kInfix) {
    return CallInfix(op, intrinsic.in_c, intrinsic.binding);
  }
  const DLDataType dtype = op->args[0]->dtype;
  if (IsBFloat16(dtype)) return RefuseBFloat16(op);
  const bool is_narrow = ir::IsFloat(dtype) && dtype.bits <= 32;
  const MathFunction* math = is_narrow ? FindMathFunction(intrinsic.name) : nullptr;
  if (math != nullptr) return CallMathFunction(op, *math);
  if (!ir::IsScalar(dtype)) return vectors().CallTableVector(op, intrinsic);
  TypeOf(op, dtype);
  const std::vector<CExpr> args = scalars().EmitAll({op->args.begin(), op->args.end()});
  switch (intrinsic.kind) {
    case IntrinsicKind::kLibrary:
      return CallLibrary(intrinsic.in_c, dtype, args);
    case IntrinsicKind::kPredicate: {
      context_->prelude()->Include("<math.h>");
      CExpr made = CallMath(intrinsic.in_c, dtype, args);
      // `isinf` returns the sign of an infinite number.
      if (std::string_view(intrinsic.in_c) == "isinf") {
        made = scalars().Infix(made, "!=", {"0"}, Binding::kEquality);
      }
      return made;
    }
    case IntrinsicKind::kFloatHelper: {
      const DLDataType computed = IsHalf(dtype) ? ir::FloatType(32) : dtype;
      CExpr made = CallMath(context_->prelude()->Use(intrinsic.in_c, computed), dtype, args);
      return IsHalf(dtype) ? CExpr{"(_Float16)" + made.code, Binding::kUnary} : made;
    }
    default:
      if (dtype.code == kDLUInt && std::string_view(intrinsic.name) == "abs") return args[0];
      return CallMath(context_->prelude()->Use(intrinsic.in_c, dtype), dtype, args);
  }
}

CExpr CallEmitter::CallIntrinsic(const tir::CallNode* op, std::string_view name) {
  using Method = CExpr (CallEmitter::*)(const tir::CallNode*);
  static const auto* const special = new std::unordered_map<std::string_view, Method>{
      {"access_ptr", &CallEmitter::AccessPtr},
      {"address_of", &CallEmitter::AddressOf},
      {"allocate_output", &CallEmitter::AllocateOutput},
      {"array_item", &CallEmitter::ArrayItem},
      {"array_size", &CallEmitter::ArraySize},
      {"as_object", &CallEmitter::AsObject},
      {"assume", &CallEmitter::Nothing},
      {"atomic_add", &CallEmitter::AtomicAdd},
      {"bitwise_not", &CallEmitter::BitwiseNot},
      {"call_extern", &CallEmitter::CallExtern},
      {"call_packed", &CallEmitter::CallPacked},
      {"call_pure_extern", &CallEmitter::CallExtern},
      {"constant_data", &CallEmitter::ConstantData},
      {"dot4", &CallEmitter::Dot4},
      {"get_field", &CallEmitter::GetField},
      {"if_then_else", &CallEmitter::IfThenElse},
      {"is_object", &CallEmitter::IsObject},
      {"isnullptr", &CallEmitter::IsNull},
      {"likely", &CallEmitter::Likely},
      {"memory_barrier", &CallEmitter::MemoryBarrier},
      {"nonzero", &CallEmitter::Nonzero},
      {"object_field", &CallEmitter::ObjectField},
      {"parallel_for", &CallEmitter::ParallelFor},
      {"pow", &CallEmitter::Power},
      {"prefetch", &CallEmitter::Prefetch},
      {"reinterpret", &CallEmitter::Reinterpret},
      {"ret", &CallEmitter::Returned},
      {"vload", &CallEmitter::VLoad},
  };
  const auto method = special->find(name);
  return method != special->end() ? (this->*method->second)(op) : CallNumeric(op, name);
}

/*! \brief Call an operator on numbers that a table has. */
CExpr CallEmitter::CallNumeric(const tir::CallNode* op, std::string_view name) {
  const bool is_float = !op->args.empty() && ir::IsFloat(op->args[0]->dtype);
  const Intrinsic* intrinsic = FindIntrinsic(name, is_float);
  if (intrinsic != nullptr) return CallTable(op, *intrinsic);
  return Refuse(op, "C has nothing for operator `tir." + std::string(name) + "`");
}

}  // namespace uir::target
