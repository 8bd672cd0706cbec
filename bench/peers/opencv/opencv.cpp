// SPDX-License-Identifier: Apache-2.0
//
// OpenCV: cv::sum and cv::minMaxLoc, which use one thread; above a size they are given strips, one
// a thread, by cv::parallel_for_.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <opencv2/core.hpp>

#include <vector>

namespace
{

constexpr int64_t strip_minimum = 1 << 15; // elements from which two strips beat one call

template <class T> constexpr int code();
template <> constexpr int code<uint8_t>()
{
    return CV_8UC1;
}
template <> constexpr int code<int16_t>()
{
    return CV_16SC1;
}
template <> constexpr int code<int32_t>()
{
    return CV_32SC1;
}
template <> constexpr int code<float>()
{
    return CV_32FC1;
}
template <> constexpr int code<double>()
{
    return CV_64FC1;
}

// Elements begin .. end - 1 as a matrix of one row.
template <class T> cv::Mat row(const peer_job *job, int64_t begin, int64_t end)
{
    return cv::Mat(1, static_cast<int>(end - begin), code<T>(),
                   const_cast<T *>(input<T>(job)) + begin);
}

// part(k, begin, end) for each strip.
template <class F> int in_strips(const peer_job *job, F part)
{
    const int strips = job->n < strip_minimum ? 1 : job->threads;
    const int64_t n = job->n;
    if (strips == 1) {
        part(0, 0, n);
        return 1;
    }
    cv::parallel_for_(cv::Range(0, strips), [&](const cv::Range &r) {
        for (int k = r.start; k < r.end; k++) part(k, n * k / strips, n * (k + 1) / strips);
    });
    return strips;
}

template <class T, class R> struct sums {
    static void run(const peer_job *job)
    {
        std::vector<double> partial(static_cast<std::size_t>(job->threads), 0.0);
        in_strips(job, [&](int k, int64_t begin, int64_t end) {
            partial[static_cast<std::size_t>(k)] = cv::sum(row<T>(job, begin, end))[0];
        });
        double s = 0;
        for (double p : partial) s += p;
        *output<R>(job) = code<T>() < CV_32FC1 ? R(int64_t(s)) : R(s);
    }
};

struct extremes {
    double least, greatest;
    int64_t at;
};

template <class T> extremes find_extremes(const peer_job *job, bool least, bool place)
{
    std::vector<extremes> partial(static_cast<std::size_t>(job->threads));
    const int strips = in_strips(job, [&](int k, int64_t begin, int64_t end) {
        extremes &e = partial[static_cast<std::size_t>(k)];
        cv::Point where(0, 0);
        cv::minMaxLoc(row<T>(job, begin, end), least ? &e.least : nullptr,
                      least ? nullptr : &e.greatest, nullptr, place ? &where : nullptr);
        e.at = begin + where.x;
    });
    extremes best = partial[0];
    for (int k = 1; k < strips; k++) {
        const extremes &e = partial[static_cast<std::size_t>(k)];
        if (least && e.least < best.least) best = e;
        if (!least && e.greatest > best.greatest) best = e;
    }
    return best;
}

template <class T> struct ops {
    static void sum(const peer_job *job)
    {
        sums<T, T>::run(job);
    }
    static void min(const peer_job *job)
    {
        *output<T>(job) = T(find_extremes<T>(job, true, false).least);
    }
    static void max(const peer_job *job)
    {
        *output<T>(job) = T(find_extremes<T>(job, false, false).greatest);
    }
    static void argmax(const peer_job *job)
    {
        *output<int64_t>(job) = find_extremes<T>(job, false, true).at;
    }
    static constexpr peer_run *scan = nullptr, *exclusive = nullptr, *scan_max = nullptr;
    static constexpr peer_run *segmented = nullptr;
};

int32_t open_opencv(int32_t threads)
{
    cv::setNumThreads(threads);
    return 1;
}

peer_run *find(const peer_job *job)
{
    if (job->n > INT32_MAX) return nullptr;
    peer_run *wide = find_wide_sum<sums>(job);
    return wide ? wide : find_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer opencv_peer = {PEER_ABI, "OpenCV", open_opencv, peer_find,
                                     nullptr,  nullptr,  nullptr,     nullptr};
    return &opencv_peer;
}
