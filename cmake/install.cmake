# cmake --install build --prefix DIR
# Three parts, which the Debian packages are made of (deb.cmake): the libraries, what compiling with them needs (dev), and
# the program with all that people read. An installed tree can be moved: nothing in it knows where it lies.
if(NOT TARGET contatto_core)
  return()
endif()
include(CMakePackageConfigHelpers)
set(ct_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/contatto)
set(ct_doc_folder ${CMAKE_INSTALL_DATADIR}/doc/contatto)

# ---- libraries
set(ct_installed contatto_core contatto_shared contatto_measure contatto_measure_shared contatto_modes contatto_modes_shared)
if(TARGET contatto_file)
  list(APPEND ct_installed contatto_file contatto_file_shared)
endif()
install(TARGETS ${ct_installed} EXPORT contatto-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)

# ---- what compiling with them needs
set(ct_left_out "")
if(NOT TARGET contatto_file)
  set(ct_left_out PATTERN file.h EXCLUDE)
endif()
install(DIRECTORY include/contatto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" ${ct_left_out})
install(EXPORT contatto-targets NAMESPACE contatto:: DESTINATION ${ct_cmake_folder} COMPONENT dev)
configure_package_config_file(cmake/contatto-config.cmake.in ${PROJECT_BINARY_DIR}/generated/contatto-config.cmake
  INSTALL_DESTINATION ${ct_cmake_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/contatto-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/contatto-config.cmake
  ${PROJECT_BINARY_DIR}/generated/contatto-config-version.cmake DESTINATION ${ct_cmake_folder} COMPONENT dev)

file(RELATIVE_PATH CT_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(CT_PC_SHARED "")
if(WIN32)
  set(CT_PC_SHARED " -DCT_SHARED\nCflags.private: -UCT_SHARED")
endif()
function(ct_pkg_config CT_PC_NAME CT_PC_DESCRIPTION CT_PC_REQUIRES CT_PC_LIBS_PRIVATE)
  configure_file(cmake/library.pc.in ${PROJECT_BINARY_DIR}/generated/${CT_PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${CT_PC_NAME}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()
ct_pkg_config(contatto ${PROJECT_DESCRIPTION} "" -lm)
ct_pkg_config(contatto_measure "Pitch, loudness, decay and clicks of a sound as numbers" "" -lm)
ct_pkg_config(contatto_modes "Modes of a struck body from recordings" "contatto contatto_measure" -lm)
if(TARGET contatto_file)
  # Not "Requires.private: sndfile": with --static that asks for all that libsndfile is made of, some of which Debian's
  # libsndfile1-dev does not bring; and ours may well be static where that one is shared.
  ct_pkg_config(contatto_file "Scenes of contatto from files" contatto "-lsndfile -lm")
endif()

# ---- the program, and what people read
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/contatto/scenes COMPONENT program
  FILES_MATCHING PATTERN "*.json")
install(DIRECTORY docs/ DESTINATION ${ct_doc_folder}/docs COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.jpg" PATTERN "*.webp" PATTERN "*.mp3")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${ct_doc_folder} COMPONENT program)
install(DIRECTORY examples DESTINATION ${ct_doc_folder} COMPONENT dev
  FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.json" PATTERN CMakeLists.txt PATTERN "build*" EXCLUDE)
if(TARGET contatto)
  install(TARGETS contatto RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES docs/contatto.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES tools/completion/contatto.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program RENAME contatto)
endif()
