/*!
 * \file uir/script/forms.h
 * \brief Forms of types: how one prints, and what a call by name means when a text is read.
 *
 * \code
 *   TVM_FFI_STATIC_INIT_BLOCK() {
 *     uir::script::RegisterPrinter("toy.Clamp", [](Printer* p, const ffi::Object* node, Precedence)
 * { auto* clamp = static_cast<const toy::ClampNode*>(node); p->Write("toy.clamp(");
 *       p->PrintExpr(clamp->value.get());
 *       p->Write(")");
 *     });
 *     uir::script::RegisterSyntax("toy.clamp", &ReadClamp);
 *   }
 * \endcode
 */
#ifndef UIR_SCRIPT_FORMS_H_
#define UIR_SCRIPT_FORMS_H_

#include <uir/script/printer.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace uir::script {

class Builder;
struct SyntaxNode;

/*! \brief Writes a node inside an expression; looser than `at_least` it stands in parentheses. */
using PrintFunction =
    std::function<void(Printer* printer, const ffi::Object* node, Precedence at_least)>;

/*! \brief Makes a function, a `BaseFunc`, from its definition and the decorator above it. */
using ReadDefinitionFunction = ffi::Any (*)(Builder* builder, const SyntaxNode* definition,
                                            const SyntaxNode* decorator);

/*! \brief Writes a statement in lines of its own. */
using PrintStmtFunction = void (*)(Printer* printer, const ffi::Object* stmt);

/*!
 * \brief Writes a function as a definition, from its decorator to its last statement.
 * \param name The identifier that the text gives it.
 * \param real_name The name that it has in its module.
 */
using PrintDefinitionFunction = void (*)(Printer* printer, const ffi::Object* func,
                                         const std::string& name, const ffi::String& real_name);

/*! \brief Makes the value of a call from its syntax. */
using ReadFunction = std::function<ffi::Any(Builder* builder, const SyntaxNode* call)>;

/*!
 * \brief Give a type a form inside expressions.
 * \throws ValueError if it has one.
 */
void RegisterPrinter(const std::string& type_key, PrintFunction function);

/*! \brief Give a type of statements a form in lines of its own. */
void RegisterStmtPrinter(const std::string& type_key, PrintStmtFunction function);

/*! \brief Give a type of functions a form as a definition. */
void RegisterDefinitionPrinter(const std::string& type_key, PrintDefinitionFunction function);

/*!
 * \brief Give functions below a decorator a meaning.
 * \param decorator Its name, without the package: `prim_func`.
 * \throws ValueError if there is one.
 */
void RegisterDefinition(const std::string& decorator, ReadDefinitionFunction function);

/*!
 * \brief Give calls of a dotted name a meaning.
 * \throws ValueError if they have one.
 */
void RegisterSyntax(const std::string& name, ReadFunction function);

/*! \brief The form of a type, or null. */
const PrintFunction* FindPrinter(std::string_view type_key);
PrintStmtFunction FindStmtPrinter(std::string_view type_key);
PrintDefinitionFunction FindDefinitionPrinter(std::string_view type_key);

/*! \brief What functions below a decorator are, or null. */
ReadDefinitionFunction FindDefinition(std::string_view decorator);

/*! \brief The meaning of calls of a name, or null. */
const ReadFunction* FindSyntax(std::string_view name);

/*! \brief The names that calls may have, for suggestions. */
void ListSyntax(std::vector<std::string>* names);

}  // namespace uir::script

#endif  // UIR_SCRIPT_FORMS_H_
