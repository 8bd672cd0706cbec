// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel mode: transform, adjacent_difference, find_if, random_shuffle.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/move.hpp"

#include <parallel/algorithm>
#include <parallel/numeric>

#include <cstring>
#include <functional>

namespace
{

void axpy(const peer_job *job)
{
    const float *a = input<float>(job);
    __gnu_parallel::transform(a, a + job->n, with_of(job), output<float>(job),
                              [](float x, float y) { return 2 * x + y; });
}

template <class T> void difference(const peer_job *job)
{
    const T *x = input<T>(job);
    __gnu_parallel::adjacent_difference(x, x + job->n, output<T>(job), std::minus<T>(),
                                        __gnu_parallel::parallel_balanced);
}

template <class T> void first(const peer_job *job)
{
    const T *x = input<T>(job);
    *output<int64_t>(job) = __gnu_parallel::find_if(x, x + job->n, [](T v) { return v != 0; }) - x;
}

// It shuffles in place: the copy is part of the work, as it is for everyone.
void shuffle(const peer_job *job)
{
    int32_t *y = output<int32_t>(job);
    std::memcpy(y, job->in, static_cast<std::size_t>(job->n) * sizeof *y);
    __gnu_parallel::random_shuffle(y, y + job->n);
}

peer_run *find(const peer_job *job)
{
    const bool whole = job->type == PEER_I32;
    if (job->pattern == PEER_MAP && job->op == PEER_OTHER_OP) return axpy;
    if (job->pattern == PEER_DIFFERENCE) return whole ? difference<int32_t> : difference<float>;
    if (job->pattern == PEER_FIND) return whole ? first<int32_t> : first<uint8_t>;
    if (job->pattern == PEER_SHUFFLE) return shuffle;
    return nullptr;
}

PEER_FINDER(find)

} // namespace
