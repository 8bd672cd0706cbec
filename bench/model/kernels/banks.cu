// SPDX-License-Identifier: Apache-2.0
//
// One request of one warp to shared memory, of 1, 2, 4, 8 or 16 bytes a lane, at any addresses: how
// many wavefronts the hardware takes for it.
#define BYTES 17408 // 32 lanes, 33 elements of 16 bytes apart, and a little more

// The byte that a lane asks for: a number of `at`, a stride, an offset; lanes of `high` ask for
// `more` bytes beyond. Only lanes of `lanes` ask at all.
#define ARGUMENTS                                                                                  \
    const unsigned *at, unsigned *out, int from, int scale, int stride, int offset, unsigned lanes, \
        unsigned high, int more

static __device__ unsigned address(ARGUMENTS)
{
    const int lane = threadIdx.x;
    (void)out, (void)lanes;
    return (unsigned)((int)at[from + lane] * scale + lane * stride + offset +
                      (int)(high >> lane & 1) * more);
}

#define MINE address(at, out, from, scale, stride, offset, lanes, high, more)

static __device__ unsigned fill(unsigned *s)
{
    for (int k = threadIdx.x; k < BYTES / 4; k += 32) s[k] = k;
    __syncthreads();
    return (unsigned)__cvta_generic_to_shared(s);
}

#define READ(name, type, letter, put)                                                              \
    extern "C" __global__ void name(ARGUMENTS)                                                     \
    {                                                                                              \
        __shared__ __align__(16) unsigned s[BYTES / 4];                                            \
        const unsigned a = fill(s) + MINE;                                                         \
        type v = 0;                                                                                \
        if (lanes >> threadIdx.x & 1)                                                              \
            asm volatile("ld.shared." put " %0, [%1];" : "=" letter(v) : "r"(a));                  \
        out[threadIdx.x] = (unsigned)v;                                                            \
    }

#define WRITE(name, type, letter, put)                                                             \
    extern "C" __global__ void name(ARGUMENTS)                                                     \
    {                                                                                              \
        __shared__ __align__(16) unsigned s[BYTES / 4];                                            \
        const unsigned a = fill(s) + MINE;                                                         \
        const type v = (type)1;                                                                    \
        if (lanes >> threadIdx.x & 1)                                                              \
            asm volatile("st.shared." put " [%0], %1;" : : "r"(a), letter(v) : "memory");          \
        out[threadIdx.x] = (unsigned)v;                                                            \
    }

READ(read_8, unsigned short, "h", "u8")
READ(read_16, unsigned short, "h", "u16")
READ(read_32, unsigned, "r", "u32")
READ(read_64, unsigned long long, "l", "u64")
WRITE(write_8, unsigned short, "h", "u8")
WRITE(write_16, unsigned short, "h", "u16")
WRITE(write_32, unsigned, "r", "u32")
WRITE(write_64, unsigned long long, "l", "u64")

extern "C" __global__ void read_128(ARGUMENTS)
{
    __shared__ __align__(16) unsigned s[BYTES / 4];
    const unsigned a = fill(s) + MINE;
    unsigned x = 0, y = 0, z = 0, w = 0;
    if (lanes >> threadIdx.x & 1)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(a));
    out[threadIdx.x] = x + y + z + w;
}

extern "C" __global__ void write_128(ARGUMENTS)
{
    __shared__ __align__(16) unsigned s[BYTES / 4];
    const unsigned a = fill(s) + MINE, v = 1;
    if (lanes >> threadIdx.x & 1)
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" : : "r"(a), "r"(v) : "memory");
    out[threadIdx.x] = v;
}
