# Arithmetic that gives the same bits everywhere: IEEE, no contraction, no fast-math.
set(PLIANT_ARCH "auto" CACHE STRING
    "Instruction set (-march) of the build; auto takes x86-64-v3 where this machine has it")
if(PLIANT_ARCH STREQUAL "auto")
  set(_arch "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo _avx2 REGEX "flags.* avx2 " LIMIT_COUNT 1)
    if(_avx2)
      set(_arch x86-64-v3)
    endif()
  endif()
else()
  set(_arch ${PLIANT_ARCH})
endif()

add_library(pliant_flags INTERFACE)
target_compile_options(pliant_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi -Wno-ignored-attributes)
if(_arch)
  target_compile_options(pliant_flags INTERFACE -march=${_arch})
endif()
# g++ 12 fuses multiplications with alternating additions and subtractions (vfmaddsub) in quaternion
# products even with -ffp-contract=off; without the instructions it cannot.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(pliant_flags INTERFACE -mno-fma)
endif()
set(PLIANT_SANITIZE "" CACHE STRING "Sanitizers for everything, for example address,undefined")
if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()
option(PLIANT_WERROR "Warnings are errors" ON)
if(PLIANT_WERROR)
  target_compile_options(pliant_flags INTERFACE -Werror)
endif()
