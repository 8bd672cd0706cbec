// SPDX-License-Identifier: Apache-2.0
//
// Checks, random numbers, values and contexts of check.h. Its arrays are in check_array.c.
#define _GNU_SOURCE
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

// ---- Checks ---------------------------------------------------------------------------------

enum { MAX_FAILURES = 40 };
static int failures;

static void count_failure(void)
{
    if (++failures < MAX_FAILURES) return;
    printf("%d failures: enough\n", failures);
    exit(1);
}

void check_failed(const char *file, int line, const char *text, const char *format, ...)
{
    printf("%s:%d: FAILED %s: ", file, line, text);
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf(" [HEDDLE_TEST_SEED=%" PRIu64 "]\n", check_seed());
    fflush(stdout);
    count_failure();
}

void check_status(const char *file, int line, const char *text, const hd_context *ctx,
                  hd_status expected, hd_status got)
{
    if (expected == got) return;
    check_failed(file, line, text, "expected %s, got %s: %s", hd_status_name(expected),
                 hd_status_name(got), ctx ? hd_error(ctx) : "(no context)");
}

int check_finish(void)
{
    if (failures) printf("%d checks failed\n", failures);
    return failures ? 1 : 0;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool check_small(void)
{
    return is_set("HEDDLE_TEST_SMALL");
}

bool check_huge(void)
{
    return is_set("HEDDLE_TEST_HUGE");
}

void *check_memory(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (memory) return memory;
    printf("out of memory: %zu bytes\n", bytes);
    exit(1);
}

// ---- Random numbers -------------------------------------------------------------------------

uint64_t check_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int64_t check_below(uint64_t *state, int64_t n)
{
    return n <= 0 ? 0 : (int64_t)(check_next(state) % (uint64_t)n);
}

uint64_t check_seed(void)
{
    const char *text = getenv("HEDDLE_TEST_SEED");
    return text && *text ? strtoull(text, NULL, 0) : 20240229;
}

int64_t check_size(int k, int64_t limit)
{
    static const int64_t sizes[] = {
        0,     1,     2,     3,     7,     8,     9,      15,      16,     17,   31,
        32,    33,    63,    64,    65,    127,   128,    129,     255,    256,  257,
        511,   512,   513,   1000,  1023,  1024,  1025,   2039,    4095,   4096, 4097,
        10007, 32768, 32771, 65535, 65536, 65537, 262147, 4194301, 4194305};
    return k < (int)(sizeof sizes / sizeof *sizes) && sizes[k] <= limit ? sizes[k] : -1;
}

// ---- Types ----------------------------------------------------------------------------------

hd_type check_type(int k)
{
    static const hd_type types[] = {HD_I8,  HD_I16, HD_I32,  HD_I64, HD_U8,  HD_U16,  HD_U32,
                                    HD_U64, HD_F16, HD_BF16, HD_F32, HD_F64, HD_BOOL, HD_NONE};
    return types[k];
}

bool check_is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

bool check_is_signed(hd_type type)
{
    return type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;
}

// ---- Values ---------------------------------------------------------------------------------

const char *check_pattern_name(check_pattern pattern)
{
    static const char *names[] = {"ordinary", "wide",  "special", "ties",
                                  "zeros",    "units", "little"};
    return names[pattern];
}

// A whole number of 53 bits, sign included, over 2^52: in -1 .. 1, exact in f64.
static double ordinary(uint64_t r)
{
    return ldexp((double)((int64_t)r >> 11), -52);
}

// Exponents that leave room for sums: half the type's range, and its subnormals.
static double wide(hd_type type, uint64_t r)
{
    static const struct {
        hd_type type;
        int low, high;
    } ranges[] = {
        {HD_F16, -25, 13}, {HD_BF16, -134, 100}, {HD_F32, -150, 100}, {HD_F64, -1075, 900}};
    if (r % 17 == 0) return r & 32 ? 0.0 : -0.0;
    for (int k = 0;; k++) {
        if (ranges[k].type != type) continue;
        const int exponent =
            ranges[k].low + (int)((r >> 8) % (uint64_t)(ranges[k].high - ranges[k].low));
        return ldexp(ordinary(r * 0x9E3779B97F4A7C15u), exponent);
    }
}

static double float_value(hd_type type, check_pattern pattern, uint64_t r)
{
    static const double ties[] = {0.0, -0.0, 1.0, -1.0, 1.0, 0.5, -0.5, 2.0};
    switch (pattern) {
    case CHECK_WIDE: return wide(type, r);
    case CHECK_TIES: return ties[r % 8];
    case CHECK_ZEROS: return r & 1 ? 0.0 : -0.0;
    case CHECK_UNITS: return (r & 1 ? 1.0 : -1.0) * (1.0 + ldexp(ordinary(r), -6));
    case CHECK_LITTLE: return (double)(int64_t)(r % 15) - 7.0;
    default: return ordinary(r);
    }
}

static uint64_t whole_value(hd_type type, check_pattern pattern, uint64_t r)
{
    const uint64_t minus = check_is_signed(type) ? UINT64_MAX : 1;
    switch (pattern) {
    case CHECK_TIES: return r % 3;
    case CHECK_ZEROS: return 0;
    case CHECK_UNITS: return r | 1;
    case CHECK_LITTLE: return (r % 5) * (r & 32 ? minus : 1);
    case CHECK_SPECIAL: return r % 7 ? r : r & 64 ? UINT64_MAX : (uint64_t)1 << 63 >> (r % 64);
    default: return r;
    }
}

static void store_float(hd_type type, void *out, int64_t i, double x)
{
    if (type == HD_F64)
        ((double *)out)[i] = x;
    else if (type == HD_F32)
        ((float *)out)[i] = (float)x;
    else
        ((uint16_t *)out)[i] = ref_narrow(type, x);
}

static void store_whole(hd_type type, void *out, int64_t i, uint64_t x)
{
    switch (hd_type_size(type)) {
    case 1: ((uint8_t *)out)[i] = type == HD_BOOL ? (x & 1) : (uint8_t)x; break;
    case 2: ((uint16_t *)out)[i] = (uint16_t)x; break;
    case 4: ((uint32_t *)out)[i] = (uint32_t)x; break;
    default: ((uint64_t *)out)[i] = x;
    }
}

// Up to three elements become infinite or NaN; one array in three has no NaN.
static void add_specials(hd_type type, void *out, int64_t n, uint64_t *state)
{
    const bool finite = check_next(state) % 3 == 0;
    for (int64_t k = check_below(state, 4); k > 0 && n > 0; k--) {
        const int64_t i = check_below(state, n);
        const uint64_t r = check_next(state);
        const double x = finite || r & 4 ? (double)INFINITY : (double)NAN;
        store_float(type, out, i, r & 1 ? x : -x);
    }
}

void check_fill(hd_type type, void *out, int64_t n, check_pattern pattern, uint64_t seed)
{
    uint64_t state = seed * 0xD1342543DE82EF95u + type;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t r = check_next(&state);
        if (check_is_float(type))
            store_float(type, out, i, float_value(type, pattern, r));
        else
            store_whole(type, out, i, whole_value(type, pattern, r));
    }
    if (pattern == CHECK_SPECIAL && check_is_float(type)) add_specials(type, out, n, &state);
}

// ---- Comparison -----------------------------------------------------------------------------

static bool same_element(hd_type type, const unsigned char *a, const unsigned char *b, size_t size)
{
    if (memcmp(a, b, size) == 0) return true;
    if (!check_is_float(type)) return false;
    const double x = ref_to_double(type, a), y = ref_to_double(type, b);
    return x != x && y != y;
}

int64_t check_differs(hd_type type, const void *a, const void *b, int64_t n)
{
    const size_t size = hd_type_size(type);
    const unsigned char *x = a, *y = b;
    if (n <= 0 || memcmp(a, b, size * (size_t)n) == 0) return -1;
    for (int64_t i = 0; i < n; i++)
        if (!same_element(type, x + size * (size_t)i, y + size * (size_t)i, size)) return i;
    return -1;
}

const char *check_text(hd_type type, const void *element)
{
    static char texts[4][96];
    static int turn;
    char *text = texts[turn++ % 4];
    const size_t size = hd_type_size(type);
    int used = 0;
    if (check_is_float(type))
        used = snprintf(text, 48, "%.17g ", ref_to_double(type, element));
    else if (size <= 8)
        used = snprintf(text, 48, "%" PRId64 " ", (int64_t)ref_to_whole(type, element));
    used += snprintf(text + used, 4, "0x");
    for (size_t k = size < 16 ? size : 16; k > 0; k--)
        used += snprintf(text + used, 3, "%02x", ((const unsigned char *)element)[k - 1]);
    return text;
}

void check_same(const char *file, int line, hd_type type, const void *got, const void *want,
                int64_t n, const char *format, ...)
{
    const int64_t i = check_differs(type, got, want, n);
    if (i < 0) return;
    char words[256];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    const size_t at = hd_type_size(type) * (size_t)i;
    check_failed(file, line, "bits", "%s: element %" PRId64 " of %" PRId64 " is %s, expected %s",
                 words, i, n, check_text(type, (const char *)got + at),
                 check_text(type, (const char *)want + at));
}

// ---- Contexts -------------------------------------------------------------------------------

hd_context *check_open(hd_backend backend, int32_t threads, const char *isa)
{
    hd_context *ctx = NULL;
    const hd_context_options options = {.backend = backend, .threads = threads, .isa = isa};
    CHECK_OK(ctx, hd_open(&ctx, &options));
    return ctx;
}

enum { MAX_TARGETS = 64 };
static check_target all[MAX_TARGETS];
static int all_count;

static void add_target(hd_backend backend, int32_t threads, const char *isa)
{
    if (all_count == MAX_TARGETS) return;
    check_target *target = &all[all_count++];
    target->ctx = check_open(backend, threads, isa);
    if (backend == HD_CPU && isa)
        snprintf(target->name, sizeof target->name, "cpu, %d threads, %s", (int)threads, isa);
    else
        snprintf(target->name, sizeof target->name, "%s", hd_backend_name(backend));
}

static void add_cpu_targets(void)
{
    static const int32_t threads[] = {1, 2, 3, 5, 8};
    for (int32_t k = 0; hd_isa_name(k); k++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            if (hd_isa_runs(k)) add_target(HD_CPU, threads[t], hd_isa_name(k));
}

static void close_targets(void)
{
    for (int k = 0; k < all_count; k++) hd_close(all[k].ctx);
    all_count = 0;
}

int check_on_gpus(void (*test)(hd_backend which))
{
    const char *only = getenv("HEDDLE_TEST_BACKEND");
    bool ran = false;
    for (int b = HD_CUDA; b <= HD_MODEL; b++) {
        if (only && *only && strcmp(only, hd_backend_name((hd_backend)b)) != 0) continue;
        if (!hd_backend_available((hd_backend)b, NULL)) continue;
        test((hd_backend)b);
        ran = true;
    }
    const int code = check_finish();
    return code == 0 && !ran ? CHECK_SKIP : code;
}

int check_targets(const check_target **targets)
{
    if (!all_count) {
        const char *only = getenv("HEDDLE_TEST_BACKEND");
        add_target(HD_SERIAL, 0, NULL);
        if (only && *only)
            add_target((hd_backend)hd_backend_named(only), 0, NULL);
        else
            add_cpu_targets();
        atexit(close_targets);
    }
    *targets = all;
    return all_count;
}
