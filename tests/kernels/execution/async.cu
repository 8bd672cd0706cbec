// SPDX-License-Identifier: Apache-2.0
// arch: sm_90
//
// Copies that run by themselves, mbarriers, clusters. No headers: what they would bring is written
// out, so that the lines are these.
typedef unsigned u32;
typedef unsigned long long u64;

__device__ static u32 shared_of(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

// Each thread copies 16 bytes ahead while it works on the last ones; two groups are under way.
extern "C" __global__ void pipeline(const int4 *x, int *y, int rounds)
{
    __shared__ int4 part[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < rounds + 1; k++) {
        if (k < rounds)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(&part[k % 2][t])),
                         "l"(x + k * 64 + t));
        asm volatile("cp.async.commit_group;");
        if (k == 0) continue;
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        const int4 v = part[(k - 1) % 2][63 - t];
        sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
        __syncthreads(); // redundant: in the last two rounds
    }
    y[blockIdx.x * 64 + t] = sum;
}

// Fewer bytes than the copy has are filled up with zeros; nobody waits, so that what is read first is
// what was there.
extern "C" __global__ void partly(const int *x, int *y)
{
    __shared__ int part[32];
    const int t = threadIdx.x;
    part[t] = -1;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_of(&part[t])), "l"(x + t),
                 "r"(t % 3 == 0 ? 0 : 4));
    y[t] = *(volatile int *)&part[t];
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[32 + t] = *(volatile int *)&part[t];
}

__device__ static bool is_over(u32 bar, u32 parity)
{
    u32 done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return done;
}

// Bulk copies in and out; an mbarrier of one arrival and the bytes of each round.
extern "C" __global__ void bulk(const int *x, int *y, int rounds)
{
    __shared__ __align__(128) int part[256];
    __shared__ u64 bar;
    const int t = threadIdx.x;
    const u32 at = shared_of(part), b = shared_of(&bar);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
        asm volatile("fence.mbarrier_init.release.cluster;"); // redundant: unseen, bulk copies are no other proxy here
    }
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(1024));
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         " [%0], [%1], %2, [%3];" ::"r"(at),
                         "l"(x + 256 * (blockIdx.x * rounds + k)), "r"(1024), "r"(b)
                         : "memory");
            if (k + 1 < rounds) // what comes next, to the L2
                asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                                 x + 256 * (blockIdx.x * rounds + k + 1)),
                             "r"(1024));
        }
        while (!is_over(b, k & 1)) {
        }
        part[t] = part[t] * 2 + k;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // redundant: unseen, as above
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             y + 256 * (blockIdx.x * rounds + k)),
                         "r"(at), "r"(1024)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads(); // redundant: the mbarrier orders the next round
    }
}

// A barrier of all threads by hand: the token of an arrival, and what is left of its phase.
extern "C" __global__ void tokens(int *y)
{
    __shared__ u64 bar;
    __shared__ int part[64];
    const int t = threadIdx.x;
    u64 token;
    u32 pending, done = 0;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(shared_of(&bar)));
    __syncthreads();
    part[t] = t * t;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_of(&bar)) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_of(&bar)), "l"(token)
                     : "memory");
    y[t] = part[63 - t];
    atomicAdd(y + 64, pending);
}

__device__ static void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); // redundant: of pairs, it is there to be met at
}

// Blocks of a cluster in a ring: each reads the shared memory of the next one, and adds to that of
// the one after.
extern "C" __global__ void ring(const int *x, int *y)
{
    __shared__ int part[64], sums[64];
    const int t = threadIdx.x;
    u32 rank, blocks, there, after;
    int v;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    part[t] = x[blockIdx.x * 64 + t], sums[t] = 0;
    cluster_sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(shared_of(part + t)), "r"((rank + 1) % blocks));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(after)
                 : "r"(shared_of(sums + t)), "r"((rank + 2) % blocks));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(there) : "memory");
    asm volatile("atom.shared::cluster.add.s32 _, [%0], %1;" ::"r"(after), "r"(v) : "memory");
    cluster_sync();
    y[blockIdx.x * 64 + t] = sums[t] * 16 + rank;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(int *y)
{
    u32 rank, id;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    cluster_sync();
    if (threadIdx.x == 0) y[blockIdx.x] = rank + 10 * id;
}

// An mbarrier that was never initialised.
extern "C" __global__ void wild(int *y)
{
    __shared__ u64 bar;
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_of(&bar)) : "memory");
    y[0] = 1;
}

// How they are run by themselves (tests/support/model_runs.h)
// run pipeline 1 64 xyr: nothing
// run bulk 1 256 xyr: nothing
// run ring 4 64 xyc: nothing
// run tokens 1 64 y: nothing
// run pairs 2 32 y: nothing
