// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel algorithms: std::sort with std::execution::par_unseq.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <execution>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t)
    {
        std::sort(std::execution::par_unseq, x, x + n, by_key());
    }
};

template <class T> using whole = in_place<sorter, T>;

peer_run *find_sorts(const peer_job *job)
{
    return find_sort<whole>(job, true);
}

PEER_FINDER(find_sorts)

} // namespace
