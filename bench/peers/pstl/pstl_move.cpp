// SPDX-License-Identifier: Apache-2.0
//
// The parallel algorithms of libstdc++: transform, adjacent_difference, find_if.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/move.hpp"

#include <algorithm>
#include <execution>
#include <numeric>

namespace
{

constexpr auto how = std::execution::par_unseq;

void axpy(const peer_job *job)
{
    const float *a = input<float>(job);
    std::transform(how, a, a + job->n, with_of(job), output<float>(job),
                   [](float x, float y) { return 2 * x + y; });
}

template <class T> void gather(const peer_job *job)
{
    const T *x = input<T>(job);
    const int32_t *index = index_of(job);
    std::transform(how, index, index + job->n, output<T>(job), [x](int32_t i) { return x[i]; });
}

template <class T> void difference(const peer_job *job)
{
    const T *x = input<T>(job);
    std::adjacent_difference(how, x, x + job->n, output<T>(job));
}

template <class T> void first(const peer_job *job)
{
    const T *x = input<T>(job);
    *output<int64_t>(job) = std::find_if(how, x, x + job->n, [](T v) { return v != 0; }) - x;
}

peer_run *find(const peer_job *job)
{
    const bool whole = job->type == PEER_I32;
    if (job->pattern == PEER_MAP && job->op == PEER_OTHER_OP) return axpy;
    if (job->pattern == PEER_GATHER) return whole ? gather<int32_t> : gather<double>;
    if (job->pattern == PEER_DIFFERENCE) return whole ? difference<int32_t> : difference<float>;
    if (job->pattern == PEER_FIND) return whole ? first<int32_t> : first<uint8_t>;
    return nullptr;
}

PEER_FINDER(find)

} // namespace
