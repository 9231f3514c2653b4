# Finds tvm-ffi in the Python environment: tvm_ffi::shared, tvm_ffi::header.
include_guard(GLOBAL)

# The releases that the sources compile with: from the first one, and before the last one.
set(tschema_tvm_ffi_FIRST 0.1.12)
set(tschema_tvm_ffi_END 0.1.16)
set(tschema_tvm_ffi_REQUIREMENT "apache-tvm-ffi>=${tschema_tvm_ffi_FIRST},<${tschema_tvm_ffi_END}")

# Finds the release that is installed. Sets tschema_tvm_ffi_VERSION.
#
# A macro, because find_package sets what the caller's later calls need. tvm-ffi's own config has
# no include guard, no version file, and accepts a Python without tvm-ffi: all three are checked here.
macro(tschema_find_tvm_ffi)
  find_package(Python COMPONENTS Interpreter REQUIRED)
  _tschema_ask_python(tschema_tvm_ffi_VERSION -c
                      "from importlib.metadata import version\nprint(version('apache-tvm-ffi'))")
  string(REGEX MATCH "^[0-9.]*[0-9]" _tschema_numbers "${tschema_tvm_ffi_VERSION}")
  if(_tschema_numbers VERSION_LESS tschema_tvm_ffi_FIRST
     OR _tschema_numbers VERSION_GREATER_EQUAL tschema_tvm_ffi_END)
    message(FATAL_ERROR "${Python_EXECUTABLE} has apache-tvm-ffi ${tschema_tvm_ffi_VERSION}: "
                        "run `pip install '${tschema_tvm_ffi_REQUIREMENT}'`")
  endif()
  if(NOT TARGET tvm_ffi::shared)
    _tschema_ask_python(_tschema_tvm_ffi_dir -m tvm_ffi.config --cmakedir)
    set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
    find_package(tvm_ffi CONFIG REQUIRED PATHS "${_tschema_tvm_ffi_dir}" NO_DEFAULT_PATH)
    unset(CMAKE_MESSAGE_LOG_LEVEL)
  endif()
endmacro()

# Sets `result` to the group of the release that was found: `ffi-0.1.15`.
function(tschema_tvm_ffi_group result)
  find_file(
    tschema_FFI_GROUPS_PROGRAM ffi_groups.py
    PATHS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tschema"
          "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.."
    NO_DEFAULT_PATH REQUIRED
  )
  mark_as_advanced(tschema_FFI_GROUPS_PROGRAM)
  _tschema_ask_python(group -I -S "${tschema_FFI_GROUPS_PROGRAM}" "${tschema_tvm_ffi_VERSION}")
  set(${result} "${group}" PARENT_SCOPE)
endfunction()

# tschema_library_dir(result folder): the folder below it for the group of the release that was found,
# which wheels of several groups have; else the folder itself.
function(tschema_library_dir result folder)
  tschema_tvm_ffi_group(group)
  file(GLOB entries LIST_DIRECTORIES TRUE RELATIVE "${folder}" "${folder}/*")
  set(others ${entries})
  list(FILTER others INCLUDE REGEX "^ffi-")
  if(group IN_LIST entries)
    string(APPEND folder "/${group}")
  elseif(others AND others STREQUAL entries)
    string(REPLACE ";" ", " others "${others}")
    message(FATAL_ERROR "${folder} has no libraries for apache-tvm-ffi "
                        "${tschema_tvm_ffi_VERSION}; it has libraries for the groups ${others}")
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(_tschema_ask_python result)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" ${ARGN}
    OUTPUT_VARIABLE answer
    ERROR_VARIABLE complaint
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT answer)
    message(FATAL_ERROR "${Python_EXECUTABLE} has no tvm-ffi: "
                        "run `pip install '${tschema_tvm_ffi_REQUIREMENT}'`\n${complaint}")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()
