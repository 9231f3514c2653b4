// The forms of types.
#include "./declared_form.h"

#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <algorithm>
#include <cctype>

#include "./type_fields.h"

namespace uir::script {

namespace {

/*! \brief Reads the text of a form from left to right. */
class FormParser {
 public:
  FormParser(const TypeFields& type, std::string_view text) : type_(type), rest_(text) {}

  DeclaredForm Parse() {
    DeclaredForm form;
    if (TakeWord("for")) {
      form.kind = DeclaredForm::Kind::kFor;
      form.target = TakeField();
      if (!TakeWord("in")) Fail("expected `in`");
    } else if (TakeWord("with")) {
      form.kind = DeclaredForm::Kind::kWith;
    } else if (Next() == '{') {
      form.kind = DeclaredForm::Kind::kAssign;
      form.target = TakeField();
      Expect('=');
    }
    ParseCall(&form);
    if (form.kind == DeclaredForm::Kind::kWith && TakeWord("as")) form.target = TakeField();
    if (Next() != '\0') Fail("expected the end of the form");
    AddRest(&form);
    return form;
  }

 private:
  void ParseCall(DeclaredForm* form) {
    const std::string path(TakeName());
    form->path = path.compare(0, 4, "uir.") == 0 ? path.substr(4) : path;
    if (form->path.find('.') == std::string::npos) Fail("expected a name with a dot");
    Expect('(');
    while (Next() != ')') {
      if (!form->arguments.empty()) Expect(',');
      const bool is_positional = Next() == '{';
      std::string name;
      if (!is_positional) {
        name = std::string(TakeName());
        Expect('=');
      }
      const size_t index = TakeField();
      if (is_positional) name = std::string(type_.arguments[index].field->name);
      form->arguments.push_back({index, name, is_positional});
    }
    Expect(')');
  }

  /*! \brief Add the fields that the form does not mention: the suite, and optional ones. */
  void AddRest(DeclaredForm* form) {
    const bool has_suite =
        form->kind == DeclaredForm::Kind::kFor || form->kind == DeclaredForm::Kind::kWith;
    for (size_t i = 0; i < type_.arguments.size(); ++i) {
      if (is_taken_[i]) continue;
      const TypeFields::Argument& argument = type_.arguments[i];
      if (argument.has_default) {
        form->arguments.push_back({i, std::string(argument.field->name), false});
      } else if (has_suite && !form->suite && IsOf<tir::StmtNode>(argument)) {
        form->suite = i;
      } else {
        Fail("no place for the field `" + std::string(argument.field->name) + "`");
      }
    }
    if (has_suite && !form->suite) Fail("no field is the suite");
    if (form->target && !IsOf<tir::VarNode>(type_.arguments[*form->target])) {
      Fail("the variable is not a `uir.tir.Var`");
    }
  }

  /*! \brief Whether a field holds a node of a type, maybe an optional one. */
  template <typename Node>
  static bool IsOf(const TypeFields::Argument& argument) {
    const tschema::TypeExpr* type = argument.field->type;
    if (type->kind == tschema::TypeExpr::Kind::kOptional) type = &type->arguments[0];
    return type->kind == tschema::TypeExpr::Kind::kObject &&
           ffi::detail::IsObjectInstance<Node>(type->type_index);
  }

  char Next() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }

  void Expect(char sign) {
    if (Next() != sign) Fail(std::string("expected `") + sign + "`");
    rest_.remove_prefix(1);
  }

  bool TakeWord(std::string_view word) {
    Next();
    if (rest_.substr(0, word.size()) != word || rest_.substr(word.size(), 1) != " ") return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string_view TakeName() {
    Next();
    const auto* const end = std::find_if_not(rest_.begin(), rest_.end(), [](char one) {
      return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_' || one == '.';
    });
    const std::string_view name = rest_.substr(0, end - rest_.begin());
    if (name.empty()) Fail("expected a name");
    rest_.remove_prefix(name.size());
    return name;
  }

  /*! \brief `{name}`: the index of a field that the form has not mentioned before. */
  size_t TakeField() {
    Expect('{');
    const std::string name(TakeName());
    Expect('}');
    for (size_t i = 0; i < type_.arguments.size(); ++i) {
      if (type_.arguments[i].field->name != name) continue;
      if (is_taken_[i]) Fail("the field `" + name + "` occurs twice");
      is_taken_[i] = true;
      return i;
    }
    Fail("no argument `" + name + "`");
  }

  [[noreturn]] void Fail(const std::string& message) const {
    TVM_FFI_THROW(ValueError) << "the form `" << type_.info->script << "` of `" << type_.info->key
                              << "`: " << message;
    TVM_FFI_UNREACHABLE();
  }

  const TypeFields& type_;
  std::string_view rest_;
  std::vector<bool> is_taken_ = std::vector<bool>(type_.arguments.size());
};

}  // namespace

DLDataType DeclaredForm::TargetType(const TypeFields& type,
                                    const std::vector<ffi::Any>& values) const {
  for (const Argument& argument : arguments) {
    if (!TakesExpr(type.arguments[argument.index].field->type)) continue;
    if (const auto* expr = values[argument.index].as<ir::PrimExprNode>()) return expr->dtype;
  }
  return ir::IntType(32);
}

DeclaredForm FormOfFields(const TypeFields& type) {
  DeclaredForm form;
  const std::string_view key = type.info->key;
  form.path = std::string(key.substr(0, 4) == "uir." ? key.substr(4) : key);
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    form.arguments.push_back({i, std::string(type.arguments[i].field->name), false});
  }
  return form;
}

DeclaredForm ParseDeclaredForm(const TypeFields& type, std::string_view text) {
  return FormParser(type, text).Parse();
}

const TypeFields* FindDeclaredForm(std::string_view path) {
  const TypeFields* found = nullptr;
  for (const int32_t type_index : tschema::TypesWithScript()) {
    const TypeFields& type = TypeFields::Of(type_index);
    if (!type.form || type.form->path != path) continue;
    if (found != nullptr) {
      TVM_FFI_THROW(ValueError) << "`" << found->info->key << "` and `" << type.info->key
                                << "` declare the form `" << path << "` both";
    }
    found = &type;
  }
  return found;
}

void ListDeclaredForms(std::vector<std::string>* names) {
  for (const int32_t type_index : tschema::TypesWithScript()) {
    const TypeFields& type = TypeFields::Of(type_index);
    if (type.form) names->push_back(type.form->path);
  }
}

}  // namespace uir::script
