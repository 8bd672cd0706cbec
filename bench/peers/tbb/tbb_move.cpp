// SPDX-License-Identifier: Apache-2.0
//
// oneTBB's parallel_for over the loops of move.hpp.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/move.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace
{

struct tbb_for {
    template <class BODY> static void run(int64_t n, BODY body)
    {
        tbb::parallel_for(tbb::blocked_range<int64_t>(0, n, 8192),
                          [=](const tbb::blocked_range<int64_t> &r) { body(r.begin(), r.end()); });
    }
};

peer_run *find(const peer_job *job)
{
    return find_loops<tbb_for>(job);
}

PEER_FINDER(find)

} // namespace
