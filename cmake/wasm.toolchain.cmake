# clang, lld and wasi-libc as the distribution packages them; the C library's few functions are linked in, and
# nothing of the host is asked for. Build it as Release: without NDEBUG, assert pulls in stdio, which imports.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# linked as one piece: a tenth faster, and nothing that changes a result
set(CMAKE_C_FLAGS_INIT "-msimd128 -flto")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
