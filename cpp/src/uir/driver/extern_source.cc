/*!
 * \file extern_source.cc
 * \brief Finds the sources of external functions, and compiles them.
 */
#include "./extern_source.h"

#include <tvm/ffi/error.h>
#include <uir/ir/function.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace uir::driver {

namespace {

/*! \brief How the text of a program declares a function. */
struct Declaration {
  std::string result;
  std::vector<std::string> types;
};

std::optional<Declaration> FindDeclaration(const std::string& program, const std::string& symbol) {
  const std::string head = "\nextern ";
  const std::string name = " " + symbol + "(";
  for (size_t at = program.find(head); at != program.npos; at = program.find(head, at + 1)) {
    const size_t begin = at + head.size();
    const std::string line = program.substr(begin, program.find('\n', begin) - begin);
    const size_t open = line.find(name);
    if (open == line.npos) continue;
    Declaration found{line.substr(0, open), {}};
    std::string types = line.substr(open + name.size());
    types.resize(types.rfind(')'));
    while (!types.empty() && types != "void") {
      const size_t end = types.find(", ");
      found.types.push_back(types.substr(0, end));
      types = end == types.npos ? "" : types.substr(end + 2);
    }
    return found;
  }
  return std::nullopt;
}

/*! \brief A function of C that is never called: it calls another one as the program does. */
std::string CallAsDeclared(const std::string& symbol, const Declaration& declaration) {
  std::string params;
  std::string args;
  for (size_t i = 0; i < declaration.types.size(); ++i) {
    const std::string name = "arg" + std::to_string(i);
    params += (i == 0 ? "" : ", ") + declaration.types[i] + " " + name;
    args += (i == 0 ? "" : ", ") + name;
  }
  const std::string call = symbol + "(" + args + ")";
  return "\n#line 1 \"the call of `" + symbol + "` in the program\"\nstatic inline void call_" +
         symbol + "(" + (params.empty() ? "void" : params) + ") {\n  _Static_assert(" +
         "__builtin_types_compatible_p(__typeof__(" + call + "), " + declaration.result + "),\n" +
         "                 \"`" + symbol + "` must return `" + declaration.result + "`\");\n  " +
         call + ";\n}\n";
}

/*! \brief What makes of wrong arguments errors, where compilers warn by default. */
constexpr const char* kStrict = R"(
#include <stdbool.h>
#include <stdint.h>
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wconversion"
)";

std::string WithCalls(const ExternSource& source, const std::string& program) {
  std::string text = "#line 1 \"" + source.FileName() + "\"\n" + source.text + kStrict;
  for (const std::string& symbol : source.symbols) {
    const std::optional<Declaration> declaration = FindDeclaration(program, symbol);
    if (declaration) text += CallAsDeclared(symbol, *declaration);
  }
  return text;
}

/*! \brief The ending of a file in a language. */
std::string EndingFor(const std::string& language) {
  return language == "asm" ? ".s" : language == "llvm" ? ".ll" : ".c";
}

}  // namespace

std::string ExternSource::FileName() const {
  return "extern_" + symbols.front() + EndingFor(language);
}

std::vector<ExternSource> ExternSourcesOf(const ir::IRModule& module) {
  std::map<std::string, const ir::ExternFuncNode*> functions;
  for (const auto& [var, func] : module->functions) {
    const auto* external = func.as<ir::ExternFuncNode>();
    if (external == nullptr || external->GetAttr("source") == nullptr) continue;
    if (!functions.emplace(external->global_symbol, external).second) {
      TVM_FFI_THROW(ValueError) << "the external function `" << external->global_symbol
                                << "` has several sources";
    }
  }
  std::vector<ExternSource> sources;
  for (const auto& [symbol, func] : functions) {
    ExternSource source{std::string(func->GetAttr("language").as<ffi::String>().value_or("c")),
                        std::string(func->GetAttr("source").cast<ffi::String>()),
                        {symbol}};
    const auto known = std::find_if(sources.begin(), sources.end(), [&](const ExternSource& one) {
      return one.language == source.language && one.text == source.text;
    });
    if (known == sources.end()) {
      sources.push_back(std::move(source));
    } else {
      known->symbols.push_back(symbol);
    }
  }
  return sources;
}

NamedFile CompileExtern(const ExternSource& source, const CSource& program) {
  CSource unit;
  unit.text = source.language == "c" ? WithCalls(source, std::string(program.text)) : source.text;
  unit.flags = program.flags;
  unit.file = "module" + EndingFor(source.language);
  unit.system = program.system;
  return {"extern_" + source.symbols.front() + ".o", CompiledContent(unit, ObjectKind::kObject)};
}

}  // namespace uir::driver
