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

function(ct_core_includes target)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

if(core_sources)
  add_library(contatto_objects OBJECT ${core_sources})
  target_include_directories(contatto_objects PRIVATE include src)
  target_compile_definitions(contatto_objects PRIVATE CT_BUILDING)
  ct_tidy(contatto_objects)

  add_library(contatto_core STATIC $<TARGET_OBJECTS:contatto_objects>)
  set_target_properties(contatto_core PROPERTIES OUTPUT_NAME contatto EXPORT_NAME contatto_static)
  ct_core_includes(contatto_core)
  target_link_libraries(contatto_core PUBLIC m)
endif()

if(core_sources AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  add_library(contatto_shared SHARED $<TARGET_OBJECTS:contatto_objects>)
  set_target_properties(contatto_shared PROPERTIES OUTPUT_NAME contatto VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C)
  ct_core_includes(contatto_shared)
  target_link_libraries(contatto_shared PRIVATE m)
  if(NOT CT_SANITIZE)
    target_link_options(contatto_shared PRIVATE -Wl,--no-undefined)
  endif()
endif()
