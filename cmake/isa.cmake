# SPDX-License-Identifier: Apache-2.0
# The micro-kernels of src/cpu/micro/*.c are compiled once for each instruction set: the same
# sources with HD_ISA naming the set, joined at run time by src/cpu/isa.c.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(HEDDLE_ISAS baseline avx2 avx512)
    set(HEDDLE_ISA_baseline_FLAGS "")
    set(HEDDLE_ISA_avx2_FLAGS -mavx2 -mbmi -mbmi2 -mfma)
    set(HEDDLE_ISA_avx512_FLAGS -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi -mbmi2 -mfma
                                -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(HEDDLE_ISAS neon sve)
    set(HEDDLE_ISA_neon_FLAGS "")
    set(HEDDLE_ISA_sve_FLAGS -march=armv8.2-a+sve)
else()
    set(HEDDLE_ISAS baseline)
    set(HEDDLE_ISA_baseline_FLAGS "")
endif()

# heddle_add_micro_kernels(target): adds the objects of every instruction set to the target, and
# defines HD_ISAS, the list src/cpu/isa.c walks, best last: X(baseline) X(avx2) ...
function(heddle_add_micro_kernels target)
    file(GLOB micro CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cpu/micro/*.c)
    set(rows "")
    foreach(isa IN LISTS HEDDLE_ISAS)
        add_library(${target}_${isa} OBJECT ${micro})
        set_target_properties(${target}_${isa} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_include_directories(${target}_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                            ${PROJECT_SOURCE_DIR}/src)
        target_compile_options(${target}_${isa} PRIVATE ${HEDDLE_FLAGS} ${HEDDLE_ISA_${isa}_FLAGS}
                                                        $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
        target_compile_definitions(${target}_${isa} PRIVATE HD_ISA=${isa})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
        string(APPEND rows " X(${isa})")
    endforeach()
    target_compile_definitions(${target} PRIVATE "HD_ISAS(X)=${rows}")
endfunction()
