// SPDX-License-Identifier: Apache-2.0
//
// The kernels of peak bandwidth, included by peak_kernels.c once for each instruction set:
//     ISA      suffix of the functions' names
//     TARGET   the attribute that lets the compiler use it
//     WIDTH    bytes of a vector register
// A step is four registers. A kernel of S streams walks S equal parts of its chunk side by side.
// On Neoverse V1 one stream reads 55 GB/s on two cores, four read 83.

#define NAME_(a, b) a##_##b
#define NAME(a, b)  NAME_(a, b)
#define IN(name)    NAME(name, ISA)

typedef int32_t IN(vector) __attribute__((vector_size(WIDTH), aligned(WIDTH), may_alias));
typedef float IN(floats) __attribute__((vector_size(WIDTH), aligned(WIDTH), may_alias));
#define VECTOR IN(vector)
#define FLOATS IN(floats)
#define STEP   (4 * WIDTH)
#define BODY   static inline __attribute__((always_inline)) TARGET

// Loads and nothing else: the empty statement only claims to use the registers.
BODY void IN(read_step)(const char *in)
{
    const VECTOR *x = (const VECTOR *)(const void *)in;
    const VECTOR a = x[0], b = x[1], c = x[2], d = x[3];
    __asm__ volatile("" : : USE(a), USE(b), USE(c), USE(d));
}

BODY void IN(fill_step)(char *out)
{
    VECTOR *o = (VECTOR *)(void *)out, v = {0};
    __asm__ volatile("" : "+" USE_CODE(v));
    o[0] = v, o[1] = v, o[2] = v, o[3] = v;
}

BODY void IN(copy_step)(char *out, const char *in)
{
    const VECTOR *x = (const VECTOR *)(const void *)in;
    VECTOR *o = (VECTOR *)(void *)out;
    const VECTOR a = x[0], b = x[1], c = x[2], d = x[3];
    o[0] = a, o[1] = b, o[2] = c, o[3] = d;
}

// Adds a zero that the compiler cannot see: the data stay what they are.
BODY void IN(update_step)(char *out)
{
    VECTOR *o = (VECTOR *)(void *)out, v = {0};
    __asm__ volatile("" : "+" USE_CODE(v));
    const VECTOR a = o[0] + v, b = o[1] + v, c = o[2] + v, d = o[3] + v;
    o[0] = a, o[1] = b, o[2] = c, o[3] = d;
}

BODY void IN(triad_step)(char *out, const char *in, const char *other)
{
    const FLOATS *x = (const FLOATS *)(const void *)in, *y = (const FLOATS *)(const void *)other;
    FLOATS *o = (FLOATS *)(void *)out;
    const FLOATS a = x[0] + 3 * y[0], b = x[1] + 3 * y[1];
    const FLOATS c = x[2] + 3 * y[2], d = x[3] + 3 * y[3];
    o[0] = a, o[1] = b, o[2] = c, o[3] = d;
}

BODY void IN(step)(peak_kind kind, char *out, const char *in, const char *other, size_t i)
{
    switch (kind) {
    case PEAK_READ: IN(read_step)(in + i); break;
    case PEAK_FILL: IN(fill_step)(out + i); break;
    case PEAK_COPY: IN(copy_step)(out + i, in + i); break;
    case PEAK_UPDATE: IN(update_step)(out + i); break;
    default: IN(triad_step)(out + i, in + i, other + i); break;
    }
}

// The last few bytes that do not fill a step are left out: fewer than 4 * WIDTH.
BODY void IN(walk)(peak_kind kind, size_t streams, char *out, const char *in, const char *other,
                   size_t bytes)
{
    const size_t part = bytes / streams / STEP * STEP;
    for (size_t i = 0; i < part; i += STEP) {
#pragma GCC unroll 8
        for (size_t s = 0; s < streams; s++) IN(step)(kind, out, in, other, s * part + i);
    }
    for (size_t i = streams * part; i + STEP <= bytes; i += STEP) IN(step)(kind, out, in, other, i);
}

#define KERNEL(name, kind, streams)                                                                \
    TARGET static void IN(name)(char *out, const char *in, const char *other, size_t bytes)        \
    {                                                                                              \
        IN(walk)(kind, streams, out, in, other, bytes);                                            \
    }

KERNEL(read1, PEAK_READ, 1)
KERNEL(read2, PEAK_READ, 2)
KERNEL(read4, PEAK_READ, 4)
KERNEL(read8, PEAK_READ, 8)
KERNEL(fill1, PEAK_FILL, 1)
KERNEL(fill4, PEAK_FILL, 4)
KERNEL(copy1, PEAK_COPY, 1)
KERNEL(copy2, PEAK_COPY, 2)
KERNEL(copy4, PEAK_COPY, 4)
KERNEL(update1, PEAK_UPDATE, 1)
KERNEL(update2, PEAK_UPDATE, 2)
KERNEL(update4, PEAK_UPDATE, 4)
KERNEL(triad1, PEAK_TRIAD, 1)
KERNEL(triad2, PEAK_TRIAD, 2)
KERNEL(triad4, PEAK_TRIAD, 4)

#undef NAME_
#undef NAME
#undef IN
#undef VECTOR
#undef FLOATS
#undef STEP
#undef BODY
#undef KERNEL
#undef ISA
#undef TARGET
#undef WIDTH
