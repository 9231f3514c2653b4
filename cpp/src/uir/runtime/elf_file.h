/*!
 * \file elf_file.h
 * \brief Reads objects and libraries without mapping them (System V ABI, "Object Files"; symbol
 * versions: Linux Standard Base, "Symbol Versioning").
 */
#ifndef UIR_SRC_RUNTIME_ELF_FILE_H_
#define UIR_SRC_RUNTIME_ELF_FILE_H_

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#if __has_include(<elf.h>)
#include <elf.h>
#endif

namespace uir::runtime {

/*! \brief A file that is read at offsets, and never mapped. */
class LibraryFile {
 public:
  /*! \brief Open a file; a pipe without a writer does not block. */
  explicit LibraryFile(const std::string& path);
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;
  ~LibraryFile();

  /*! \brief Why it cannot be read; empty if it can. */
  const std::string& problem() const { return problem_; }
  uint64_t size() const { return static_cast<uint64_t>(status_.st_size); }

  /*! \brief Whether the file has all of these bytes. */
  bool Has(uint64_t offset, uint64_t count) const {
    return offset <= size() && count <= size() - offset;
  }

  /*! \brief Read plain values; false if the file is too short. */
  template <typename T>
  bool Read(uint64_t offset, std::vector<T>* values) const {
    return ReadBytes(offset, values->size() * sizeof(T), reinterpret_cast<char*>(values->data()));
  }

 private:
  bool ReadBytes(uint64_t offset, size_t count, char* bytes) const;

  int fd_;
  struct stat status_ = {};
  std::string problem_;
};

#if __has_include(<elf.h>)

#if __SIZEOF_POINTER__ == 8
using Header = Elf64_Ehdr;
using Segment = Elf64_Phdr;
using Section = Elf64_Shdr;
using Symbol = Elf64_Sym;
using NeededFile = Elf64_Verneed;
using NeededVersion = Elf64_Vernaux;
#else
using Header = Elf32_Ehdr;
using Segment = Elf32_Phdr;
using Section = Elf32_Shdr;
using Symbol = Elf32_Sym;
using NeededFile = Elf32_Verneed;
using NeededVersion = Elf32_Vernaux;
#endif

/*! \brief The headers of an ELF file, as far as the file contains them. */
class ElfFile {
 public:
  explicit ElfFile(const LibraryFile& file);

  bool is_elf() const { return is_elf_; }
  bool is_complete() const { return is_complete_; }
  const Header& header() const { return header_[0]; }

  /*! \brief Whether the class and the byte order of the headers are those of this machine. */
  bool is_native() const;

  /*! \brief Whether it defines a symbol with a prefix; true for a file without sections. */
  bool Defines(std::string_view prefix) const;

  /*! \brief The names of the symbol versions that it needs from other libraries, in order. */
  std::set<std::string> NeededVersions() const;

 private:
  bool ReadHeader();
  bool ReadTables();
  bool HasContents() const;
  bool TableDefines(const Section& table, std::string_view prefix) const;

  /*! \brief The bytes of a section; empty if the file lacks them. */
  std::vector<char> Content(const Section& section) const;

  /*! \brief Add the versions of a section: a list of files, each with a list of its versions. */
  void AddVersions(const Section& section, std::set<std::string>* versions) const;

  const LibraryFile& file_;
  std::vector<Header> header_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  bool is_elf_ = false;
  bool is_complete_ = false;
};

#endif

}  // namespace uir::runtime

#endif  // UIR_SRC_RUNTIME_ELF_FILE_H_
