// SPDX-License-Identifier: Apache-2.0
//
// Filters, recurrences, polynomials, tridiagonal systems and sparse products by one thread: the
// loops that the textbooks have, for f64 and f32.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>
#include <stdlib.h>

#define REAL    float
#define NAME(x) x##_f32
#include "loop_algorithms_body.h"
#undef REAL
#undef NAME
#define REAL    double
#define NAME(x) x##_f64
#include "loop_algorithms_body.h"

static peer_run *find_algorithm(const peer_job *job)
{
    static const struct {
        const char *work;
        peer_run *f32, *f64;
    } loops[] = {
        {"filter", filter_f32, filter_f64},
        {"recurrence", recurrence_f32, recurrence_f64},
        {"recurrence-own", recurrence_own_f32, recurrence_own_f64},
        {"polynomial", polynomial_f32, polynomial_f64},
        {"tridiagonal", tridiagonal_f32, tridiagonal_f64},
        {"spmv-csr", csr_f32, csr_f64},
        {"spmv-coo", coo_f32, coo_f64},
    };
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
        if (peer_algorithm_of(job, loops[k].work))
            return job->type == PEER_F64 ? loops[k].f64 : loops[k].f32;
    return NULL;
}

PEER_FINDER(find_algorithm)
