// SPDX-License-Identifier: Apache-2.0
// Asks the machine what it runs. The build lists the sets in HD_ISAS, plainest first; each brings
// a table of micro-kernels named after it.
#include "isa.h"

#include <string.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#define HWCAP_SVE_BIT      (1ul << 22)
#define PR_SVE_GET_VL_CALL 51
#endif

#define X(isa) extern const hd__cpu_isa_kernels hd__cpu_micro_table_##isa;
HD_ISAS(X)
#undef X

#if defined(__x86_64__)
static __attribute__((unused)) bool runs_baseline(void)
{
    return true;
}

static __attribute__((unused)) bool runs_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
}

static __attribute__((unused)) bool runs_avx512(void)
{
    return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#elif defined(__aarch64__)
static __attribute__((unused)) bool runs_neon(void)
{
    return true;
}

// The kernel must offer it: a CPU that has SVE under a hypervisor that hides it does not.
static __attribute__((unused)) bool runs_sve(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_SVE_BIT) != 0;
}
#else
static __attribute__((unused)) bool runs_baseline(void)
{
    return true;
}
#endif

static const struct entry {
    hd__cpu_isa isa;
    bool (*runs)(void);
} entries[] = {
#define X(isa) {{#isa, &hd__cpu_micro_table_##isa}, runs_##isa},
    HD_ISAS(X)
#undef X
};

#define ENTRIES ((int32_t)(sizeof entries / sizeof *entries))

// Whether a set that runs is also worth choosing: SVE of 128 bits has nothing over NEON.
static bool pays(const struct entry *e)
{
#if defined(__aarch64__)
    if (strcmp(e->isa.name, "sve") == 0) return (prctl(PR_SVE_GET_VL_CALL) & 0xffff) > 16;
#endif
    (void)e;
    return true;
}

const hd__cpu_isa *hd__cpu_isa_best(void)
{
    for (int32_t k = ENTRIES - 1; k > 0; k--)
        if (entries[k].runs() && pays(&entries[k])) return &entries[k].isa;
    return &entries[0].isa;
}

const hd__cpu_isa *hd__cpu_isa_named(const char *name)
{
    for (int32_t k = 0; k < ENTRIES; k++)
        if (strcmp(entries[k].isa.name, name) == 0 && entries[k].runs()) return &entries[k].isa;
    return NULL;
}

const char *hd_isa_name(int32_t k)
{
    return k >= 0 && k < ENTRIES ? entries[ENTRIES - 1 - k].isa.name : NULL;
}

bool hd_isa_runs(int32_t k)
{
    return k >= 0 && k < ENTRIES && entries[ENTRIES - 1 - k].runs();
}
