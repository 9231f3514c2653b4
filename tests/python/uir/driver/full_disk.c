/* Loaded before the C library: file systems are full while the file that FULL names exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int is_full(void) {
  const char* file = getenv("FULL");
  return file != NULL && access(file, F_OK) == 0;
}

int statvfs(const char* path, struct statvfs* found) {
  int (*next)(const char*, struct statvfs*) = dlsym(RTLD_NEXT, "statvfs");
  const int status = next(path, found);
  if (status == 0 && is_full()) found->f_bfree = found->f_bavail = 0;
  return status;
}

int statvfs64(const char* path, struct statvfs64* found) {
  int (*next)(const char*, struct statvfs64*) = dlsym(RTLD_NEXT, "statvfs64");
  const int status = next(path, found);
  if (status == 0 && is_full()) found->f_bfree = found->f_bavail = 0;
  return status;
}
