/*!
 * \file names.h
 * \brief Identifiers of C for the variables of a function.
 */
#ifndef UIR_TARGET_NAMES_H_
#define UIR_TARGET_NAMES_H_

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace uir::target {

/*! \brief Whether a text is a name in C. */
bool IsIdentifier(std::string_view text);

/*! \brief A valid identifier for a name, which C does not reserve. */
std::string Identifier(std::string_view wanted);

/*! \brief The names that are visible at a place of a function; blocks forget theirs. */
class Names {
 public:
  /*! \brief Return a name that is not taken, made of the wanted one. */
  std::string Take(std::string_view wanted);

  /*! \brief Begin a block. */
  void Open() { starts_.push_back(order_.size()); }
  /*! \brief End a block, and forget its names. */
  void Close();

 private:
  /*! \brief A name, its base, and the number that the base would have had next before. */
  struct Taken {
    std::string name;
    std::string base;
    int next_before;
  };

  std::unordered_set<std::string> taken_;
  /*! \brief The first number of each base that may be free. */
  std::unordered_map<std::string, int> next_;
  std::vector<Taken> order_;
  std::vector<size_t> starts_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_NAMES_H_
