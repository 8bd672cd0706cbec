// SPDX-License-Identifier: Apache-2.0
//
// IPS2Ra, the in-place parallel radix sort: unsigned keys and pairs.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <ips2ra.hpp>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t threads)
    {
        ips2ra::parallel::sort(x, x + n, key_of(), threads);
    }
};

template <class T> using whole = in_place<sorter, T>;

template <> struct sorter<float> {
    static void run(float *, int64_t, int32_t)
    {
    }
};

int32_t open_ips2ra(int32_t)
{
    return 1;
}

peer_run *find_sorts(const peer_job *job)
{
    return find_sort<whole>(job, false);
}

PEER_FINDER(find_sorts)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer ips2ra_peer = {PEER_ABI, "IPS2Ra", open_ips2ra, peer_find,
                                     nullptr,  nullptr,  nullptr,     nullptr};
    return &ips2ra_peer;
}
