// SPDX-License-Identifier: Apache-2.0
//
// The frame all tests stand on: checks that print the seed when they fail, random numbers and
// values, arrays that end at a page nobody may touch, comparison of bits, and a context for every
// backend, thread count and instruction set. What the right answers are is in reference.h.
#ifndef HEDDLE_TESTS_SUPPORT_CHECK_H
#define HEDDLE_TESTS_SUPPORT_CHECK_H

#include <heddle.h>

// ---- Checks ---------------------------------------------------------------------------------

// CHECK(condition, "what it was about, as printf has it", ...): prints and counts a failure; the
// program ends after a few dozen of them.
#define CHECK(condition, ...)                                                                      \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

// The call must succeed; a failure shows the context's text.
#define CHECK_OK(ctx, call) check_status(__FILE__, __LINE__, #call, (ctx), HD_OK, (call))

void check_failed(const char *file, int line, const char *text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void check_status(const char *file, int line, const char *text, const hd_context *ctx,
                  hd_status expected, hd_status got);

// What main returns: 0 if every check held.
int check_finish(void);

// Runs a test on the backends cuda and model, as far as they are here and HEDDLE_TEST_BACKEND
// allows, and gives what main returns.
int check_on_gpus(void (*test)(hd_backend which));

// HEDDLE_TEST_SMALL=1 asks for reduced sizes, HEDDLE_TEST_HUGE=1 allows those past 2^32.
bool check_small(void);
bool check_huge(void);

// What main returns for a test that cannot run here.
#define CHECK_SKIP 77

// ---- Random numbers -------------------------------------------------------------------------

// splitmix64. The seed of a test is HEDDLE_TEST_SEED, or a fixed number.
uint64_t check_next(uint64_t *state);
int64_t check_below(uint64_t *state, int64_t n); // 0 .. n - 1
uint64_t check_seed(void);

// The sizes every pattern is tried at, rising: 0, 1, around powers of two, primes; -1 after the
// last that is not above limit.
int64_t check_size(int k, int64_t limit);

// ---- Values ---------------------------------------------------------------------------------

// Ways to fill an array. They use exact arithmetic only, so every machine makes the same values.
typedef enum check_pattern {
    CHECK_ORDINARY, // floats in -1 .. 1 with full mantissas; integers over their whole range
    CHECK_WIDE,     // floats of all exponents, subnormals and both zeros among them
    CHECK_SPECIAL,  // ordinary ones with a few NaN and infinities somewhere
    CHECK_TIES,     // a handful of values again and again, both zeros among them
    CHECK_ZEROS,    // +0 and -0
    CHECK_UNITS,    // near 1 in magnitude; integers odd: products stay interesting
    CHECK_LITTLE,   // small whole numbers: float sums of them are exact
    CHECK_PATTERNS
} check_pattern;

void check_fill(hd_type type, void *out, int64_t n, check_pattern pattern, uint64_t seed);
const char *check_pattern_name(check_pattern pattern);

// The first index where a and b differ in their bits, or -1; any NaN equals any NaN.
int64_t check_differs(hd_type type, const void *a, const void *b, int64_t n);

// One element as text, value and bits; a few texts may be alive at once.
const char *check_text(hd_type type, const void *element);

// Checks got[0 .. n - 1] against want and says, with the words of the format, where it differs.
#define CHECK_SAME(type, got, want, n, ...)                                                        \
    check_same(__FILE__, __LINE__, (type), (got), (want), (n), __VA_ARGS__)
void check_same(const char *file, int line, hd_type type, const void *got, const void *want,
                int64_t n, const char *format, ...) __attribute__((format(printf, 7, 8)));

// The thirteen number types, one after another: HD_NONE after the last.
hd_type check_type(int k);
bool check_is_float(hd_type type);
bool check_is_signed(hd_type type); // signed integers

// ---- Arrays with guard pages ----------------------------------------------------------------

typedef enum check_layout {
    CHECK_DENSE,
    CHECK_STRIDED,  // every third element
    CHECK_REVERSED, // from the last address to the first
    CHECK_ROWS,     // two dimensions with gaps after the rows
    CHECK_TURNED,   // three dimensions, permuted, one backwards, with gaps
    CHECK_LAYOUTS
} check_layout;

typedef struct check_array {
    hd_view view;
    unsigned char *map, *storage;
    size_t map_bytes, storage_bytes;
} check_array;

// n elements in a layout. The storage ends where a page without access begins, or begins where
// one ends (at_front); every byte of it is CHECK_FILLER.
#define CHECK_FILLER 0xA5
check_array check_new(hd_type type, int64_t n, check_layout layout, bool at_front);
check_array check_new_nd(hd_type type, int32_t ndim, const int64_t *shape, const int64_t *stride,
                         bool at_front);
void check_drop(check_array *array);

// Strides for a shape in a random order of its axes, with random gaps and signs.
void check_strides(int32_t ndim, const int64_t *shape, uint64_t *state, int64_t *stride);

// Row-major contents from and to plain memory.
void check_put(const check_array *array, const void *dense);
void check_get(const check_array *array, void *dense);
// Whether every byte that is not an element of the view still is CHECK_FILLER.
bool check_gaps(const check_array *array);
// Whether the bytes between the storage and the pages without access still are CHECK_FILLER.
bool check_slack(const check_array *array);
// Where element k, in row-major order, of a view is.
void *check_element(hd_view view, int64_t k);
const char *check_layout_name(check_layout layout);

// malloc that ends the test where it fails.
void *check_memory(size_t bytes);

// Offsets that cut 0 .. n into segments: many empty ones, single elements, a power law of lengths.
// At most room of them are made (at least 2); the first need not be 0 nor the last n.
int64_t check_offsets(int64_t n, int64_t room, uint64_t *state, int64_t *offsets);
// A sequence of keys with runs of the same lengths; small values, so that runs meet again.
void check_keys(hd_type type, void *keys, int64_t n, uint64_t *state);

// ---- Contexts -------------------------------------------------------------------------------

typedef struct check_target {
    hd_context *ctx;
    char name[64]; // "cpu, 3 threads, neon"
} check_target;

// A context for each backend of the host; for the cpu, one for each of 1, 2, 3, 5, 8 threads and
// each instruction set. The serial one is first. They stay open to the end of the program.
// HEDDLE_TEST_BACKEND=cuda puts that one in the place of the cpu: the tests test_gpu_*.c do so for
// patterns and sizes that the model machine can do in seconds.
int check_targets(const check_target **targets);

// A context that must open.
hd_context *check_open(hd_backend backend, int32_t threads, const char *isa);

#endif
