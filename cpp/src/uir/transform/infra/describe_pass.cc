// Descriptions of passes, one line each.
#include <tschema/stack_guard.h>
#include <uir/transform/passes.h>

#include <sstream>
#include <string>

namespace uir::transform {

namespace {

class Describer {
 public:
  std::string Describe(const Pass& pass) {
    Visit(pass, "");
    return out_.str();
  }

 private:
  /*! \param number The pass's number in the sequences around it: `2.1.`. */
  void Visit(const Pass& pass, const std::string& number) {
    if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { Visit(pass, number); });
    if (!number.empty()) out_ << '\n' << number << ' ';
    WriteInfo(pass->pass_info);
    const auto* sequential = pass.as<SequentialNode>();
    if (sequential == nullptr) return;
    int count = 0;
    for (const Pass& one : sequential->passes) Visit(one, number + std::to_string(++count) + '.');
  }

  void WriteInfo(const PassInfo& info) {
    out_ << info->name << " (level " << info->opt_level;
    const char* separator = ", after ";
    for (const ffi::String& name : info->required) {
      out_ << separator << name;
      separator = " and ";
    }
    out_ << ')';
  }

  std::ostringstream out_;
};

}  // namespace

ffi::String describe_pass(Pass described) { return Describer().Describe(described); }

}  // namespace uir::transform
