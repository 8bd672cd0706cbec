// SPDX-License-Identifier: Apache-2.0
//
// What the machine is: its processor's name, caches, load and free memory, as Linux tells.
#ifndef HEDDLE_BENCH_MACHINE_MACHINE_H
#define HEDDLE_BENCH_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct machine_cache {
    char type[16]; // "Data", "Instruction", "Unified"
    int level;
    int64_t bytes;
    int sharing; // processors that share it
} machine_cache;

// Bytes that can be had without swapping; a guess where the system does not say.
int64_t machine_free_memory(void);

// "Neoverse-V1", or what is known.
void machine_cpu_name(char *name, size_t size);

// The caches of processor 0; how many were written.
int machine_caches(machine_cache *caches, int most);

// MHz of processor 0, or 0 if unknown.
double machine_mhz(void);

#endif
