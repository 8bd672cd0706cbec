// SPDX-License-Identifier: Apache-2.0
//
// Highway's vqsort, a vectorised quicksort of one thread; keys alone (its 128-bit pairs are not
// ours).
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <hwy/contrib/sort/vqsort.h>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t)
    {
        static const hwy::Sorter vqsort;
        vqsort(x, static_cast<std::size_t>(n), hwy::SortAscending());
    }
};

template <> struct sorter<peer_pair> {
    static void run(peer_pair *, int64_t, int32_t)
    {
    }
};

template <class T> using whole = in_place<sorter, T>;

int32_t open_hwy(int32_t)
{
    return 1;
}

peer_run *find_sorts(const peer_job *job)
{
    peer_run *run = find_sort<whole>(job, true);
    return run == whole<peer_pair>::run ? nullptr : run;
}

PEER_FINDER(find_sorts)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer hwy_peer = {PEER_ABI, "vqsort", open_hwy, peer_find,
                                  nullptr,  nullptr,  nullptr,  nullptr};
    return &hwy_peer;
}
