/*!
 * \file work_folder.cc
 * \brief Folders with names of their own, and files as a whole.
 */
#include "./work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void Fail(const char* what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

}  // namespace

WorkFolder::WorkFolder(const fs::path& parent) {
  std::string name = (parent / "work-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) Fail("cannot make a folder", parent);
  path_ = name;
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

WorkFolder::~WorkFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool WorkFolder::MoveTo(const fs::path& path) {
  std::error_code error;
  fs::rename(path_, path, error);
  if (error) return false;
  path_.clear();
  return true;
}

fs::path WorkFolder::Keep() { return std::exchange(path_, {}); }

void WriteFile(const fs::path& path, std::string_view content) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream) Fail("cannot write a file", path);
}

std::string ReadFile(const fs::path& path) {
  std::string content(fs::file_size(path), '\0');
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream) Fail("cannot read a file", path);
  return content;
}

}  // namespace uir::driver
