# cmake -P TschemaStamp.cmake list|stamp FOLDER
#
# In: gen.d, which `tschema gen --depfile` wrote into the folder. Out: outputs.txt and folders.txt,
# the generated files and the folders of schema files, a line each; `stamp` also writes stamp.d,
# where the stamp depends on inputs and outputs, and touches the stamp. A file that would say the
# same stays untouched, so that CMake does not run again.
cmake_minimum_required(VERSION 3.20...4.0)

set(mode "${CMAKE_ARGV3}")
set(folder "${CMAKE_ARGV4}")

# Makes a line for each path of a rule of make.
function(unescape result words)
  string(REGEX REPLACE "([^\\]) (\\\\\n)? *" "\\1\n" words "${words}")
  string(REGEX REPLACE "\\\\([ \t#])" "\\1" words "${words}")
  string(REPLACE "$$" "$" words "${words}")
  string(STRIP "${words}" words)
  set(${result} "${words}\n" PARENT_SCOPE)
endfunction()

function(write_if_changed path text)
  if(EXISTS "${path}")
    file(READ "${path}" old)
    if(old STREQUAL text)
      return()
    endif()
  endif()
  file(WRITE "${path}" "${text}")
endfunction()

file(READ "${folder}/gen.d" text)
# The rule ends at an empty line; the colon of its targets stands before a continued line.
string(FIND "${text}" "\n\n" end)
string(SUBSTRING "${text}" 0 ${end} rule)
string(FIND "${rule}" ": \\\n" colon)
string(SUBSTRING "${rule}" 0 ${colon} outputs)
math(EXPR colon "${colon} + 2")
string(SUBSTRING "${rule}" ${colon} -1 inputs)

unescape(output_lines "${outputs}")
write_if_changed("${folder}/outputs.txt" "${output_lines}")
if(mode STREQUAL "list")
  unescape(input_lines "${inputs}")
  string(REGEX MATCHALL "[^\n]+" paths "${input_lines}")
  set(folder_lines "")
  foreach(path IN LISTS paths)
    if(IS_DIRECTORY "${path}")
      string(APPEND folder_lines "${path}\n")
    endif()
  endforeach()
  write_if_changed("${folder}/folders.txt" "${folder_lines}")
  return()
endif()

set(stamp "${folder}/stamp")
string(REPLACE "$" "$$" target "${stamp}")
string(REGEX REPLACE "([ \t#])" "\\\\\\1" target "${target}")
file(WRITE "${folder}/stamp.d" "${target}: ${outputs} ${inputs}\n")
file(TOUCH "${stamp}")
