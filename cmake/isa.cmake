# SPDX-License-Identifier: Apache-2.0
# The micro-kernels of src/cpu/simd and the texts of src/algorithms/simd are compiled once for each
# instruction set: the same sources with HD_ISA naming the set, joined at run time by
# src/cpu/runtime/isa.c and src/algorithms/support/isa.c. HEDDLE_ISAS restricts the list; the first
# one, which every machine runs, is always built.
include(CheckCCompilerFlag)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(heddle_isas baseline avx2 avx512)
    set(heddle_isa_baseline_flags "")
    set(heddle_isa_avx2_flags -mavx2 -mbmi -mbmi2 -mfma)
    set(heddle_isa_avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi -mbmi2 -mfma
                                -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(heddle_isas neon sve)
    set(heddle_isa_neon_flags "")
    set(heddle_isa_sve_flags -march=armv8.2-a+sve)
else()
    set(heddle_isas baseline)
    set(heddle_isa_baseline_flags "")
endif()

# gcc's address sanitizer does not align objects on the stack to 64 bytes, which its own AVX-512
# code relies on (gcc bug 110027).
if(HEDDLE_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(REMOVE_ITEM heddle_isas avx512)
endif()

# "native": the best one that this machine runs, by what the kernel says of its processor.
set(heddle_isas_wanted ${HEDDLE_ISAS})
if(HEDDLE_ISAS STREQUAL "native")
    set(heddle_isas_wanted "")
    set(processor "")
    if(EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo processor REGEX "^(flags|Features)" LIMIT_COUNT 1)
    endif()
    if(processor MATCHES " avx512f " AND processor MATCHES " avx512bw " AND processor MATCHES " avx512dq "
       AND "${processor} " MATCHES " avx512vl ")
        set(heddle_isas_wanted avx512)
    elseif(processor MATCHES " avx2 " AND processor MATCHES " fma ")
        set(heddle_isas_wanted avx2)
    elseif("${processor} " MATCHES " sve ")
        set(heddle_isas_wanted sve)
    endif()
    # Nothing else runs there, so the first one, for all machines, is left out; but SVE of 128 bits
    # gives way to NEON.
    if(heddle_isas_wanted MATCHES "^avx")
        check_c_compiler_flag("-m${heddle_isas_wanted}f" HEDDLE_COMPILES_NATIVE_F)
        check_c_compiler_flag("-m${heddle_isas_wanted}" HEDDLE_COMPILES_NATIVE)
        if(HEDDLE_COMPILES_NATIVE_F OR HEDDLE_COMPILES_NATIVE)
            set(heddle_isas ${heddle_isas_wanted})
        endif()
    endif()
endif()

# What is asked for and the compiler can make; the order, best last, stays.
set(heddle_isas_built "")
foreach(isa IN LISTS heddle_isas)
    if(heddle_isas_built STREQUAL "")
        list(APPEND heddle_isas_built ${isa})
    elseif(heddle_isas_wanted STREQUAL "all" OR isa IN_LIST heddle_isas_wanted)
        string(REPLACE ";" " " flags "${heddle_isa_${isa}_flags}")
        check_c_compiler_flag("${flags}" HEDDLE_COMPILES_${isa})
        if(HEDDLE_COMPILES_${isa})
            list(APPEND heddle_isas_built ${isa})
        endif()
    endif()
endforeach()

# heddle_add_micro_kernels(target): makes the object libraries TARGET_ISA, and defines for target
# HD_ISAS, the list src/cpu/runtime/isa.c walks, best last: X(baseline) X(avx2) ..., and HD_ISAS_OF,
# the same with more arguments.
function(heddle_add_micro_kernels target)
    heddle_glob(micro src/cpu/simd/*.c src/cpu/simd/*/*.c src/algorithms/simd/*.c)
    if(HEDDLE_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # Written out so far that with every access checked they take half a minute at -O3.
        set_source_files_properties(src/cpu/simd/stencil/convolve.c src/cpu/simd/stencil/stencil.c
                                    PROPERTIES COMPILE_OPTIONS -O1)
    endif()
    # These files are half of a sanitized build; of its checks of every pointer these two find what
    # AddressSanitizer finds as well where the pointer is used; the preset ubsan has all of them.
    # Checks that trap, and AddressSanitizer prints where, are compiled in half the time by clang.
    set(heddle_micro_checks "")
    if(HEDDLE_SANITIZE MATCHES "address")
        set(heddle_micro_checks -fno-sanitize=null,object-size)
        if(HEDDLE_SANITIZE MATCHES "undefined" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
            list(APPEND heddle_micro_checks -fsanitize-trap=undefined)
        endif()
    endif()
    # The same sources are checked in one instruction set at least.
    set(checked ${heddle_isas_built})
    if(NOT HEDDLE_SANITIZED_ISAS STREQUAL "all")
        list(JOIN HEDDLE_SANITIZED_ISAS "|" wanted)
        list(FILTER checked INCLUDE REGEX "^(${wanted})$")
        if(NOT checked)
            list(GET heddle_isas_built 0 checked)
        endif()
    endif()
    set(rows "")
    set(rows_of "")
    foreach(isa IN LISTS heddle_isas_built)
        # What is not checked is compiled for its warnings; but the first must be there to run.
        if(rows STREQUAL "" OR NOT HEDDLE_SANITIZE OR isa IN_LIST checked)
            string(APPEND rows " X(${isa})")
            string(APPEND rows_of " X(${isa},__VA_ARGS__)")
        endif()
        if(NOT micro)
            continue()
        endif()
        add_library(${target}_${isa} OBJECT ${micro})
        set_target_properties(${target}_${isa} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        heddle_compile(${target}_${isa})
        target_compile_options(${target}_${isa} PRIVATE ${heddle_isa_${isa}_flags}
                                                        $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
        if(HEDDLE_SANITIZE AND NOT isa IN_LIST checked)
            target_compile_options(${target}_${isa} PRIVATE -fno-sanitize=all)
        else()
            target_compile_options(${target}_${isa} PRIVATE ${heddle_micro_checks})
        endif()
        target_compile_definitions(${target}_${isa} PRIVATE HD_ISA=${isa})
    endforeach()
    # As an option: CMake does not pass definitions with arguments.
    target_compile_options(${target} PRIVATE "-DHD_ISAS(X)=${rows}" "-DHD_ISAS_OF(X,...)=${rows_of}")
endfunction()
