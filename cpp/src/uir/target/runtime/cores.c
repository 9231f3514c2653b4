// The processors that the process may use.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#define _GNU_SOURCE 1
#include <stdbool.h>
#include <stdint.h>

//! helper num_cores
//! in the first unit
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The folder that has the file systems of Linux; tests have one of their own.
#ifndef UIR_SYSTEM_ROOT
#define UIR_SYSTEM_ROOT ""
#endif

// The cores that a thread may use; 0 is the calling one.
static int32_t affinity_num_cores(int32_t thread) {
#ifdef __linux__
  // A mask that is too small for the system is an error.
  for (size_t size = sizeof(cpu_set_t); size <= 64 * sizeof(cpu_set_t); size *= 2) {
    cpu_set_t* cores = (cpu_set_t*)calloc(1, size);
    const bool is_read = cores != NULL && sched_getaffinity(thread, size, cores) == 0;
    const int count = is_read ? CPU_COUNT_S(size, cores) : 0;
    free(cores);
    if (count > 0) return count;
  }
#endif
  (void)thread;
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

static FILE* open_in(const char* folder, const char* name) {
  char path[PATH_MAX];
  const int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
  return length < (int)sizeof(path) ? fopen(path, "r") : NULL;
}

// Reads a number of microseconds from a file of its own; 0 if it is missing.
static long long microseconds(const char* folder, const char* name) {
  long long number = 0;
  FILE* file = open_in(folder, name);
  if (file == NULL) return 0;
  if (fscanf(file, "%lld", &number) != 1) number = 0;
  fclose(file);
  return number;
}

// The cores whose time a control group grants, rounded up; INT32_MAX if it grants all.
static int32_t group_num_cores(const char* folder) {
  long long quota = 0, period = 0;
  FILE* limit = open_in(folder, "cpu.max");
  if (limit != NULL) {
    // Without a quota, the first word is not a number.
    if (fscanf(limit, "%lld %lld", &quota, &period) != 2) quota = 0;
    fclose(limit);
  } else {
    quota = microseconds(folder, "cpu.cfs_quota_us");
    period = microseconds(folder, "cpu.cfs_period_us");
  }
  if (quota < 1 || period < 1 || quota / period >= INT32_MAX) return INT32_MAX;
  return (int32_t)(quota / period + (quota % period != 0));
}

static bool has_controller(const char* names, const char* name) {
  const size_t length = strlen(name);
  while (strncmp(names, name, length) != 0 || (names[length] != ',' && names[length] != 0)) {
    names = strchr(names, ',');
    if (names == NULL) return false;
    ++names;
  }
  return true;
}

// The least of a group and those around it. In a container, outer ones may be out of sight.
static int32_t nested_num_cores(const char* base, const char* group) {
  char folder[PATH_MAX];
  const int length = snprintf(folder, sizeof(folder), "%s%s", base, group);
  if (length >= (int)sizeof(folder)) return group_num_cores(base);
  int32_t least = INT32_MAX;
  for (char* end = folder + length; end != NULL; end = strrchr(folder + strlen(base), '/')) {
    *end = 0;
    const int32_t cores = group_num_cores(folder);
    if (cores < least) least = cores;
  }
  return least;
}

// The cores whose time the control groups of the process grant, of either version.
static int32_t granted_num_cores(void) {
  int32_t least = group_num_cores(UIR_SYSTEM_ROOT "/sys/fs/cgroup");
  FILE* groups = fopen(UIR_SYSTEM_ROOT "/proc/self/cgroup", "r");
  if (groups == NULL) return least;
  // Each line is `number:controllers:group`; version 2 names no controllers.
  for (char line[PATH_MAX]; fgets(line, sizeof(line), groups) != NULL;) {
    line[strcspn(line, "\n")] = 0;
    char* names = strchr(line, ':');
    char* group = names == NULL ? NULL : strchr(names + 1, ':');
    if (group == NULL) continue;
    *group++ = 0;
    const bool is_unified = *++names == 0;
    if (!is_unified && !has_controller(names, "cpu")) continue;
    const char* base =
        is_unified ? UIR_SYSTEM_ROOT "/sys/fs/cgroup" : UIR_SYSTEM_ROOT "/sys/fs/cgroup/cpu";
    const int32_t cores = nested_num_cores(base, group);
    if (cores < least) least = cores;
  }
  fclose(groups);
  return least;
}

// The cores of a thread's affinity, or as many as their time is granted to the control groups.
static int32_t num_cores(int32_t thread) {
  const int32_t cores = affinity_num_cores(thread), granted = granted_num_cores();
  return cores < granted ? cores : granted;
}
