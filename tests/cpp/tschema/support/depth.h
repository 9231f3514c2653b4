/*!
 * \file depth.h
 * \brief How deep the objects are that show that nothing recurses without bound.
 */
#ifndef TSCHEMA_TESTS_SUPPORT_DEPTH_H_
#define TSCHEMA_TESTS_SUPPORT_DEPTH_H_

#include <cstdlib>
#include <string_view>

/*!
 * \brief Levels of a deep object: a million in `make test-deep`, and for each engine in Python's
 * tests.
 *
 * No recursion survives the fewer here either: a level has some 80 bytes of a stack of 8 MB.
 */
inline const int kDeep = [] {
  const char* depth = std::getenv("TSCHEMA_DEPTH");
  return depth == nullptr || std::string_view(depth) == "1" ? 100'000 : 1'000'000;
}();

#endif  // TSCHEMA_TESTS_SUPPORT_DEPTH_H_
