# contatto_objects: the core, compiled once, position independent. libcontatto.a and libcontatto.so are the
# same objects; tests link the static one, where hidden symbols can still be reached.
ct_glob(core_sources src/base/*.c src/body/*.c src/contact/*.c src/drive/*.c src/source/*.c src/document/*.c src/scene/*.c)

# Kernels for one instruction set live in files of their own: only these may assume more than the baseline,
# and only these may fuse, because their lanes are the reference for that instruction set.
set(avx2_sources ${core_sources})
list(FILTER avx2_sources INCLUDE REGEX "_avx2\\.c$")
if(avx2_sources AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set_source_files_properties(${avx2_sources} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-ffp-contract=fast")
endif()

# What libraries that others link have in common. ct_library_pair(STATIC SHARED NAME): lib<NAME>.a and lib<NAME>.so,
# in CMake contatto::<name without contatto_>_static and contatto::<the same>.
function(ct_library_pair static shared name)
  string(REGEX REPLACE "^contatto_" "" short ${name})
  set_target_properties(${static} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${short}_static LINKER_LANGUAGE C)
  add_library(contatto::${short}_static ALIAS ${static})
  set(pair ${static})
  if(TARGET ${shared})
    set_target_properties(${shared} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${short} VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C)
    add_library(contatto::${short} ALIAS ${shared})
    list(APPEND pair ${shared})
    if(WIN32)
      target_compile_definitions(${shared} INTERFACE CT_SHARED)
      set_target_properties(${shared} PROPERTIES ARCHIVE_OUTPUT_NAME ${name}.dll) # not the name of the static one
    endif()
    if(NOT CT_SANITIZE AND NOT APPLE)
      target_link_options(${shared} PRIVATE -Wl,--no-undefined)
    endif()
  endif()
  ct_flags(${pair})
  foreach(target IN LISTS pair)
    target_include_directories(${target}
      PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(NOT CT_INSTALL)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# ct_library_objects(NAME MARK sources...): compiled once, for both. On Windows marked for a DLL (see base.h).
function(ct_library_objects target mark)
  add_library(${target} OBJECT ${ARGN})
  ct_flags(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE ${mark} $<$<PLATFORM_ID:Windows>:CT_SHARED>)
  ct_tidy(${target})
  if(NOT CT_INSTALL)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

if(core_sources)
  ct_library_objects(contatto_objects CT_BUILDING ${core_sources})
  add_library(contatto_core STATIC $<TARGET_OBJECTS:contatto_objects>)
  target_link_libraries(contatto_core PUBLIC m)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    add_library(contatto_shared SHARED $<TARGET_OBJECTS:contatto_objects>)
    target_link_libraries(contatto_shared PRIVATE m)
  endif()
  ct_library_pair(contatto_core contatto_shared contatto)
endif()
