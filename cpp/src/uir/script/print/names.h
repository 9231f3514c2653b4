/*!
 * \file names.h
 * \brief Identifiers for variables: valid, not taken, and like the names that they have.
 */
#ifndef UIR_SCRIPT_PRINT_NAMES_H_
#define UIR_SCRIPT_PRINT_NAMES_H_

#include <uir/script/text.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace uir::script {

/*! \brief Whether a text is an identifier of ASCII characters and no keyword of Python. */
bool IsIdentifier(Text text);

/*! \brief Whether a name is a keyword, or starts the name of a type. */
bool IsReserved(Text name);

/*! \brief The names in use. */
class NameTable {
 public:
  NameTable();

  /*! \brief Take a name that is free in the present scope. */
  std::string Take(Text wanted) { return Find(wanted, kTaken); }
  /*! \brief Take a name permanently that has never been used. */
  std::string TakeForever(Text wanted) { return Find(wanted, kTaken | kEver); }
  /*! \brief Reserve this name permanently. */
  void Reserve(const std::string& name) { flags_[name] = kTaken | kEver; }
  /*! \brief Give a name back. */
  void Release(const std::string& name);

 private:
  static constexpr int kTaken = 1;
  static constexpr int kEver = 2;

  std::string Find(Text wanted, int blocking);

  /*! \brief The numbers that the next `name_1` is tried with: all below them are blocked. */
  struct Next {
    int free = 1;
    int unused = 1;
  };

  std::unordered_map<std::string, int> flags_;
  std::unordered_map<std::string, Next> next_;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_NAMES_H_
