// SPDX-License-Identifier: Apache-2.0
//
// OpenCV: cv::transpose, which uses one thread, in strips shared out by cv::parallel_for_; in place
// cv::transpose of the square. Structures: cv::split and cv::merge over strips.
#include "bench/peer/peer_transpose.h"
#include "bench/peers/support/finders.h"

#include <opencv2/core.hpp>

namespace
{

constexpr int64_t strip_rows = 256; // the best of 32 .. 4096 and of one strip a thread here

int code(int32_t type)
{
    switch (type) {
    case PEER_U8: return CV_8UC1;
    case PEER_U16: return CV_16UC1;
    case PEER_F32: return CV_32FC1;
    default: return CV_64FC1;
    }
}

void turn(const peer_job *job)
{
    const auto *m = static_cast<const peer_transpose *>(job->more);
    const cv::Mat in(int(m->rows), int(m->columns), code(job->type), const_cast<void *>(job->in));
    cv::Mat out(int(m->columns), int(m->rows), code(job->type), job->out);
    const int strips = int((m->rows + strip_rows - 1) / strip_rows);
    cv::parallel_for_(cv::Range(0, strips), [&](const cv::Range &r) {
        for (int k = r.start; k < r.end; k++) {
            const int begin = int(k * strip_rows);
            const int end = int(std::min(m->rows, int64_t(begin) + strip_rows));
            cv::Mat part = out.colRange(begin, end);
            cv::transpose(in.rowRange(begin, end), part);
        }
    });
}

void turn_in_place(const peer_job *job)
{
    const auto *m = static_cast<const peer_transpose *>(job->more);
    cv::Mat a(int(m->rows), int(m->columns), code(job->type), job->out);
    cv::transpose(a, a);
}

void structures(const peer_job *job)
{
    const auto *m = static_cast<const peer_transpose *>(job->more);
    const bool apart = m->columns == 3;
    const int64_t n = apart ? m->rows : m->columns, strips = 4 * job->threads;
    float *whole = static_cast<float *>(apart ? const_cast<void *>(job->in) : job->out);
    float *parts = static_cast<float *>(apart ? job->out : const_cast<void *>(job->in));
    cv::parallel_for_(cv::Range(0, int(strips)), [&](const cv::Range &r) {
        for (int k = r.start; k < r.end; k++) {
            const int64_t begin = n * k / strips, length = n * (k + 1) / strips - begin;
            cv::Mat points(1, int(length), CV_32FC3, whole + 3 * begin);
            cv::Mat fields[3];
            for (int f = 0; f < 3; f++)
                fields[f] = cv::Mat(1, int(length), CV_32FC1, parts + f * n + begin);
            if (apart)
                cv::split(points, fields);
            else
                cv::merge(fields, 3, points);
        }
    });
}

peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_TRANSPOSE) return nullptr;
    const auto *m = static_cast<const peer_transpose *>(job->more);
    if (m->columns == 3 || m->rows == 3) return job->type == PEER_F32 ? structures : nullptr;
    if (m->rows > INT32_MAX || m->columns > INT32_MAX) return nullptr;
    return job->in == job->out ? turn_in_place : turn;
}

PEER_FINDER(find)

} // namespace
