// Objects from calls with their fields: declared forms, and calls of types.
#include "../print/declared_form.h"
#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

/*! \brief The values of the arguments of a type, as far as the text gives them. */
struct FieldValues {
  explicit FieldValues(const TypeFields& type)
      : values(type.arguments.size()), is_given(type.arguments.size()) {}

  void Set(size_t index, ffi::Any value) {
    values[index] = std::move(value);
    is_given[index] = true;
  }

  std::vector<ffi::Any> values;
  std::vector<bool> is_given;
};

FieldValues ReadFieldValues(Builder* builder, const SyntaxNode* call, const TypeFields& type,
                            const DeclaredForm& form) {
  std::vector<std::string_view> names;
  for (const DeclaredForm::Argument& argument : form.arguments) names.push_back(argument.name);
  const CallArguments arguments(builder, call, names);
  FieldValues found(type);
  for (const DeclaredForm::Argument& written : form.arguments) {
    const TypeFields::Argument& argument = type.arguments[written.index];
    if (const SyntaxNode* node = arguments[written.name]) {
      found.Set(written.index, builder->Value(node, argument.field->type));
    } else if (!argument.has_default) {
      arguments.Required(written.name);
    }
  }
  return found;
}

ffi::Any Construct(Builder* builder, const SyntaxNode* call, const TypeFields& type,
                   const FieldValues& found) {
  return builder->At(call, [&] {
    ffi::Any object = ConstructObject(type, found.values, found.is_given);
    builder->SetSpan(object.cast<ffi::ObjectRef>().get(), call);
    return object;
  });
}

/*! \brief Bind the name that a statement gives to its variable. */
void BindDeclaredTarget(Builder* builder, const SyntaxNode* call, const SyntaxNode* name,
                        const TypeFields& type, FieldValues* found) {
  const DeclaredForm& form = *type.form;
  if (!form.target) {
    if (name == nullptr) return;
    builder->Fail(name, "`" + form.path + "` has no value to name");
  }
  if (name == nullptr) {
    if (type.arguments[*form.target].has_default) return;
    builder->Fail(call, "expected `as` and the name of a variable");
  }
  if (name->kind != Syntax::kName) builder->Fail(name, "expected the name of a variable");
  found->Set(*form.target, builder->BindVar(name, form.TargetType(type, found->values)));
}

/*! \brief The type whose form a call has; null for another call, an error for an unfit form. */
const TypeFields* FindForm(Builder* builder, const SyntaxNode* call, DeclaredForm::Kind kind) {
  const TypeFields* type = FindDeclaringType(builder, call);
  if (type == nullptr || type->form->kind == kind) return type;
  // The value of an expression is bound like any other.
  if (kind == DeclaredForm::Kind::kAssign && type->form->kind == DeclaredForm::Kind::kCall)
    return nullptr;
  FailMisplaced(builder, call, *type);
}

}  // namespace

void FailMisplaced(Builder* builder, const SyntaxNode* call, const TypeFields& type) {
  builder->Fail(call, "`" + type.form->path + "` cannot stand here",
                "its form is `" + std::string(type.info->script) + "`");
}

ffi::Any BuildObject(Builder* builder, const SyntaxNode* call, const TypeFields& type,
                     const DeclaredForm& form) {
  if (!type.is_written) {
    builder->Fail((*call)[0], "`" + std::string(type.info->key) + "` cannot be made here");
  }
  return Construct(builder, call, type, ReadFieldValues(builder, call, type, form));
}

std::optional<tir::Stmt> BuildDeclaredStmt(Builder* builder, DeclaredForm::Kind kind,
                                           const SyntaxNode* name, const SyntaxNode* call,
                                           const SyntaxNode* suite) {
  const TypeFields* type = FindForm(builder, call, kind);
  if (type == nullptr) return std::nullopt;
  FieldValues found = ReadFieldValues(builder, call, *type, *type->form);
  std::optional<Builder::Scope> scope;
  if (suite != nullptr) scope.emplace(builder);
  BindDeclaredTarget(builder, call, name, *type, &found);
  if (suite != nullptr) found.Set(*type->form->suite, builder->Suite(suite));
  return Construct(builder, call, *type, found).cast<tir::Stmt>();
}

}  // namespace uir::script
