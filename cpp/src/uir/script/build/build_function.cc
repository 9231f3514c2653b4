// Functions and modules from their definitions.
#include <uir/ir/dtype.h>
#include <uir/ir/module.h>
#include <uir/ir/symbol.h>
#include <uir/tir/block.h>
#include <uir/tir/function.h>

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./builder_state.h"

namespace uir::script {

namespace {

/*! \brief The last part of the name of a decorator: `prim_func`. */
std::string_view NameOfDecorator(Builder* builder, const SyntaxNode* decorator) {
  const SyntaxNode* callee = decorator->kind == Syntax::kCall ? (*decorator)[0] : decorator;
  const std::string_view path = builder->Path(callee);
  return path.empty() ? callee->text : path.substr(path.rfind('.') + 1);
}

/*! \brief The decorator whose name ends so, or null. */
const SyntaxNode* FindDecorator(Builder* builder, const SyntaxNode* decorators,
                                std::string_view name) {
  for (uint32_t i = 0; i < decorators->size; ++i) {
    if (NameOfDecorator(builder, (*decorators)[i]) == name) return (*decorators)[i];
  }
  return nullptr;
}

/*! \brief The decorator that defines the kind of a function. */
const SyntaxNode* DefiningDecorator(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* decorators = (*node)[2];
  for (uint32_t i = 0; i < decorators->size; ++i) {
    const SyntaxNode* decorator = (*decorators)[i];
    if (FindDefinition(NameOfDecorator(builder, decorator)) != nullptr) return decorator;
  }
  builder->Fail(node, "the function has no decorator that defines its kind",
                "put `@tir.prim_func` above it");
}

/*! \brief The options of a decorator; those after `name` are those of TVM. */
CallArguments DecoratorArguments(Builder* builder, const SyntaxNode* decorator) {
  return {builder, decorator, {"private", "name", "s_tir", "check_well_formed", "is_stir", "tirp"}};
}

/*! \brief Reads one function. */
class FunctionBuilder {
 public:
  FunctionBuilder(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator)
      : builder_(builder), node_(node), decorator_(decorator) {}

  ir::BaseFunc Build() {
    const Builder::Scope scope(builder_);
    if (!IsPrivate(builder_, decorator_)) {
      frame_.attrs.Set(ir::kGlobalSymbol, FunctionName(builder_, node_));
    }
    const Enter<FunctionFrame> enter(&builder_->state().function, &frame_);
    const Enter<BlockFrame> no_block(&builder_->state().block, nullptr);
    vars_.resize(node_->size);
    SortParams();
    BindParams(plain_);
    const size_t first = DeclareShapes(builder_, (*node_)[1]);
    BindParams(dependent_);
    ffi::Optional<ir::Type> result;
    if ((*node_)[0] != nullptr && (*node_)[0]->kind != Syntax::kNone) {
      result = builder_->Type((*node_)[0]);
    }
    const tir::Stmt body = WithRootBlock(builder_->Body((*node_)[1], first));
    ffi::Array<tir::Var> params;
    for (size_t i = 3; i < node_->size; ++i) params.push_back(*vars_[i]);
    return builder_->At(node_, [&] {
      return builder_->Spanned(
          tir::PrimFunc(params, body, frame_.buffer_map, result, ir::DictAttrs(frame_.attrs)),
          node_);
    });
  }

 private:
  /*! \brief Put a body with blocks into the root block that the text does not write. */
  tir::Stmt WithRootBlock(const tir::Stmt& found) {
    const bool is_outer = frame_.outer_block.has_value() && found.same_as(*frame_.outer_block);
    const tir::Stmt body = is_outer ? *frame_.stated_block : found;
    const auto* realize = body.as<tir::BlockRealizeNode>();
    const bool is_root = realize != nullptr && realize->block->iter_vars.empty();
    const bool is_asked = frame_.has_blocks && !is_root && HasOption("s_tir");
    if (frame_.root_buffers.empty() && !is_asked) return body;
    return builder_->At(node_, [&] {
      const tir::Block block({}, {}, {}, "root", body, frame_.root_buffers);
      return tir::BlockRealize({}, ir::IntImm(ir::BoolType(), 1), block);
    });
  }

  bool HasOption(std::string_view name) {
    if (decorator_->kind != Syntax::kCall) return false;
    const SyntaxNode* value = DecoratorArguments(builder_, decorator_)[name];
    return value != nullptr && builder_->Bool(value);
  }

  std::string_view AnnotationPath(const SyntaxNode* annotation) {
    const bool is_call = annotation != nullptr && annotation->kind == Syntax::kCall;
    return is_call ? builder_->Path((*annotation)[0]) : std::string_view();
  }

  /*! \brief Whether a parameter does not depend on others. */
  bool IsPlain(const SyntaxNode* annotation) {
    const std::string_view path = AnnotationPath(annotation);
    return path != "tir.Buffer" && path != "tir.Var";
  }

  /*! \brief Split the parameters before binding any, because a name can hide a package. */
  void SortParams() {
    annotations_.resize(node_->size);
    for (size_t i = 3; i < node_->size; ++i) {
      annotations_[i] = AnnotationCall(builder_, (*(*node_)[i])[0]);
      (IsPlain(annotations_[i]) ? plain_ : dependent_).push_back(i);
    }
  }

  void BindParams(const std::vector<size_t>& places) {
    for (const size_t i : places) {
      const SyntaxNode* param = (*node_)[i];
      try {
        vars_[i] = AnnotationPath(annotations_[i]) == "tir.Buffer"
                       ? BindBuffer(param, annotations_[i])
                       : builder_->BindAnnotated(NameOf(param), annotations_[i]);
      } catch (const Failure& failure) {
        builder_->state().log->Add(failure);
        builder_->Poison(NameOf(param));
        vars_[i] = tir::Var("wrong");
      }
    }
  }

  const SyntaxNode* NameOf(const SyntaxNode* param) {
    names_.push_back({Syntax::kName, 0, param->begin,
                      param->begin + static_cast<uint32_t>(param->text.size()), param->text,
                      nullptr});
    return &names_.back();
  }

  tir::Var BindBuffer(const SyntaxNode* param, const SyntaxNode* annotation) {
    const CallArguments arguments(builder_, annotation, BufferArguments({}));
    const tir::Buffer buffer = BuildBuffer(builder_, arguments, param->text);
    const tir::Var handle(ffi::String(std::string(param->text) + "_handle"), ir::kHandle);
    frame_.buffer_map.Set(handle, buffer);
    builder_->Define(NameOf(param), buffer);
    return handle;
  }

  Builder* builder_;
  const SyntaxNode* node_;
  const SyntaxNode* decorator_;
  FunctionFrame frame_;
  /*! \brief Indices of the parameters that do not depend on others, and of those that do. */
  std::vector<size_t> plain_;
  std::vector<size_t> dependent_;
  std::vector<const SyntaxNode*> annotations_;
  std::vector<std::optional<tir::Var>> vars_;
  std::deque<SyntaxNode> names_;
};

/*! \brief Reads one class. */
class ModuleBuilder {
 public:
  /*! \param node The class, or the whole text. */
  ModuleBuilder(Builder* builder, const SyntaxNode* node, const SyntaxNode* suite)
      : builder_(builder), node_(node), suite_(suite) {}

  ffi::Any Build() {
    BuilderState& state = builder_->state();
    const bool is_class = node_->kind == Syntax::kClass;
    const SyntaxNode* decorator =
        is_class ? FindDecorator(builder_, (*node_)[1], "ir_module") : nullptr;
    if (is_class && decorator == nullptr) {
      builder_->Fail(node_, "the class is not a module", "put `@uir.script.ir_module` above it");
    }
    const Builder::Scope scope(builder_);
    const std::string_view outer_name = std::exchange(state.module_name, node_->text);
    auto outer = std::exchange(state.functions, {});
    NameFunctions();
    for (uint32_t i = 0; i < suite_->size && !state.log->is_full(); ++i) ReadItem((*suite_)[i]);
    ffi::Map<ffi::String, ffi::Any> attrs = std::move(attrs_);
    if (is_class && decorator->kind == Syntax::kCall) {
      const CallArguments arguments(builder_, decorator, {"attrs", "check_well_formed", "s_tir"});
      if (arguments["attrs"] != nullptr) attrs = builder_->Attrs(arguments["attrs"]);
    }
    state.functions = std::move(outer);
    state.module_name = outer_name;
    return builder_->At(node_, [&] { return ir::IRModule(functions_, ir::DictAttrs(attrs)); });
  }

 private:
  /*! \brief Make the variables first, as functions call those below them. */
  void NameFunctions() {
    for (uint32_t i = 0; i < suite_->size; ++i) {
      const SyntaxNode* item = (*suite_)[i];
      try {
        if (ReadMacro(builder_, item)) continue;
        if (item->kind == Syntax::kFunction) {
          AddName(item->text, FunctionName(builder_, item), item);
          NoteResult(item);
        } else if (item->kind == Syntax::kAssign && (*item)[0]->kind == Syntax::kName) {
          AddName((*item)[0]->text, AssignedName(item), item);
        }
      } catch (const Failure& failure) {
        builder_->state().log->Add(failure);
      }
    }
  }

  /*! \brief Remember the data type after `->`, `tir.int32`, for calls of the function. */
  void NoteResult(const SyntaxNode* item) {
    const SyntaxNode* result = (*item)[0];
    if (result == nullptr || result->kind != Syntax::kAttribute) return;
    const std::string_view path = builder_->Path(result);
    if (path.substr(0, 4) != "tir.") return;
    const std::optional<DLDataType> dtype = ParseDType(path.substr(4));
    const ir::GlobalVar& var = builder_->state().functions.at(item->text);
    if (dtype) builder_->state().result_types.insert_or_assign(var.get(), *dtype);
  }

  void AddName(std::string_view ident, const ffi::String& name, const SyntaxNode* item) {
    // A declaration may have the name of a function, which is called as `Module.name`.
    const bool is_twice = item->kind == Syntax::kFunction && !defined_.insert(ident).second;
    if (is_twice) {
      builder_->Fail(item, "there are two functions `" + std::string(ident) + "`");
    }
    builder_->state().functions.insert_or_assign(ident, ir::GlobalVar(name));
    ++num_items_[ident];
  }

  /*! \brief `ident = ir.function("name", value)`. */
  const SyntaxNode* NamedCall(const SyntaxNode* item) {
    const SyntaxNode* value = (*item)[1];
    const bool is_call = value->kind == Syntax::kCall;
    return is_call && builder_->Path((*value)[0]) == "ir.function" ? value : nullptr;
  }

  ffi::String AssignedName(const SyntaxNode* item) {
    const SyntaxNode* call = NamedCall(item);
    if (call == nullptr) return ffi::String(std::string((*item)[0]->text));
    const CallArguments arguments(builder_, call, {"name", "value"});
    return builder_->String(arguments.Required("name"));
  }

  void ReadItem(const SyntaxNode* item) {
    try {
      if (item->kind == Syntax::kFunction) {
        const auto found = builder_->state().functions.find(item->text);
        if (found == builder_->state().functions.end()) return;
        functions_.Set(found->second, BuildFunction(builder_, item));
      } else if (item->kind == Syntax::kAssign) {
        ReadAssigned(item);
      } else if (const SyntaxNode* call = AttrsCall(item)) {
        const CallArguments arguments(builder_, call, {"attrs"});
        attrs_ = builder_->Attrs(arguments.Required("attrs"));
      } else if (item->kind != Syntax::kPass && !IsText(item)) {
        builder_->Fail(item, "a module has functions and declarations only");
      }
    } catch (const Failure& failure) {
      builder_->state().log->Add(failure);
      if (item->kind == Syntax::kAssign) builder_->Poison((*item)[0]);
    }
  }

  /*! \brief `uir.script.module_attrs({...})`, or null. */
  const SyntaxNode* AttrsCall(const SyntaxNode* item) {
    if (item->kind != Syntax::kExpression || (*item)[0]->kind != Syntax::kCall) return nullptr;
    const std::string_view path = builder_->Path((*(*item)[0])[0]);
    const bool is_call = path == "script.module_attrs" || path == "ir.module_attrs";
    return is_call ? (*item)[0] : nullptr;
  }

  static bool IsText(const SyntaxNode* item) {
    return item->kind == Syntax::kExpression && (*item)[0]->kind == Syntax::kString;
  }

  void ReadAssigned(const SyntaxNode* item) {
    const SyntaxNode* target = (*item)[0];
    if (target->kind != Syntax::kName) builder_->Fail(target, "expected a name to bind");
    const SyntaxNode* call = NamedCall(item);
    const SyntaxNode* value = (*item)[1];
    if (call != nullptr) value = CallArguments(builder_, call, {"name", "value"}).Required("value");
    const bool is_form =
        value->kind == Syntax::kCall && FindAssignForm(builder_->Path((*value)[0])) != nullptr;
    if (!is_form) {
      const ffi::Any known = builder_->Value(value);
      if (const std::optional<ir::BaseFunc> func = known.as<ir::BaseFunc>()) {
        functions_.Set(builder_->state().functions.at(target->text), *func);
        return;
      }
      const bool is_declaration = known.type_index() >= kTVMFFIStaticObjectBegin;
      if (!is_declaration) builder_->Fail(value, "expected a function or a declaration");
      builder_->Declare(target, known);
    } else if (builder_->Statement(item).has_value()) {
      builder_->Fail(item, "a module has functions and declarations only");
    }
    if (--num_items_[target->text] == 0) builder_->state().functions.erase(target->text);
  }

  Builder* builder_;
  const SyntaxNode* node_;
  const SyntaxNode* suite_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions_;
  ffi::Map<ffi::String, ffi::Any> attrs_;
  /*! \brief The names of the functions that `def` defines. */
  std::unordered_set<std::string_view> defined_;
  /*! \brief How many items of each name may be functions; declarations no longer count once read.
   */
  std::unordered_map<std::string_view, int> num_items_;
};

ffi::Any ReadPrimFunc(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator) {
  return FunctionBuilder(builder, node, decorator).Build();
}

TVM_FFI_STATIC_INIT_BLOCK() { RegisterDefinition("prim_func", &ReadPrimFunc); }

}  // namespace

ffi::String FunctionName(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* decorator = DefiningDecorator(builder, node);
  for (uint32_t i = 1; decorator->kind == Syntax::kCall && i < decorator->size; ++i) {
    const SyntaxNode* argument = (*decorator)[i];
    const bool is_name = argument->kind == Syntax::kKeyword && argument->text == "name";
    if (is_name) return builder->String((*argument)[0]);
  }
  return ffi::String(std::string(node->text));
}

bool IsPrivate(Builder* builder, const SyntaxNode* decorator) {
  if (decorator->kind != Syntax::kCall) return false;
  const SyntaxNode* value = DecoratorArguments(builder, decorator)["private"];
  return value != nullptr && builder->Bool(value);
}

size_t DeclareShapes(Builder* builder, const SyntaxNode* suite) {
  size_t next = 0;
  for (; next < suite->size; ++next) {
    const SyntaxNode* stmt = (*suite)[next];
    if (stmt->kind == Syntax::kExpression && (*stmt)[0]->kind == Syntax::kString) continue;
    if (stmt->kind != Syntax::kAssign || (*stmt)[1]->kind != Syntax::kCall) break;
    const std::string_view path = builder->Path((*(*stmt)[1])[0]);
    const bool is_declared = path == "tir.Var" || path == "tir.SizeVar" || path == "tir.var" ||
                             BuildSymbolicVar(builder, (*stmt)[0], (*stmt)[1], path).has_value();
    if (!is_declared) break;
    builder->Statement(stmt);
  }
  return next;
}

ir::BaseFunc BuildFunction(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* decorator = DefiningDecorator(builder, node);
  const std::string_view name = NameOfDecorator(builder, decorator);
  for (uint32_t i = 3; i < node->size; ++i) {
    const SyntaxNode* param = (*node)[i];
    const bool is_plain = (*param)[1] == nullptr && (*param)[2] == nullptr;
    if (!is_plain) builder->Fail(param, "only a macro has defaults, `*` and `**`");
  }
  return FindDefinition(name)(builder, node, decorator).cast<ir::BaseFunc>();
}

bool ReadMacro(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kFunction) return false;
  const bool is_macro = FindDecorator(builder, (*node)[2], "macro") != nullptr ||
                        FindDecorator(builder, (*node)[2], "inline") != nullptr;
  if (is_macro) builder->state().macros.insert_or_assign(node->text, node);
  return is_macro;
}

ffi::Any BuildFunctions(Builder* builder, const SyntaxNode* text) {
  return ModuleBuilder(builder, text, text).Build();
}

ffi::Any BuildModule(Builder* builder, const SyntaxNode* node) {
  return ModuleBuilder(builder, node, (*node)[0]).Build();
}

}  // namespace uir::script
