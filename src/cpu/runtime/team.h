// SPDX-License-Identifier: Apache-2.0
// OpenMP for the files that have parallel regions: this header, and not omp.h, so that a region of
// one thread is a plain call. libgomp makes a team for it, 1500 instructions and a malloc, which is
// most of what a call on 16 elements takes.
#ifndef HEDDLE_CPU_RUNTIME_TEAM_H
#define HEDDLE_CPU_RUNTIME_TEAM_H

#include <omp.h>

// gcc makes a region a function and a call of GOMP_parallel, which this names ours. Other compilers
// leave regions as they are.
#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
__asm__(".set GOMP_parallel, hd__cpu_parallel");
#endif

#endif
