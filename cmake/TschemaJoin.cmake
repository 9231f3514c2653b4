# Compiles sources that lie side by side as one (a "unity build" of CMake): a first build takes less
# than half of the time, since most of a compilation goes into the same headers and templates.
# `make dev` turns it off, so that an edit compiles one file.
#
# A joined file sees the names of the files before it. Names in anonymous namespaces and in macros
# are therefore unique in a namespace of C++ (tests/python/test_joined_names.py), and any files can
# be joined.
include_guard(GLOBAL)

option(TSCHEMA_JOIN "Compile the sources of a folder as few files" ON)
set(TSCHEMA_JOIN_MOST 48 CACHE STRING "How many sources are joined at most")
option(TSCHEMA_JOIN_ACROSS "Join the sources of different folders: the shortest first build" OFF)
mark_as_advanced(TSCHEMA_JOIN_MOST TSCHEMA_JOIN_ACROSS)
# What is in a smaller folder is joined with what is beside the folder.
set(tschema_JOIN_LEAST 8)

# tschema_join(TARGET): joins what the target has by now, as far as it is asked for.
#
# A new file changes what is joined in its own folder alone.
function(tschema_join target)
  if(NOT TSCHEMA_JOIN)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(SORT sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(TSCHEMA_JOIN_ACROSS)
    _tschema_deal_out("${target}" ${sources})
    return()
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    list(APPEND "in_${folder}" "${source}")
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  # The deepest folders come first, so that the parent of a small one is yet to come.
  list(SORT folders ORDER DESCENDING)
  foreach(folder IN LISTS folders)
    list(LENGTH "in_${folder}" count)
    cmake_path(GET folder PARENT_PATH parent)
    if(count LESS tschema_JOIN_LEAST AND DEFINED "in_${parent}")
      list(APPEND "in_${parent}" ${in_${folder}})
    else()
      _tschema_join_folder("${folder}" ${in_${folder}})
    endif()
  endforeach()
endfunction()

function(_tschema_join_folder folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
  _tschema_deal_out("${name}" ${ARGN})
endfunction()

# Deals sources out to groups of about the same size, whose names begin with that of the folder.
function(_tschema_deal_out folder)
  string(MAKE_C_IDENTIFIER "${folder}" name)
  math(EXPR groups "(${ARGC} - 2) / ${TSCHEMA_JOIN_MOST} + 1")
  math(EXPR size "(${ARGC} - 2) / ${groups} + 1")
  set(index 0)
  foreach(source IN LISTS ARGN)
    math(EXPR group "${index} / ${size}")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${name}_${group}")
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()
