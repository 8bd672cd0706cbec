// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry: convex_hull, which uses one thread. Points are in the form that it takes before
// it starts; the indices of its corners are looked for when it has ended.
#include "bench/peer/peer_algorithm.h"

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/multi_point.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <cstdlib>
#include <map>
#include <utility>

namespace
{

using point = boost::geometry::model::d2::point_xy<double>;
boost::geometry::model::multi_point<point> points;
boost::geometry::model::polygon<point, false, false> hull;

int64_t now()
{
    timespec t;
    clock_gettime(std::getenv("HEDDLE_BENCH_CPU_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                  &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

void call()
{
    boost::geometry::clear(hull);
    boost::geometry::convex_hull(points, hull);
}

void run(const peer_job *job)
{
    const auto *a = static_cast<const peer_algorithm *>(job->more);
    const auto *xy = static_cast<const double *>(a->array[0].data);
    auto *out = static_cast<int64_t *>(job->out);
    call();
    std::map<std::pair<double, double>, int64_t> index; // of the corners, in order of y and x
    for (const point &p : hull.outer()) index[{p.y(), p.x()}] = -1;
    for (int64_t i = a->array[0].n / 2 - 1; i >= 0; i--) {
        const auto at = index.find({xy[2 * i + 1], xy[2 * i]});
        if (at != index.end()) at->second = i;
    }
    if (int64_t(hull.outer().size()) != a->out_n) return;
    int64_t k = 0;
    for (const point &p : hull.outer()) out[k++] = index[{p.y(), p.x()}];
    std::rotate(out, std::find(out, out + k, index.begin()->second), out + k);
}

int64_t run_timed(const peer_job *, int64_t calls)
{
    const int64_t begin = now();
    for (int64_t k = 0; k < calls; k++) call();
    return now() - begin;
}

int32_t begin(const peer_job *job)
{
    const auto *a = static_cast<const peer_algorithm *>(job->more);
    const auto *xy = static_cast<const double *>(a->array[0].data);
    points.clear();
    for (int64_t i = 0; i < a->array[0].n / 2; i++) points.emplace_back(xy[2 * i], xy[2 * i + 1]);
    return 1;
}

void end(const peer_job *)
{
    points = {};
}

int32_t open_boost(int32_t)
{
    return 1;
}

peer_run *find(const peer_job *job)
{
    return peer_algorithm_of(job, "hull") ? run : nullptr;
}

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer boost_peer = {PEER_ABI, "Boost.Geometry", open_boost, find, run_timed, begin,
                                    end,      nullptr};
    return &boost_peer;
}
