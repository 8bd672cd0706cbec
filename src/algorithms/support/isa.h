// SPDX-License-Identifier: Apache-2.0
// Texts of algorithms that are compiled once for each instruction set, as the micro-kernels of the
// cores are: the files of src/algorithms/simd/. Each ends in a function that finds its tables,
// HD__OF_ISA(name), whose name has the instruction set; a caller takes the one of its context.
#ifndef HEDDLE_ALGORITHMS_SUPPORT_ISA_H
#define HEDDLE_ALGORITHMS_SUPPORT_ISA_H

#include <heddle.h>

// In a file of src/algorithms/simd/: the name, with the instruction set that it is compiled for.
#define HD__OF_ISA(name)        HD__OF_ISA_2(name, HD_ISA)
#define HD__OF_ISA_2(name, isa) HD__OF_ISA_3(name, isa)
#define HD__OF_ISA_3(name, isa) name##_##isa

// Elsewhere: HD__EACH_ISA(X) is X(baseline) X(avx2) ..., best last, and hd__isa_of(ctx) the number
// of the context's in that list.
#ifdef HD_ISAS
#define HD__EACH_ISA(X) HD_ISAS(X)

int hd__isa_of(const hd_context *ctx);

// For HD_ISAS_OF: declares the finder of each instruction set; lists them in that order.
#define HD__ISA_DECLARE(isa, type, name) type name##_##isa;
#define HD__ISA_POINT(isa, name)         name##_##isa,
#endif

#endif
