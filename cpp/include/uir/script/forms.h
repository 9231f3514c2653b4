/*!
 * \file uir/script/forms.h
 * \brief Custom syntax: printers of types, and parsers of calls by name.
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

/*! \brief Prints a node inside an expression, in parentheses if it binds more loosely than
 * `at_least`. */
using PrintFunction =
    std::function<void(Printer* printer, const ffi::Object* node, Precedence at_least)>;

/*! \brief Makes a function, a `BaseFunc`, from its definition and the decorator above it. */
using ReadDefinitionFunction = ffi::Any (*)(Builder* builder, const SyntaxNode* definition,
                                            const SyntaxNode* decorator);

/*! \brief Prints a statement on its own lines. */
using PrintStmtFunction = void (*)(Printer* printer, const ffi::Object* stmt);

/*!
 * \brief Prints a function definition, from its decorator to its last statement.
 * \param name Its identifier in the text.
 * \param real_name Its name in the module.
 */
using PrintDefinitionFunction = void (*)(Printer* printer, const ffi::Object* func,
                                         const std::string& name, const ffi::String& real_name);

/*! \brief Makes the value of a call from its syntax. */
using ReadFunction = std::function<ffi::Any(Builder* builder, const SyntaxNode* call)>;

/*!
 * \brief Register a printer of expressions of a type.
 * \throws ValueError if it has one.
 */
void RegisterPrinter(const std::string& type_key, PrintFunction function);

/*! \brief Register a printer of statements of a type. */
void RegisterStmtPrinter(const std::string& type_key, PrintStmtFunction function);

/*! \brief Register a printer of function definitions of a type. */
void RegisterDefinitionPrinter(const std::string& type_key, PrintDefinitionFunction function);

/*!
 * \brief Register a parser of definitions with a decorator.
 * \param decorator Its name, without the package: `prim_func`.
 * \throws ValueError if the decorator has a parser already.
 */
void RegisterDefinition(const std::string& decorator, ReadDefinitionFunction function);

/*!
 * \brief Register a parser of calls of a dotted name.
 * \throws ValueError if these calls have a parser already.
 */
void RegisterSyntax(const std::string& name, ReadFunction function);

/*! \brief The printer of a type, or null. */
const PrintFunction* FindPrinter(std::string_view type_key);
PrintStmtFunction FindStmtPrinter(std::string_view type_key);
PrintDefinitionFunction FindDefinitionPrinter(std::string_view type_key);

/*! \brief The parser of definitions with a decorator, or null. */
ReadDefinitionFunction FindDefinition(std::string_view decorator);

/*! \brief The parser of calls of a name, or null. */
const ReadFunction* FindSyntax(std::string_view name);

/*! \brief The registered names of calls, for suggestions. */
void ListSyntax(std::vector<std::string>* names);

}  // namespace uir::script

#endif  // UIR_SCRIPT_FORMS_H_
