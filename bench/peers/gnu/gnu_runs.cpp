// SPDX-License-Identifier: Apache-2.0
//
// GNU parallel mode of libstdc++: __gnu_parallel::unique_copy, which it has of this kind alone.
#include "bench/peers/support/select.hpp"

#include <algorithm>
#include <parallel/algorithm>

namespace
{

template <class T> struct run_ops {
    static void unique(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        *runs_of(job)->count = __gnu_parallel::unique_copy(x, x + job->n, y) - y;
    }
    static constexpr peer_run *run_lengths = nullptr;
    static constexpr peer_run *expand = nullptr;
};

peer_run *find_run_ops(const peer_job *job)
{
    return find_runs<run_ops>(job);
}

PEER_FINDER(find_run_ops)

} // namespace
