// SPDX-License-Identifier: Apache-2.0
//
// Strings by the libraries of C and C++, in one thread: memcmp of each pair, memmem from place to
// place, std::sort of string_views, whose bytes are then copied in order.
#include "bench/peer/peer_algorithm.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace
{

const peer_array *arrays(const peer_job *job)
{
    return static_cast<const peer_algorithm *>(job->more)->array;
}

template <class T> const T *data(const peer_array &a)
{
    return static_cast<const T *>(a.data);
}

void compare(const peer_job *job)
{
    const peer_array *in = arrays(job);
    const auto *offset = data<int64_t>(in[0]);
    const auto *a = data<char>(in[1]), *b = data<char>(in[2]);
    auto *out = static_cast<int32_t *>(job->out);
    for (int64_t i = 0; i + 1 < in[0].n; i++) {
        const int sign =
            std::memcmp(a + offset[i], b + offset[i], std::size_t(offset[i + 1] - offset[i]));
        out[i] = (sign > 0) - (sign < 0);
    }
}

void search(const peer_job *job)
{
    const peer_array *in = arrays(job);
    const auto *begin = data<char>(in[1]), *at = begin, *end = begin + in[1].n;
    auto *out = static_cast<int64_t *>(job->out);
    while ((at = static_cast<const char *>(
                memmem(at, std::size_t(end - at), in[3].data, std::size_t(in[3].n)))))
        *out++ = at++ - begin;
}

void sort(const peer_job *job)
{
    const peer_array *in = arrays(job);
    const auto *offset = data<int64_t>(in[0]);
    const auto *bytes = data<char>(in[1]);
    auto *out = static_cast<char *>(job->out);
    std::vector<std::string_view> strings;
    strings.reserve(std::size_t(in[0].n));
    for (int64_t i = 0; i + 1 < in[0].n; i++)
        strings.emplace_back(bytes + offset[i], std::size_t(offset[i + 1] - offset[i]));
    std::sort(strings.begin(), strings.end());
    for (const std::string_view s : strings) {
        std::memcpy(out, s.data(), s.size());
        out += s.size();
    }
}

int32_t open_cxx(int32_t)
{
    return 1;
}

peer_run *find(const peer_job *job)
{
    if (peer_algorithm_of(job, "strings-compare")) return compare;
    if (peer_algorithm_of(job, "strings-find")) return search;
    return peer_algorithm_of(job, "strings-sort") ? sort : nullptr;
}

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer cxx_peer = {PEER_ABI, "C++ library", open_cxx, find,
                                  nullptr,  nullptr,       nullptr,  nullptr};
    return &cxx_peer;
}
