# Finds tvm-ffi in the Python environment: tvm_ffi::shared, tvm_ffi::header.
include_guard(GLOBAL)

# Finds exactly `version`; mixing versions crashes. Sets tschema_tvm_ffi_VERSION.
#
# A macro, because find_package sets what the caller's later calls need. tvm-ffi's own config has
# no include guard, no version file, and accepts a Python without tvm-ffi: all three are checked here.
macro(tschema_find_tvm_ffi version)
  find_package(Python COMPONENTS Interpreter REQUIRED)
  _tschema_ask_python(tschema_tvm_ffi_VERSION "${version}" -c
                      "from importlib.metadata import version\nprint(version('apache-tvm-ffi'))")
  if(NOT tschema_tvm_ffi_VERSION STREQUAL "${version}")
    message(FATAL_ERROR "${Python_EXECUTABLE} has apache-tvm-ffi ${tschema_tvm_ffi_VERSION}, "
                        "expected ${version}: run `pip install apache-tvm-ffi==${version}`")
  endif()
  if(NOT TARGET tvm_ffi::shared)
    _tschema_ask_python(_tschema_tvm_ffi_dir "${version}" -m tvm_ffi.config --cmakedir)
    set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
    find_package(tvm_ffi CONFIG REQUIRED PATHS "${_tschema_tvm_ffi_dir}" NO_DEFAULT_PATH)
    unset(CMAKE_MESSAGE_LOG_LEVEL)
  endif()
endmacro()

function(_tschema_ask_python result version)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" ${ARGN}
    OUTPUT_VARIABLE answer
    ERROR_VARIABLE complaint
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT answer)
    message(FATAL_ERROR "${Python_EXECUTABLE} has no tvm-ffi: "
                        "run `pip install apache-tvm-ffi==${version}`\n${complaint}")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()
