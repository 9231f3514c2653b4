/*!
 * \file value_fields.cc
 * \brief Compares the forms of fields in a file with those of their present types.
 */
#include "./value_fields.h"

#include <utility>

#include "../load_error.h"

namespace tschema {
namespace {

/*! \brief For each step of a codec, whether the file holds the field's value. */
std::vector<bool> HoldsValue(const std::vector<std::string>& names, const TypeCodec& codec) {
  std::vector<bool> holds_value(codec.steps.size());
  for (const std::string& name : names) {
    const int64_t position = codec.Find(name);
    if (position >= 0) holds_value[static_cast<size_t>(position)] = true;
  }
  return holds_value;
}

bool IsAsNow(const std::vector<bool>& holds_value, const TypeCodec& codec) {
  for (size_t index = 0; index < holds_value.size(); ++index) {
    if (holds_value[index] != codec.steps[index].is_inline()) return false;
  }
  return true;
}

}  // namespace

void ValueFields::Read(JSONScanner* scanner) {
  text_ = scanner->SkipValue();
  if (text_.front() != '{') FailType("`" + std::string(kValueFieldsMember) + "` is not an object");
}

void ValueFields::Parse() {
  is_parsed_ = true;
  JSONScanner scanner(text_);
  scanner.Expect('{');
  if (scanner.TryMark('}')) return;
  do {
    std::string key(scanner.ReadString());
    Names names;
    scanner.Expect(':');
    scanner.Expect('[');
    bool is_empty = scanner.TryMark(']');
    while (!is_empty) {
      names.emplace_back(scanner.ReadString());
      if (!scanner.More(']')) break;
    }
    names_[std::move(key)] = std::move(names);
  } while (scanner.More('}'));
}

bool ValueFields::IsAsWritten(const TypeCodec& codec) const {
  const bool has_values = codec.value_fields.back() == ']';
  return (text_.find(codec.value_fields) != std::string_view::npos) == has_values;
}

FileType ValueFields::Find(std::string_view key) {
  FileType type = FindFileType(key);
  bool has_fields = type.codec != nullptr && type.codec->form == DataForm::kFields;
  if (has_fields) type.codec = CodecOf(type.key, *type.codec);
  return type;
}

const TypeCodec* ValueFields::CodecOf(std::string_view key, const TypeCodec& codec) {
  if (key == codec.type->key && IsAsWritten(codec)) return &codec;
  if (!is_parsed_) Parse();
  std::string name(key);
  auto known = codecs_.find(name);
  if (known != codecs_.end()) return known->second.get();
  // The writer leaves out types without such fields.
  std::vector<bool> holds_value = HoldsValue(names_[name], codec);
  if (IsAsNow(holds_value, codec)) return &codec;
  std::unique_ptr<TypeCodec> adapted = detail::CopyTypeCodec(codec);
  for (size_t index = 0; index < holds_value.size(); ++index) {
    FieldStep& step = adapted->steps[index];
    if (holds_value[index] == step.is_inline()) continue;
    step.inline_type = holds_value[index] ? kAnyInline : int32_t{kTVMFFIAny};
  }
  return (codecs_[std::move(name)] = std::move(adapted)).get();
}

}  // namespace tschema
