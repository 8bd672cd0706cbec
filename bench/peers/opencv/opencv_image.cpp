// SPDX-License-Identifier: Apache-2.0
//
// OpenCV's filters: filter2D and sepFilter2D, which use one thread, in strips, one a thread (a
// strip sees the rows around it); GaussianBlur, which uses all threads itself.
#include "bench/peer/peer_neighbours.h"
#include "bench/peers/support/finders.h"

#include <opencv2/imgproc.hpp>

namespace
{

const peer_neighbours *more(const peer_job *job)
{
    return static_cast<const peer_neighbours *>(job->more);
}

cv::Mat image(const peer_job *job, const void *data, int type)
{
    const peer_neighbours *m = more(job);
    return cv::Mat(static_cast<int>(m->height), static_cast<int>(m->width), type,
                   const_cast<void *>(data));
}

// A row of n elements is cut into strips of columns, an image into strips of rows.
template <class F> void in_strips(const peer_job *job, F part)
{
    const peer_neighbours *m = more(job);
    const bool line = m->height == 1;
    const cv::Mat in = image(job, job->in, CV_32FC1), out = image(job, job->out, CV_32FC1);
    // Pieces of a long row stay in cache.
    const int n = line ? in.cols : in.rows, strips = line ? (n + 32767) / 32768 : job->threads;
    cv::parallel_for_(cv::Range(0, strips), [&](const cv::Range &r) {
        for (int k = r.start; k < r.end; k++) {
            const cv::Range range(int(int64_t(n) * k / strips), int(int64_t(n) * (k + 1) / strips));
            cv::Mat to = line ? out.colRange(range) : out.rowRange(range);
            part(line ? in.colRange(range) : in.rowRange(range), to);
        }
    });
}

void convolve(const peer_job *job)
{
    const peer_neighbours *m = more(job);
    const cv::Mat mask(static_cast<int>(m->rows), static_cast<int>(m->columns), CV_32FC1,
                       const_cast<float *>(m->mask));
    in_strips(job, [&](const cv::Mat &in, cv::Mat &out) {
        cv::filter2D(in, out, CV_32F, mask, cv::Point(-1, -1), 0, cv::BORDER_CONSTANT);
    });
}

// In one dimension too: its filter of rows is much faster than filter2D with a mask of one row.
void separable(const peer_job *job)
{
    const peer_neighbours *m = more(job);
    float one = 1;
    const bool line = m->rows == 1;
    const cv::Mat column(static_cast<int>(m->rows), 1, CV_32FC1,
                         line ? &one : const_cast<float *>(m->column));
    const cv::Mat row(1, static_cast<int>(m->columns), CV_32FC1,
                      const_cast<float *>(line ? m->mask : m->row));
    in_strips(job, [&](const cv::Mat &in, cv::Mat &out) {
        cv::sepFilter2D(in, out, CV_32F, row, column, cv::Point(-1, -1), 0, cv::BORDER_CONSTANT);
    });
}

void blur(const peer_job *job)
{
    const int type = CV_8UC(static_cast<int>(more(job)->channels));
    cv::Mat out = image(job, job->out, type);
    cv::GaussianBlur(image(job, job->in, type), out, cv::Size(0, 0), more(job)->sigma,
                     more(job)->sigma, cv::BORDER_REFLECT_101);
}

peer_run *find_image(const peer_job *job)
{
    if (job->pattern == PEER_BLUR && job->type == PEER_U8) return blur;
    if (job->pattern != PEER_CONVOLVE || job->type != PEER_F32) return nullptr;
    return more(job)->column || more(job)->rows == 1 ? separable : convolve;
}

PEER_FINDER(find_image)

} // namespace
