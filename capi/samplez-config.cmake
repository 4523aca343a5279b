# find_package(samplez): samplez::samplez is the shared library, samplez::static the static one. Relative to this file, lib/cmake/samplez.

get_filename_component(samplez_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(NOT TARGET samplez::samplez)
  add_library(samplez::samplez SHARED IMPORTED)
  add_library(samplez::static STATIC IMPORTED)
  foreach(library samplez::samplez samplez::static)
    set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${samplez_PREFIX}/include")
  endforeach()
  if(WIN32)
    set_target_properties(samplez::samplez PROPERTIES
      IMPORTED_LOCATION "${samplez_PREFIX}/bin/samplez_c.dll" IMPORTED_IMPLIB "${samplez_PREFIX}/lib/samplez_c.dll.lib")
    set_target_properties(samplez::static PROPERTIES
      IMPORTED_LOCATION "${samplez_PREFIX}/lib/samplez_c.lib" INTERFACE_LINK_LIBRARIES "ntdll;userenv;ws2_32;bcrypt")
  else()
    set_target_properties(samplez::samplez PROPERTIES
      IMPORTED_LOCATION "${samplez_PREFIX}/lib/libsamplez_c${CMAKE_SHARED_LIBRARY_SUFFIX}")
    set_target_properties(samplez::static PROPERTIES
      IMPORTED_LOCATION "${samplez_PREFIX}/lib/libsamplez_c.a" INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
  endif()
endif()
