// SPDX-License-Identifier: Apache-2.0
//
// What the model keeps for pictures and stories: the worst request of an instruction with the
// addresses of its lanes, and the accesses of a small launch in their order, with values.
#include "tests/support/model_check.h"

#include <string.h>

// The unpadded transpose: the column read of shared memory has 32 lanes on one bank, the naive
// store 32 sectors; where and by whom does not depend on threads or seeds.
static void test_worst(int32_t threads, uint64_t seed)
{
    enum { N = 64 };
    static float x[N * N];
    const hd_model_options options = {
        .threads = threads, .seed = seed, .checks = HD_MODEL_SAMPLES | HD_MODEL_MEMORY};
    hd_model *model = model_open(&options);
    const hd_model_module *module = model_load(model, "transpose.ptx");
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof x);
    const int n = N;
    const hd_model_report *r;
    const hd_model_shape shape = {{2, 2}, {32, 32}, 0};
    const void *arguments[] = {&from, &to, &n};
    MODEL_OK(model, hd_model_launch(model, module, "transpose_tiled", shape, arguments, 3, &r));
    CHECK(r->sample_count == 4, "%d samples", (int)r->sample_count);
    const hd_model_sample *s = r->samples;
    CHECK(s->shared && s->access == HD_ACCESS_LOAD && s->wavefronts == 32 && s->conflicts == 31,
          "the worst has %lld wavefronts", (long long)s->wavefronts);
    CHECK(s->mask == ~0u && s->bytes == 4 && s->warp == 0 && s->block[0] == 0 && s->block[1] == 0,
          "mask %08x, warp %d", (unsigned)s->mask, (int)s->warp);
    for (int l = 1; l < 32; l++)
        CHECK(s->address[l] - s->address[0] == 128 * (uint64_t)l, "lane %d at %llu", l,
              (unsigned long long)s->address[l]);
    for (int32_t k = 1; k < r->sample_count; k++)
        CHECK(s[k].conflicts == 0 && s[k].sectors == s[k].ideal_sectors, "sample %d", (int)k);

    MODEL_OK(model, hd_model_launch(model, module, "transpose_naive", shape, arguments, 3, &r));
    CHECK(r->sample_count == 2, "%d samples", (int)r->sample_count);
    s = r->samples;
    CHECK(!s->shared && s->access == HD_ACCESS_STORE && s->sectors == 32 && s->ideal_sectors == 4,
          "%lld sectors", (long long)s->sectors);
    for (int l = 0; l < 32; l++)
        CHECK(s->address[l] == to + 4 * N * (uint64_t)l, "lane %d at %llu", l,
              (unsigned long long)(s->address[l] - to));
    hd_model_close(model);
}

static const char racy[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                           ".visible .entry add_one(.param .u64 p)\n{\n"
                           ".reg .b32 %r<4>; .reg .b64 %d<3>;\n"
                           "ld.param.u64 %d1, [p];\n"
                           "ld.global.u32 %r1, [%d1];\n"
                           "add.s32 %r2, %r1, 1;\n"
                           "st.global.u32 [%d1], %r2;\n"
                           "atom.global.add.u32 %r3, [%d1+4], 5;\n"
                           "ret;\n}\n";

// Two blocks of one thread: every order of their accesses has the values that follow from it.
static void test_trace(uint64_t seed, int64_t most, bool seen[2])
{
    const hd_model_options options = {.seed = seed, .max_events = most, .checks = HD_MODEL_NONE};
    hd_model *model = model_open(&options);
    const hd_model_module *module = model_load_ptx(model, racy, "racy.ptx");
    int x[2];
    const uint64_t at = model_new(model, NULL, sizeof x);
    const hd_model_report *r = model_run(model, module, "add_one", 2, 1, &at, NULL);
    uint32_t value[2] = {0, 0}, held[2] = {0, 0};
    CHECK(r->events_lost == (most < 6), "lost");
    CHECK(r->event_count == (most < 6 ? most : 6), "%lld events", (long long)r->event_count);
    for (int64_t k = 0; k < r->event_count; k++) {
        const hd_model_event *e = &r->events[k];
        const int b = e->block[0], which = (int)(e->address - at) / 4;
        CHECK(b < 2 && e->thread == 0 && e->bytes == 4 && !e->shared, "event %lld", (long long)k);
        CHECK(e->before == value[which], "event %lld: %llu before", (long long)k,
              (unsigned long long)e->before);
        if (e->access == HD_ACCESS_LOAD) held[b] = value[0];
        if (e->access == HD_ACCESS_STORE) value[0] = held[b] + 1;
        if (e->access == HD_ACCESS_ATOMIC) value[1] += 5;
        CHECK(e->after == value[which], "event %lld: %llu after", (long long)k,
              (unsigned long long)e->after);
    }
    model_get(model, at, x, sizeof x);
    CHECK(x[1] == 10 && (x[0] == 1 || x[0] == 2), "%d %d", x[0], x[1]);
    if (most >= 6) CHECK((uint32_t)x[0] == value[0], "%d", x[0]);
    seen[x[0] == 2] = true;
    hd_model_close(model);
}

// A named allocation is named by findings, and can be freed like any other.
static void test_names(void)
{
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load_ptx(model, racy, "racy.ptx");
    const uint64_t at = model_new(model, NULL, 4);
    MODEL_OK(model, hd_model_name(model, at, "counter"));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_name(model, at + 4, "other"));
    MODEL_FAILS(model, HD_ERROR_ARGUMENT, hd_model_name(model, 3, "other"));
    const hd_model_report *r = model_run(model, module, "add_one", 1, 1, &at, NULL);
    CHECK(r->finding_count >= 1, "%d findings", (int)r->finding_count);
    if (r->finding_count >= 1)
        CHECK(strstr(r->findings[0].text, "'counter'") != NULL, "%s", r->findings[0].text);
    MODEL_OK(model, hd_model_free(model, at));
    hd_model_close(model);
}

// Not asked for: nothing is kept.
static void test_neither(void)
{
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load_ptx(model, racy, "racy.ptx");
    const uint64_t at = model_new(model, NULL, 8);
    const hd_model_report *r = model_run(model, module, "add_one", 2, 1, &at, NULL);
    CHECK(r->sample_count == 0 && r->samples == NULL, "samples");
    CHECK(r->event_count == 0 && r->events == NULL && !r->events_lost, "events");
    hd_model_close(model);
}

int main(void)
{
    bool seen[2] = {false, false};
    for (int threads = 1; threads <= 3; threads++) test_worst(threads, 0);
    for (uint64_t seed = 1; seed < 4; seed++) test_worst(2, seed);
    for (uint64_t seed = 0; seed < 200; seed++) test_trace(seed, 100, seen);
    CHECK(seen[0] && seen[1], "both results come about: %d %d", seen[0], seen[1]);
    test_trace(0, 3, seen);
    test_names();
    test_neither();
    return check_finish();
}
