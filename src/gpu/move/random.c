// SPDX-License-Identifier: Apache-2.0
// The pass of hd_random: a map of the counters, by the text of the numbers of random.h.
#include "patterns/move/random.h"
#include "gpu/gpu.h"
#include "patterns/move/map.h"

#define TEXT(...) #__VA_ARGS__

// clang-format off
static const hd_source numbers = {.name = "random", .text = TEXT(
static inline uint64_t hk_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
static inline uint64_t hk_random_bits(uint64_t start, uint64_t i)
{
    return hk_mix(start + (i + 1) * 0x9e3779b97f4a7c15ull);
}
static inline uint64_t hk_random_next(uint64_t r)
{
    return hk_mix(r + 0x9e3779b97f4a7c15ull);
}
static inline uint64_t hk_high_product(uint64_t a, uint64_t b)
{
    uint64_t high;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(a), "l"(b));
    return high;
}
)};

#define INTEGER TEXT({                                                                             \
    uint64_t r = hk_random_bits(start, (uint64_t)i);                                               \
    if (count == 0) return low + r;                                                                \
    while (r * count < reject) r = hk_random_next(r);                                              \
    return low + hk_high_product(r, count);                                                        \
})

#define NORMAL TEXT({                                                                              \
    const uint64_t r = hk_random_bits(start, (uint64_t)i);                                         \
    const double u = ((double)(int64_t)(r >> 11) + 1) * 0x1p-53;                                   \
    const double v = (double)(int64_t)(hk_random_next(r) >> 11) * 0x1p-53;                         \
    const hd__m_angle a = hd__m_angle_near(6.283185307179586 * v);                                 \
    const hd__m_pair s = hd__m_sine_pair(a.hi, a.lo);                                              \
    const hd__m_pair c = hd__m_cosine_pair(a.hi, a.lo);                                            \
    const uint64_t quarter = a.quarter + 1;                                                        \
    const double y = hd__m_choose((int)(quarter & 1), c.hi + c.lo, s.hi + s.lo);                   \
    return hd_sqrt(-2 * hd_log(u)) * hd__m_of_bits(hd__m_bits_of(y) ^ (quarter & 2) << 62);        \
})
// clang-format on

// An element is `result`, which the map converts to the type of the output.
#define NUMBERS(name_text, type, type_text, count, parameters, text)                               \
    {                                                                                              \
        .inputs = count, .result = type, .input = {HD_I64, HD_U64, HD_U64, HD_U64, HD_U64},        \
        .name = name_text, .result_text = type_text,                                               \
        .inputs_text = "(int64_t, i, uint64_t, start" parameters ")", .body_text = text,           \
        .source = &numbers                                                                         \
    }
#define UNIFORM(type, type_text, shift, scale)                                                     \
    NUMBERS("uniform", type, type_text, 2, "",                                                     \
            "{ return (" type_text ")(int64_t)(hk_random_bits(start, (uint64_t)i) >> " shift       \
            ") * " scale "; }")

static const hd_function integers =
    NUMBERS("uniform integers", HD_U64, "uint64_t", 5,
            ", uint64_t, low, uint64_t, count, uint64_t, reject", INTEGER);
static const hd_function normal = NUMBERS("normal", HD_F64, "double", 2, "", NORMAL);
static const hd_function uniform_f64 = UNIFORM(HD_F64, "double", "11", "0x1p-53");
static const hd_function uniform_f32 = UNIFORM(HD_F32, "float", "40", "0x1p-24f");
static const hd_function uniform_f16 = UNIFORM(HD_F32, "float", "53", "0x1p-11f");
static const hd_function uniform_bf16 = UNIFORM(HD_F32, "float", "56", "0x1p-8f");

static const hd_function *function_for(const hd__random_job *job)
{
    if (!hd__is_float(job->out.type)) return &integers;
    if (job->normal) return &normal;
    return job->out.type == HD_F64   ? &uniform_f64
           : job->out.type == HD_F32 ? &uniform_f32
           : job->out.type == HD_F16 ? &uniform_f16
                                     : &uniform_bf16;
}

hd_status hd__gpu_random(hd_context *ctx, const void *any, const char **why)
{
    const hd__random_job *job = any;
    const hd__random_range range = hd__random_range_of(job);
    const uint64_t parameters[] = {job->start, range.low, range.count, range.reject};
    hd__map_job map = {.in = {.n = job->n, .map = function_for(job)}, .out = job->out};
    map.in.inputs = map.in.map->inputs;
    map.in.view[0] = hd_iota(job->n);
    map.in.view[0].scalar.i.start = (int64_t)job->offset;
    for (int k = 1; k < map.in.inputs; k++)
        map.in.view[k] = hd_constant_of(HD_U64, &parameters[k - 1], job->n);
    return hd__gpu_map(ctx, &map, why);
}
