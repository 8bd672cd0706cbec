// SPDX-License-Identifier: Apache-2.0
//
// OpenCV's calcHist, which cuts the rows of an image among its threads: bytes and f32. Its counts
// are floats.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <opencv2/imgproc.hpp>

namespace
{

constexpr int64_t row = 1 << 12; // elements of a row of the image

template <class T> void count(const peer_job *job)
{
    const bool bytes = sizeof(T) == 1;
    const int64_t width = job->n % row == 0 ? row : job->n;
    const cv::Mat image(static_cast<int>(job->n / width), static_cast<int>(width),
                        bytes ? CV_8UC1 : CV_32FC1, const_cast<T *>(input<T>(job)));
    const int channel = 0, bins = static_cast<int>(histogram_of(job)->bins);
    const float limits[] = {0, bytes ? 256.0f : 1.0f}, *ranges = limits;
    cv::Mat counts;
    cv::calcHist(&image, 1, &channel, cv::noArray(), counts, 1, &bins, &ranges);
    for (int b = 0; b < bins; b++)
        output<uint32_t>(job)[b] = static_cast<uint32_t>(counts.at<float>(b));
}

peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM || histogram_of(job)->weights || job->n > 1 << 24)
        return nullptr;
    return job->type == PEER_U8 ? count<uint8_t> : job->type == PEER_F32 ? count<float> : nullptr;
}

PEER_FINDER(find)

} // namespace
