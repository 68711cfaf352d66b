# One place for compiler flags. Results must not depend on the compiler's mood: contraction into fused
# multiply-adds is off unless a file asks for it, and value-changing options (-ffast-math) are never used.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g") # sanitizers run with assertions

# The value-preserving half of what people want from -ffast-math: nobody reads errno or the exception flags.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes)
# Vector lanes cross no file border, so how they would be passed is nobody's business; and to clang every
# INFINITY is a promoted float, which leaves that warning to gcc.
add_compile_options(-Wno-psabi)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-double-promotion)
endif()
if(CT_WERROR)
  add_compile_options(-Werror)
endif()
if(CT_SANITIZE)
  add_compile_options(-fsanitize=${CT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CT_SANITIZE})
endif()

if(CT_TIDY)
  find_program(CT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
endif()

# Tidy looks at what we ship, not at the tests; its configuration is an input of every object.
function(ct_tidy target)
  if(CT_TIDY)
    set_target_properties(${target} PROPERTIES C_CLANG_TIDY
      "${CT_CLANG_TIDY};--quiet;--warnings-as-errors=*;--extra-arg=-Wno-unknown-warning-option")
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "^\\$")
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/.clang-tidy)
  endif()
endfunction()

function(ct_glob result)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# What a missing package takes away; the front doors repeat it.
function(ct_skip what why)
  message(STATUS "skipped ${what}: ${why}")
  set_property(GLOBAL APPEND_STRING PROPERTY CT_SKIPPED "${what}: ${why}\n")
endfunction()

function(ct_write_skipped)
  get_property(skipped GLOBAL PROPERTY CT_SKIPPED)
  file(WRITE ${PROJECT_BINARY_DIR}/skipped.txt "${skipped}")
endfunction()
