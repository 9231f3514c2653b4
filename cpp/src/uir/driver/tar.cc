/*!
 * \file tar.cc
 * \brief A header of 512 bytes for each file, then its content in blocks of 512 bytes.
 */
#include "./tar.h"

#include <tvm/ffi/error.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace uir::driver {

namespace {

constexpr size_t kTarBlock = 512;
constexpr size_t kNameLength = 100;
constexpr uint64_t kLargest = uint64_t{1} << 33;

/*! \brief The header of a file; its fields are octal numbers in text. */
struct Header {
  char name[kNameLength];
  char mode[8];
  char owner[8];
  char group[8];
  char size[12];
  char changed[12];
  char checksum[8];
  char kind;
  char link[kNameLength];
  char magic[6];
  char version[2];
  char rest[247];
};
static_assert(sizeof(Header) == kTarBlock);

void PutOctal(char* field, size_t length, uint64_t value) {
  std::snprintf(field, length, "%0*llo", static_cast<int>(length) - 1,
                static_cast<unsigned long long>(value));
}

/*! \brief The sum of the header's bytes, with blanks for the sum itself. */
uint64_t Checksum(Header header) {
  std::memset(header.checksum, ' ', sizeof(header.checksum));
  std::array<unsigned char, kTarBlock> bytes;
  std::memcpy(bytes.data(), &header, kTarBlock);
  uint64_t sum = 0;
  for (const unsigned char byte : bytes) sum += byte;
  return sum;
}

}  // namespace

void TarArchive::Add(std::string_view name, std::string_view content) {
  TVM_FFI_ICHECK(name.size() < kNameLength);
  TVM_FFI_ICHECK(content.size() < kLargest);
  Header header = {};
  std::memcpy(header.name, name.data(), name.size());
  PutOctal(header.mode, sizeof(header.mode), 0644);
  PutOctal(header.owner, sizeof(header.owner), 0);
  PutOctal(header.group, sizeof(header.group), 0);
  PutOctal(header.size, sizeof(header.size), content.size());
  PutOctal(header.changed, sizeof(header.changed), 0);
  header.kind = '0';
  std::memcpy(header.magic, "ustar", sizeof(header.magic));
  std::memcpy(header.version, "00", sizeof(header.version));
  PutOctal(header.checksum, sizeof(header.checksum), Checksum(header));
  bytes_.append(reinterpret_cast<const char*>(&header), kTarBlock);
  bytes_ += content;
  bytes_.append((kTarBlock - content.size() % kTarBlock) % kTarBlock, '\0');
}

std::string TarArchive::Finish() {
  bytes_.append(2 * kTarBlock, '\0');
  return std::move(bytes_);
}

}  // namespace uir::driver
