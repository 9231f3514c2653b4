# How libraries are linked on a system: CMake's counterpart of tschema/platforms.py. Linux is what all
# tests build on; macOS and Windows are untried.
include_guard(GLOBAL)

# Sets `result` to the options that refuse what is left undefined in a shared library. The linkers of
# macOS and Windows do so by themselves.
function(tschema_closed_link_options result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_SYSTEM_NAME MATCHES "^(Darwin|Windows)$")
    set(${result} -Wl,--no-undefined PARENT_SCOPE)
  endif()
endfunction()

# Sets `result` to the options by which a call within a library goes straight to its function.
function(tschema_direct_call_options result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_SYSTEM_NAME MATCHES "^(Darwin|Windows)$")
    set(${result} -Wl,-Bsymbolic-functions PARENT_SCOPE)
  endif()
endfunction()

# Sets `result` to folders relative to a library's own, as its loader writes them; nothing on Windows,
# whose loader has no such record.
function(tschema_loader_paths result)
  set(origin "$ORIGIN")
  if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
    set(origin "@loader_path")
  endif()
  list(TRANSFORM ARGN PREPEND "${origin}/" OUTPUT_VARIABLE paths)
  if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
    set(paths "")
  endif()
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()
