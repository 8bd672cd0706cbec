// SPDX-License-Identifier: Apache-2.0
//
// parlaylib: integer_sort for unsigned keys and pairs, into the given array, with its temporary
// memory kept from call to call (its public call allocates both); sort for floats.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <vector>

#include <parlay/primitives.h>

namespace
{

template <class T> T *kept(int64_t n)
{
    static std::vector<T> memory;
    if (static_cast<int64_t>(memory.size()) < n) memory.resize(static_cast<std::size_t>(n));
    return memory.data();
}

template <class T> struct whole {
    static void run(const peer_job *job)
    {
        const T *in = arrays_of<T>::in(job);
        T *out = arrays_of<T>::out(job), *room = kept<T>(job->n);
        parlay::internal::integer_sort_<std::false_type, parlay::uninitialized_copy_tag>(
            parlay::make_slice(in, in + job->n), parlay::make_slice(out, out + job->n),
            parlay::make_slice(room, room + job->n), key_of(), 0, 0);
    }
};

template <> struct whole<float> {
    static void run(const peer_job *job)
    {
        float *x = copied<float>(job);
        parlay::sort_inplace(parlay::make_slice(x, x + job->n));
    }
};

void segments(const peer_job *job)
{
    uint32_t *x = copied<uint32_t>(job);
    parlay::parallel_for(0, static_cast<std::size_t>(job->segments), [job, x](std::size_t j) {
        std::sort(x + job->offsets[j], x + job->offsets[j + 1]);
    });
}

peer_run *find_sorts(const peer_job *job)
{
    if (job->pattern == PEER_SORT && job->offsets && job->type == PEER_U32) return segments;
    return find_sort<whole>(job, true);
}

PEER_FINDER(find_sorts)

} // namespace
