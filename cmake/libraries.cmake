# The libraries beside the core: measuring (contatto/measure.h), which needs libm only, and scenes from files
# (contatto/file.h), which reads scans from sound files and so needs libsndfile. ct_libraries is what our own programs
# link, ct_products what is to be built.
set(ct_libraries "")
set(ct_products "")
if(TARGET contatto_core)
  set(ct_libraries contatto_core)
  set(ct_products contatto_core contatto_shared)
endif()

# A shared library that needs the core's finds it in its own folder.
function(ct_core_beside target)
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path")
  else()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endfunction()

ct_glob(measure_sources src/measure/*.c)
ct_library_objects(contatto_measure_objects CT_MEASURE_BUILDING ${measure_sources})
add_library(contatto_measure STATIC $<TARGET_OBJECTS:contatto_measure_objects>)
add_library(contatto_measure_shared SHARED $<TARGET_OBJECTS:contatto_measure_objects>)
target_link_libraries(contatto_measure PUBLIC m)
target_link_libraries(contatto_measure_shared PRIVATE m)
ct_library_pair(contatto_measure contatto_measure_shared contatto_measure)
list(PREPEND ct_libraries contatto_measure)
list(APPEND ct_products contatto_measure contatto_measure_shared)

# Modes from recordings (contatto/modes.h), and bodies of them, which are documents of the core. What else it takes of
# the core and of the measures, the shared library brings along since both hide it.
ct_glob(modes_sources src/modes/*.c)
ct_glob(modes_borrowed src/base/eigen.c src/base/text.c src/base/format.c src/base/number.c src/base/big.c
  src/measure/fft.c)
ct_library_objects(contatto_modes_objects CT_MODES_BUILDING ${modes_sources})
ct_library_objects(contatto_modes_borrowed CT_MODES_BUILDING ${modes_borrowed})
add_library(contatto_modes STATIC $<TARGET_OBJECTS:contatto_modes_objects>)
add_library(contatto_modes_shared SHARED $<TARGET_OBJECTS:contatto_modes_objects>
  $<TARGET_OBJECTS:contatto_modes_borrowed>)
target_link_libraries(contatto_modes PUBLIC contatto_measure contatto_core m)
target_link_libraries(contatto_modes_shared PUBLIC contatto_shared PRIVATE m)
ct_library_pair(contatto_modes contatto_modes_shared contatto_modes)
ct_core_beside(contatto_modes_shared)
list(PREPEND ct_libraries contatto_modes)
list(APPEND ct_products contatto_modes contatto_modes_shared)

# Of src/file what reads scenes; the rest is the program's own. The core hides how errors are written, so the shared
# library brings its own copy of that.
ct_glob(file_sources src/file/builtin.c src/file/load.c src/file/scan.c src/file/text_file.c)
ct_packages_missing(file_missing sndfile)
if(file_missing)
  ct_skip(contatto_file "needs ${file_missing}")
elseif(TARGET contatto_core)
  ct_library_objects(contatto_file_objects CT_FILE_BUILDING ${file_sources} ${scene_table})
  target_link_libraries(contatto_file_objects PRIVATE PkgConfig::sndfile)
  ct_glob(text_sources src/base/text.c src/base/format.c src/base/number.c src/base/big.c)
  ct_library_objects(contatto_text_objects CT_FILE_BUILDING ${text_sources})
  add_library(contatto_file STATIC $<TARGET_OBJECTS:contatto_file_objects>)
  add_library(contatto_file_shared SHARED $<TARGET_OBJECTS:contatto_file_objects> $<TARGET_OBJECTS:contatto_text_objects>)
  target_link_libraries(contatto_file PUBLIC contatto_core PRIVATE PkgConfig::sndfile)
  target_link_libraries(contatto_file_shared PUBLIC contatto_shared PRIVATE PkgConfig::sndfile m)
  ct_library_pair(contatto_file contatto_file_shared contatto_file)
  ct_core_beside(contatto_file_shared)
  list(PREPEND ct_libraries contatto_file)
  list(APPEND ct_products contatto_file contatto_file_shared)
endif()
