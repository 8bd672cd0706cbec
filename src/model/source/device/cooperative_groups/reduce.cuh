// SPDX-License-Identifier: Apache-2.0
//
// A part of CUDA's cooperative_groups/reduce.h: reductions over tiles and coalesced threads.
#pragma once
#include <heddle/cooperative_groups.cuh>

namespace cooperative_groups {

template <class T> struct plus { HD_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { HD_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { HD_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { HD_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { HD_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { HD_MEMBER T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int N, class P, class T, class Op>
HD_DEVICE T reduce(const thread_block_tile<N, P> &g, T v, Op op)
{
    for (unsigned int d = N / 2; d > 0; d /= 2) v = op(v, g.shfl_xor(v, (int)d));
    return v;
}
template <class T, class Op> HD_DEVICE T reduce(const coalesced_group &g, T v, Op op)
{
    T all = g.shfl(v, 0);
    for (unsigned int k = 1; k < g.size(); k++) all = op(all, g.shfl(v, k));
    return all;
}

} // namespace cooperative_groups
