// SPDX-License-Identifier: Apache-2.0
//
// Probes of users' files (heddle_probe.h), from the library's side: every call that takes an
// operator, a function or a comparison asks, once a file, and refuses what the probe finds fault
// with, before anything is written. Which flags a probe finds is tests/consumers/flags.sh.
#include <fenv.h>
#include <string.h>

#include "tests/support/check.h"

enum { N = 8 };
static const float in[N] = {1, 2, 3, 4, 5, 6, 7, 8};
static const int32_t index_of[N] = {7, 6, 5, 4, 3, 2, 1, 0};
static const int32_t next_of[N] = {1, 2, 3, 4, 5, 6, 7, 7};
static float out[N];
static int32_t counts[N];

HD_OPERATOR(blend, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a + b; })
HD_FUNCTION(half, float, HD_NO_SOURCE, (float, x), { return x / 2; })
HD_FUNCTION(apart, float, HD_NO_SOURCE, (float, x, float, y), { return x - y; })
HD_FUNCTION(is_large, int32_t, HD_NO_SOURCE, (float, x), { return x > 4; })
HD_COMPARISON(up, float, HD_NO_SOURCE, { return a < b; })

// The same with a probe that the test chooses.
static hd_operator op;
static hd_function one, two, label;
static hd_comparison order;

static void use_probe(hd__probe *probe)
{
    op = *blend, one = *half, two = *apart, label = *is_large, order = *up;
    op.probe = one.probe = two.probe = label.probe = order.probe = probe;
}

// ---- Every call ---------------------------------------------------------------------------------

#define IN  HD_VIEW(in, N)
#define OUT HD_VIEW(out, N)

static hd_status reduce(hd_context *ctx)
{
    return hd_reduce(ctx, IN, &op, HD_VIEW(out, 1), NULL);
}
static hd_status reduce_mapped(hd_context *ctx)
{
    return hd_reduce(ctx, IN, HD_SUM, HD_VIEW(out, 1), &(hd_reduce_options){.map = &one});
}
static hd_status scan(hd_context *ctx)
{
    return hd_scan(ctx, IN, &op, OUT, NULL);
}
static hd_status scan_mapped(hd_context *ctx)
{
    return hd_scan(ctx, IN, HD_SUM, OUT, &(hd_scan_options){.map = &one});
}
static hd_status list_scan(hd_context *ctx)
{
    return hd_list_scan(ctx, HD_VIEW(next_of, N), IN, &op, OUT, NULL);
}
static hd_status list_scan_wyllie(hd_context *ctx)
{
    return hd_list_scan(ctx, HD_VIEW(next_of, N), IN, &op, OUT,
                        &(hd_list_options){.method = HD_LIST_WYLLIE});
}
static hd_status check_operator(hd_context *ctx)
{
    return hd_check_operator(ctx, &op, HD_VIEW(in, N), &(hd_check_options){.trials = 10});
}
static hd_status map(hd_context *ctx)
{
    return hd_map(ctx, IN, &one, OUT, NULL);
}
static hd_status gather(hd_context *ctx)
{
    return hd_gather(ctx, IN, HD_VIEW(index_of, N), OUT, &(hd_gather_options){.function = &one});
}
static hd_status scatter(hd_context *ctx)
{
    return hd_scatter(ctx, IN, HD_VIEW(index_of, N), OUT, &(hd_scatter_options){.combine = &op});
}
static hd_status scatter_mapped(hd_context *ctx)
{
    return hd_scatter(ctx, IN, HD_VIEW(index_of, N), OUT, &(hd_scatter_options){.map = &one});
}
static hd_status difference(hd_context *ctx)
{
    return hd_difference(ctx, IN, OUT, &(hd_difference_options){.function = &two});
}
static hd_status stencil(hd_context *ctx)
{
    static const int32_t offsets[2] = {-1, 1};
    return hd_stencil(ctx, IN, HD_VIEW(offsets, 2), HD_EMPTY, OUT,
                      &(hd_stencil_options){.function = &two});
}
static hd_status find(hd_context *ctx)
{
    int64_t position;
    return hd_find(ctx, IN, HD_VIEW(&position, 1), &(hd_find_options){.map = &label});
}
static hd_status histogram(hd_context *ctx)
{
    return hd_histogram(ctx, IN, HD_VIEW(counts, 2), &(hd_histogram_options){.bin = &label});
}
static hd_status compact(hd_context *ctx)
{
    int64_t count;
    return hd_compact(ctx, IN, OUT, HD_VIEW(&count, 1), &(hd_compact_options){.keep = &label});
}
static hd_status partition(hd_context *ctx)
{
    return hd_partition(ctx, IN, OUT, HD_VIEW(counts, 2),
                        &(hd_partition_options){.bucket = &label, .ways = 2});
}
static hd_status sort_by(hd_context *ctx)
{
    return hd_sort(ctx, IN, OUT, HD_NO_VALUES, &(hd_sort_options){.comparison = &order});
}
static hd_status merge(hd_context *ctx)
{
    return hd_merge(ctx, HD_VIEW(in, 4), HD_VIEW(in + 4, 4), OUT, HD_NO_VALUES,
                    &(hd_merge_options){.comparison = &order});
}
static hd_status search(hd_context *ctx)
{
    return hd_search(ctx, IN, HD_VIEW(in, 4), HD_VIEW(counts, 4),
                     &(hd_search_options){.comparison = &order});
}
static hd_status top_k(hd_context *ctx)
{
    return hd_top_k(ctx, IN, 3, HD_VIEW(out, 3), HD_NO_VALUES,
                    &(hd_top_k_options){.comparison = &order, .ascending = true});
}

static const struct {
    const char *name, *kind;
    hd_status (*run)(hd_context *ctx);
} calls[] = {
    {"hd_reduce", "operator blend", reduce},
    {"hd_reduce", "function half", reduce_mapped},
    {"hd_scan", "operator blend", scan},
    {"hd_scan", "function half", scan_mapped},
    {"hd_list_scan", "operator blend", list_scan},
    {"hd_list_scan", "operator blend", list_scan_wyllie},
    {"hd_check_operator", "operator blend", check_operator},
    {"hd_map", "function half", map},
    {"hd_gather", "function half", gather},
    {"hd_scatter", "operator blend", scatter},
    {"hd_scatter", "function half", scatter_mapped},
    {"hd_difference", "function apart", difference},
    {"hd_stencil", "function apart", stencil},
    {"hd_find", "function is_large", find},
    {"hd_histogram", "function is_large", histogram},
    {"hd_compact", "function is_large", compact},
    {"hd_partition", "function is_large", partition},
    {"hd_sort", "comparison up", sort_by},
    {"hd_merge", "comparison up", merge},
    {"hd_search", "comparison up", search},
    {"hd_top_k", "comparison up", top_k},
};
enum { CALLS = sizeof calls / sizeof *calls };

// ---- Probes -------------------------------------------------------------------------------------

static int runs;
static uint32_t finding;

static uint32_t run_probe(void)
{
    runs++;
    return finding;
}

static void test_refusals(hd_context *ctx, const char *backend)
{
    static const struct {
        uint32_t found;
        const char *flag;
    } rows[] = {
        {HD__FOUND_CONTRACTION, "-ffp-contract=fast"},
        {HD__FOUND_WIDER, "-mfpmath=387"},
        {HD__FOUND_REGROUPING, "-fassociative-math"},
        {HD__FOUND_RECIPROCALS, "-freciprocal-math"},
        {HD__FOUND_UNSIGNED_ZEROS, "-fno-signed-zeros"},
        {HD__FOUND_FINITE_ONLY, "-ffinite-math-only"},
        {HD__FOUND_FLUSHING, "-fdenormal-fp-math"},
        {HD__FOUND_FLOAT_CONSTANTS, "-fsingle-precision-constant"},
        {255, "-ffp-contract=fast"}, // all of them: the text has room
        {255, "-fsingle-precision-constant"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        hd__probe probe = {run_probe, 0};
        use_probe(&probe);
        finding = rows[r].found, runs = 0;
        for (int k = 0; k < CALLS; k++) {
            memset(out, 0, sizeof out);
            const hd_status status = calls[k].run(ctx);
            const char *text = hd_error(ctx);
            CHECK(status == HD_ERROR_OPERATOR && strstr(text, rows[r].flag) != NULL &&
                      strstr(text, calls[k].kind) != NULL,
                  "%s with %s on %s: status %d, \"%s\"", calls[k].name, calls[k].kind, backend,
                  (int)status, text);
            for (int i = 0; i < N; i++)
                CHECK(out[i] == 0, "%s on %s has written", calls[k].name, backend);
        }
        CHECK(runs == 1, "%d runs of one probe", runs);
    }
}

static void test_clean(hd_context *ctx)
{
    hd__probe probe = {run_probe, 0};
    use_probe(&probe);
    finding = 0, runs = 0;
    for (int k = 0; k < CALLS; k++) CHECK_OK(ctx, calls[k].run(ctx));
    CHECK(runs == 1, "%d runs of one probe", runs);
    use_probe(NULL);
    for (int k = 0; k < CALLS; k++) CHECK_OK(ctx, calls[k].run(ctx));
}

// This file's own probe: shared by all of its texts, clean, in whatever state the caller's thread
// is.
static void test_own(hd_context *ctx)
{
    hd__probe *own = blend->probe;
    CHECK(own != NULL && own == half->probe && own == up->probe, "one probe for a file");
    use_probe(own);
    own->state = 0;
    fesetround(FE_UPWARD);
    const hd_status status = reduce(ctx);
    fesetround(FE_TONEAREST);
    CHECK(status == HD_OK, "rounding upwards is no flag: %s", hd_error(ctx));
    CHECK(own->state == HD__PROBE_CLEAN, "state %u", (unsigned)own->state);
}

int main(void)
{
    static const hd_backend backends[] = {HD_SERIAL, HD_CPU};
    for (int b = 0; b < 2; b++) {
        hd_context *ctx;
        const hd_status status = hd_open(&ctx, &(hd_context_options){.backend = backends[b]});
        CHECK(status == HD_OK, "%s", hd_error(ctx));
        test_refusals(ctx, hd_backend_name(backends[b]));
        test_clean(ctx);
        test_own(ctx);
        hd_close(ctx);
    }
    return check_finish();
}
