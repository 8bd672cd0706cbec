// SPDX-License-Identifier: Apache-2.0
//
// IPS4o, the in-place parallel samplesort.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <ips4o.hpp>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t threads)
    {
        ips4o::parallel::sort(x, x + n, by_key(), threads);
    }
};

template <class T> using whole = in_place<sorter, T>;

int32_t open_ips4o(int32_t)
{
    return 1;
}

peer_run *find_sorts(const peer_job *job)
{
    return find_sort<whole>(job, true);
}

PEER_FINDER(find_sorts)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer ips4o_peer = {PEER_ABI, "IPS4o", open_ips4o, peer_find,
                                    nullptr,  nullptr, nullptr,    nullptr};
    return &ips4o_peer;
}
