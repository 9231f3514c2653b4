# Precompiles the headers of tvm-ffi and of the standard library that most sources include: a third
# of the time of a compilation goes into reading them. Our own headers stay out, so that a changed
# schema compiles only the sources that include its headers. Where sources are joined, that would save
# 2 % at most.
#
# A compiler cache serves better: it is shared by several checkouts, and a precompiled header, which
# differs from checkout to checkout, would keep it from finding anything.
include_guard(GLOBAL)

if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# tschema_precompile(TARGET headers...): the common headers, and more for this target.
function(tschema_precompile target)
  target_precompile_headers(
    ${target} PRIVATE <algorithm> <unordered_map> <unordered_set> <tvm/ffi/tvm_ffi.h> ${ARGN}
  )
endfunction()
