// SPDX-License-Identifier: Apache-2.0
// OpenMP for the files that have parallel regions: this header, and not omp.h, so that a region of
// one thread is a plain call and its loops are plain loops. libgomp makes a team for the one, 1,500
// instructions and a malloc, and a work share for the other, 700: most of a call on 16 elements.
#ifndef HEDDLE_CPU_RUNTIME_TEAM_H
#define HEDDLE_CPU_RUNTIME_TEAM_H

#include <omp.h>

// gcc makes a region a function that is called by GOMP_parallel, and of a dynamic loop calls that
// ask for chunks. These names become those of team.c. Other compilers leave regions as they are.
#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
__asm__(".set GOMP_parallel, hd__cpu_parallel\n"
        ".set GOMP_loop_nonmonotonic_dynamic_start, hd__cpu_loop_start\n"
        ".set GOMP_loop_nonmonotonic_dynamic_next, hd__cpu_loop_next\n"
        ".set GOMP_loop_end, hd__cpu_loop_end\n"
        ".set GOMP_loop_end_nowait, hd__cpu_loop_end_nowait");
#endif

#endif
