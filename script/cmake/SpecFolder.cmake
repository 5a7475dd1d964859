# spec_folder(NAME USES a b ... LIBS x y ...): the static library of one folder.
#
# Headers are found as "folder/folder.h" through a directory that holds one link per folder, and each library
# sees only its own and those of the folders it uses. An include against the order does not compile, and USES
# against SPEC_ORDER does not configure.
set(SPEC_ORDER rt core app ir capture sigma record report solve datalog alias cfspec flow dfspec symex replay race deadlock
  slicer predict forge session)

function(spec_folder name)
  cmake_parse_arguments(A "" "" "USES;LIBS" ${ARGN})
  list(FIND SPEC_ORDER ${name} here)
  if(here EQUAL -1)
    message(FATAL_ERROR "${name}/ is not in SPEC_ORDER (script/cmake/SpecFolder.cmake)")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(see ${CMAKE_BINARY_DIR}/see/${name})
  file(MAKE_DIRECTORY ${see})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${see}/${name} SYMBOLIC)
  add_library(spec_${name} STATIC ${sources})
  target_include_directories(spec_${name} PUBLIC ${see})
  foreach(u ${A_USES})
    list(FIND SPEC_ORDER ${u} there)
    if(there EQUAL -1 OR NOT there LESS here)
      message(FATAL_ERROR "${name}/ may not use ${u}/: it does not stand above it in SPEC_ORDER")
    endif()
    target_link_libraries(spec_${name} PUBLIC spec_${u})
  endforeach()
  target_link_libraries(spec_${name} PUBLIC ${A_LIBS})
  set_property(GLOBAL APPEND PROPERTY SPEC_FOLDERS spec_${name})
endfunction()
