# The lab: page, engine, three.js and the licences of all three in one folder, <build>/lab, from which `contatto lab`
# serves; installed to share/contatto/lab. The engine and the finder of modes are this same project, configured once more for
# WebAssembly in <build>/wasm.
include(ExternalProject)

find_program(CT_CLANG clang)
set(wasm_probe ${PROJECT_BINARY_DIR}/generated/wasm_probe.c)
file(CONFIGURE OUTPUT ${wasm_probe} CONTENT "double half(double x) { return x / 2; }\n")
set(wasm_links 1)
if(CT_CLANG)
  execute_process(COMMAND ${CT_CLANG} --target=wasm32-wasi -mexec-model=reactor ${wasm_probe} -o ${wasm_probe}.wasm
    RESULT_VARIABLE wasm_links OUTPUT_QUIET ERROR_QUIET)
endif()

set(three_build ${PROJECT_SOURCE_DIR}/node_modules/three/build)
set(three_files "")
if(EXISTS ${three_build}/three.module.js)
  file(GLOB three_files ${three_build}/three.module.js ${three_build}/three.core.js ${three_build}/../LICENSE)
else()
  ct_skip("the lab's three-dimensional stage" "needs three, which npm brings: npm ci --omit=dev")
endif()

if(NOT wasm_links EQUAL 0)
  ct_skip("the lab" "needs clang, lld, wasi-libc and libclang-rt-dev-wasm32")
else()
  set(lab_folder ${PROJECT_BINARY_DIR}/lab)
  set(wasm_modules contatto modes)
  list(TRANSFORM wasm_modules PREPEND ${PROJECT_BINARY_DIR}/wasm/)
  list(TRANSFORM wasm_modules APPEND .wasm)
  ExternalProject_Add(contatto_wasm
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${PROJECT_BINARY_DIR}/wasm
    PREFIX ${PROJECT_BINARY_DIR}/generated/wasm
    # flags meant for this machine's processor are none for WebAssembly
    CONFIGURE_COMMAND ${CMAKE_COMMAND} -E env --unset=CFLAGS --unset=CPPFLAGS --unset=LDFLAGS ${CMAKE_COMMAND}
      -G ${CMAKE_GENERATOR} -S <SOURCE_DIR> -B <BINARY_DIR> -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_TOOLCHAIN_FILE=<SOURCE_DIR>/cmake/wasm.toolchain.cmake
      -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER} -DCT_WERROR=${CT_WERROR}
    BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target contatto_web contatto_web_modes
    BUILD_ALWAYS ON
    BUILD_BYPRODUCTS ${wasm_modules}
    INSTALL_COMMAND "")

  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/hosts/web/page
    ${PROJECT_SOURCE_DIR}/hosts/web/page/*)
  set(lab_files "")
  # Beside what is large and can be made small lies a copy made small, for browsers that take it.
  find_program(CT_GZIP gzip)
  function(ct_lab_file from to)
    add_custom_command(OUTPUT ${lab_folder}/${to}
      COMMAND ${CMAKE_COMMAND} -E copy ${from} ${lab_folder}/${to}
      DEPENDS ${from} ${ARGN} VERBATIM)
    set(made ${lab_folder}/${to})
    if(CT_GZIP AND to MATCHES "\\.(js|css|html|wasm)$")
      add_custom_command(OUTPUT ${lab_folder}/${to}.gz
        COMMAND ${CT_GZIP} -9 -n -k -f ${lab_folder}/${to}
        DEPENDS ${lab_folder}/${to} VERBATIM)
      list(APPEND made ${lab_folder}/${to}.gz)
    endif()
    set(lab_files ${lab_files} ${made} PARENT_SCOPE)
  endfunction()
  foreach(file IN LISTS page_files)
    ct_lab_file(${PROJECT_SOURCE_DIR}/hosts/web/page/${file} ${file})
  endforeach()
  foreach(file IN LISTS three_files)
    get_filename_component(name ${file} NAME)
    ct_lab_file(${file} three/${name})
  endforeach()
  foreach(module IN LISTS wasm_modules)
    get_filename_component(name ${module} NAME)
    ct_lab_file(${module} ${name} contatto_wasm)
  endforeach()
  ct_lab_file(${PROJECT_SOURCE_DIR}/LICENSE licenses/contatto.txt)

  # What has left the page leaves the folder: the list is compared at configure time.
  set(lab_expected ${lab_files})
  file(GLOB_RECURSE lab_present ${lab_folder}/*)
  foreach(file IN LISTS lab_present)
    if(NOT file IN_LIST lab_expected)
      file(REMOVE ${file})
    endif()
  endforeach()

  add_custom_target(lab ALL DEPENDS ${lab_files})
  list(APPEND ct_products lab)
  if(CT_INSTALL)
    install(DIRECTORY ${lab_folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/contatto/lab COMPONENT program)
  endif()
endif()
