# One place for compiler flags, given target by target with ct_flags(): a project that we are a part of sees none of
# them. Results must not depend on the compiler's mood: contraction into fused multiply-adds is off unless a file asks
# for it, and value-changing options (-ffast-math) are never used.

# How much to optimize is for the outermost project to say.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
  set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1") # sanitizers run with assertions, and name lines
endif()

# The value-preserving half of what people want from -ffast-math: nobody reads errno or the exception flags.
set(ct_compile_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
set(ct_link_options "")
if(PROJECT_IS_TOP_LEVEL)
  list(APPEND ct_compile_options
    -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes)
  # Vector lanes cross no file border, so how they would be passed is nobody's business; and to clang every
  # INFINITY is a promoted float, which leaves that warning to gcc.
  list(APPEND ct_compile_options -Wno-psabi)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(APPEND ct_compile_options -Wno-double-promotion)
  elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(APPEND ct_compile_options -Wno-format-truncation) # how long a text can be it knows only where it optimizes
  endif()
else()
  # A parent's -ffast-math would change our results and its -Werror would judge our code by its rules. A parent without a
  # build type gets the optimized library all the same.
  list(PREPEND ct_compile_options -fno-fast-math)
  list(APPEND ct_compile_options -w $<$<CONFIG:>:-O3>)
endif()
if(CT_WERROR)
  list(APPEND ct_compile_options -Werror)
endif()
if(CT_SANITIZE)
  list(APPEND ct_compile_options -fsanitize=${CT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  list(APPEND ct_link_options -fsanitize=${CT_SANITIZE})
endif()

# Instrumented code takes longer to compile than to run in a short test: what computes is optimized a little, the rest
# not at all, and undefined behaviour ends the program instead of telling what it was (where it was, the address
# sanitizer tells: ASAN_OPTIONS=handle_sigill=1).
option(CT_COMPILE_QUICKLY "optimize little, for builds that run short tests only" OFF)
if(CT_COMPILE_QUICKLY)
  list(APPEND ct_compile_options -O1)
  if(CT_SANITIZE MATCHES "undefined")
    list(APPEND ct_compile_options -fsanitize-trap=undefined)
  endif()
endif()

# Targets that hardly compute.
function(ct_computes_little)
  if(CT_COMPILE_QUICKLY)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -O0)
    endforeach()
  endif()
endfunction()

# Tests hardly compute either, but for what they judge sample by sample; what they test is optimized as it ships.
function(ct_judges)
  ct_computes_little(${ARGN})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -O1)
    endforeach()
  endif()
endfunction()

# Ninety programs with the sanitizers' own code in each: lld links them in half the time.
find_program(CT_LLD NAMES ld.lld)
if(CT_SANITIZE AND CT_LLD AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  list(APPEND ct_link_options -fuse-ld=lld)
endif()

# Every target that compiles or links anything of ours.
function(ct_flags)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
      C_VISIBILITY_PRESET hidden)
    if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    target_compile_options(${target} PRIVATE ${ct_compile_options})
    target_link_options(${target} PRIVATE ${ct_link_options})
  endforeach()
endfunction()

# Half of tidy's time goes into clang's analyzer, which walks through each function along path after path until it has
# seen so many states (225000 by default, which `./check long` takes): most findings come early, but with half as many it
# complains of what more of them show to be right. To clang every INFINITY is a promoted float.
set(CT_TIDY_STATES 20000 CACHE STRING "states of a function after which clang's analyzer goes on to the next one")
if(CT_TIDY)
  find_program(CT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
endif()

# Tidy looks at what we ship, not at the tests; its configuration is an input of every object.
function(ct_tidy target)
  if(CT_TIDY)
    set_target_properties(${target} PROPERTIES C_CLANG_TIDY
      "${CT_CLANG_TIDY};--quiet;--warnings-as-errors=*;--extra-arg=-Wno-unknown-warning-option;--extra-arg=-Wno-double-promotion;--extra-arg=-Xclang;--extra-arg=-analyzer-config;--extra-arg=-Xclang;--extra-arg=max-nodes=${CT_TIDY_STATES}")
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
