// SPDX-License-Identifier: Apache-2.0
//
// OpenCV: cv::integral, cv::boxFilter and cv::connectedComponents of images of u8, squares.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/finders.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <cmath>

namespace
{

cv::Mat image(const peer_job *job)
{
    const auto *a = static_cast<const peer_algorithm *>(job->more);
    const int side = int(std::sqrt(double(a->array[0].n)));
    return cv::Mat(side, side, CV_8UC1, const_cast<void *>(a->array[0].data));
}

void integral(const peer_job *job)
{
    const cv::Mat in = image(job);
    cv::Mat out(in.rows + 1, in.cols + 1, CV_32SC1, job->out);
    cv::integral(in, out, CV_32S);
}

void box_means(const peer_job *job)
{
    const cv::Mat in = image(job);
    cv::Mat out(in.rows, in.cols, CV_32FC1, job->out);
    cv::boxFilter(in, out, CV_32F, cv::Size(15, 15));
}

void label(const peer_job *job)
{
    const cv::Mat in = image(job);
    cv::Mat out(in.rows, in.cols, CV_32SC1, job->out);
    cv::connectedComponents(in, out, 8, CV_32S);
}

peer_run *find(const peer_job *job)
{
    if (job->n > INT32_MAX) return nullptr;
    if (peer_algorithm_of(job, "integral")) return integral;
    if (peer_algorithm_of(job, "box-means")) return box_means;
    return peer_algorithm_of(job, "label") ? label : nullptr;
}

PEER_FINDER(find)

} // namespace
