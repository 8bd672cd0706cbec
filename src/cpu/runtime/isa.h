// SPDX-License-Identifier: Apache-2.0
// The instruction sets built into this library, and which of them this machine runs.
#ifndef HEDDLE_CPU_RUNTIME_ISA_H
#define HEDDLE_CPU_RUNTIME_ISA_H

#include "core/context.h"
#include "micro.h"

typedef struct hd__cpu_isa {
    const char *name;
    const hd__cpu_isa_kernels *table;
} hd__cpu_isa;

const hd__cpu_isa *hd__cpu_isa_best(void);
const hd__cpu_isa *
hd__cpu_isa_named(const char *name); // NULL: not built in, or not of this machine

// The micro-kernels that a context runs: what the backend keeps in it.
static inline const hd__cpu_isa_kernels *hd__cpu_micro_table(const hd_context *ctx)
{
    return ctx->state[HD_CPU];
}

// The kernels of a family of patterns, for every instruction set. The tables refer to them weakly,
// and a static program has those of the patterns that it calls: each file that uses them brings
// them, HD__CPU_BRINGS(type, name).
#define HD__CPU_BRINGS(type, name) HD_ISAS_OF(HD__CPU_BRING, type, name)
#define HD__CPU_BRING(isa, type, name)                                                             \
    extern type hd__cpu_##name##_##isa;                                                            \
    static type *const name##_##isa##__here __attribute__((used)) = &hd__cpu_##name##_##isa;

#endif
