// SPDX-License-Identifier: Apache-2.0
//
// A part of CUDA's cooperative_groups.h: the block, tiles of a warp, threads that are together. Of
// the grid: its size and ranks, not its barrier.
#pragma once
#ifndef HD_DEVICE // NVRTC's
#define HD_DEVICE static __device__ __forceinline__
#define HD_MEMBER __device__
#else
#define HD_MEMBER __device__ __attribute__((nodebug))
#endif

namespace cooperative_groups {

HD_DEVICE unsigned int hd_thread_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HD_DEVICE unsigned int hd_block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

class thread_block {
public:
    HD_MEMBER static void sync() { __syncthreads(); }
    HD_MEMBER static unsigned int thread_rank() { return hd_thread_rank(); }
    HD_MEMBER static unsigned int size() { return hd_block_threads(); }
    HD_MEMBER static unsigned int num_threads() { return hd_block_threads(); }
    HD_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    HD_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    HD_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    HD_MEMBER static dim3 dim_threads() { return group_dim(); }
};
HD_DEVICE thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
    HD_MEMBER static unsigned long long size() { return num_blocks() * hd_block_threads(); }
    HD_MEMBER static unsigned long long num_threads() { return size(); }
    HD_MEMBER static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    HD_MEMBER static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    HD_MEMBER static unsigned long long thread_rank()
    {
        return block_rank() * hd_block_threads() + hd_thread_rank();
    }
    HD_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    HD_MEMBER static bool is_valid() { return true; }
};
HD_DEVICE grid_group this_grid() { return grid_group(); }

// Lanes of a warp: those of a mask. Shuffles count lanes within the group.
class hd_lanes {
protected:
    unsigned int mask_, size_, rank_, base_;

public:
    HD_MEMBER hd_lanes(unsigned int mask, unsigned int size, unsigned int rank, unsigned int base)
        : mask_(mask), size_(size), rank_(rank), base_(base) {}
    HD_MEMBER void sync() const { __syncwarp(mask_); }
    HD_MEMBER unsigned int thread_rank() const { return rank_; }
    HD_MEMBER unsigned int size() const { return size_; }
    HD_MEMBER unsigned int num_threads() const { return size_; }
    HD_MEMBER int any(int p) const { return __any_sync(mask_, p); }
    HD_MEMBER int all(int p) const { return __all_sync(mask_, p); }
    HD_MEMBER unsigned int hd_mask() const { return mask_; }
};

template <unsigned int N, class Parent = void> class thread_block_tile : public hd_lanes {
public:
    HD_MEMBER thread_block_tile()
        : hd_lanes(N == 32 ? 0xffffffffu
                           : (unsigned int)(((1ull << N) - 1) << (hd_thread_rank() % 32 / N * N)),
                   N, hd_thread_rank() % N, hd_thread_rank() % 32 / N * N) {}
    template <class Other>
    HD_MEMBER thread_block_tile(const thread_block_tile<N, Other> &) : thread_block_tile() {}
    template <class T> HD_MEMBER T shfl(T v, int lane) const { return __shfl_sync(mask_, v, lane, N); }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const { return __shfl_up_sync(mask_, v, d, N); }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const { return __shfl_down_sync(mask_, v, d, N); }
    template <class T> HD_MEMBER T shfl_xor(T v, int d) const { return __shfl_xor_sync(mask_, v, d, N); }
    HD_MEMBER unsigned int ballot(int p) const { return (__ballot_sync(mask_, p) & mask_) >> base_; }
    template <class T> HD_MEMBER unsigned int match_any(T v) const { return __match_any_sync(mask_, v) >> base_; }
    HD_MEMBER unsigned int meta_group_rank() const { return hd_thread_rank() / N; }
    HD_MEMBER unsigned int meta_group_size() const { return (hd_block_threads() + N - 1) / N; }
};

// Tiles whose size is known at run time, and parts of them.
class thread_group {
    unsigned int mask_, size_, rank_, base_;
    bool block_;

public:
    HD_MEMBER thread_group(thread_block)
        : mask_(0), size_(hd_block_threads()), rank_(hd_thread_rank()), base_(0), block_(true) {}
    HD_MEMBER thread_group(unsigned int n)
        : mask_(n >= 32 ? 0xffffffffu
                        : (unsigned int)(((1ull << n) - 1) << (hd_thread_rank() % 32 / n * n))),
          size_(n), rank_(hd_thread_rank() % n), base_(hd_thread_rank() % 32 / n * n), block_(false) {}
    HD_MEMBER thread_group(unsigned int mask, unsigned int size, unsigned int rank)
        : mask_(mask), size_(size), rank_(rank), base_(0), block_(false) {}
    template <unsigned int N, class P> HD_MEMBER thread_group(const thread_block_tile<N, P> &)
        : thread_group(N) {}
    HD_MEMBER void sync() const
    {
        if (block_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
    HD_MEMBER unsigned int thread_rank() const { return rank_; }
    HD_MEMBER unsigned int size() const { return size_; }
    HD_MEMBER unsigned int num_threads() const { return size_; }
};

class coalesced_group : public hd_lanes {
    HD_MEMBER unsigned int lane_of(unsigned int rank) const
    {
        unsigned int left = mask_;
        for (unsigned int k = 0; k < rank; k++) left &= left - 1;
        return (unsigned int)__ffs((int)left) - 1;
    }

public:
    HD_MEMBER coalesced_group(unsigned int mask)
        : hd_lanes(mask, (unsigned int)__popc(mask),
                   (unsigned int)__popc(mask & ((1u << hd_thread_rank() % 32) - 1)), 0) {}
    template <class T> HD_MEMBER T shfl(T v, unsigned int rank) const
    {
        return __shfl_sync(mask_, v, (int)lane_of(rank), 32);
    }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const
    {
        return __shfl_sync(mask_, v, (int)lane_of(rank_ + d < size_ ? rank_ + d : rank_), 32);
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const
    {
        return __shfl_sync(mask_, v, (int)lane_of(rank_ >= d ? rank_ - d : rank_), 32);
    }
    HD_MEMBER unsigned int ballot(int p) const
    {
        unsigned int all = __ballot_sync(mask_, p), r = 0, left = mask_;
        for (unsigned int k = 0; k < size_; k++, left &= left - 1) r |= ((all >> (__ffs((int)left) - 1)) & 1) << k;
        return r;
    }
    HD_MEMBER unsigned int meta_group_rank() const { return 0; }
    HD_MEMBER unsigned int meta_group_size() const { return 1; }
};
HD_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int N, class G> HD_DEVICE thread_block_tile<N, G> tiled_partition(const G &)
{
    return thread_block_tile<N, G>();
}
template <class G> HD_DEVICE thread_group tiled_partition(const G &, unsigned int n) { return thread_group(n); }

template <class G> HD_DEVICE void sync(const G &g) { g.sync(); }
HD_DEVICE void sync(const thread_block &) { __syncthreads(); }

} // namespace cooperative_groups
