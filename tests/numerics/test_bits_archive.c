// SPDX-License-Identifier: Apache-2.0
//
// The archive of bits, src/bits/archive.txt: it has every pattern, type and built-in operator, and
// the serial and the cpu backend, with every instruction set, give what it says; so does the model
// machine for a part of it. HEDDLE_TEST_BACKEND=cuda: a card, in the place of the cores, for a
// larger part.
// link: heddle_bits
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits/bits.h"
#include "tests/support/check.h"

// ---- What is in it ------------------------------------------------------------------------------

static bool has_case(const bits_list *list, const char *begin, const char *within)
{
    for (int64_t k = 0; k < list->count; k++)
        if (strncmp(list->at[k].name, begin, strlen(begin)) == 0 &&
            strstr(list->at[k].name, within) != NULL)
            return true;
    return false;
}

static void check_patterns(const bits_list *list)
{
    static const char *const patterns[] = {
#define PATTERN(name, id) #name,
#include "core/patterns.def"
#undef PATTERN
    };
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        char words[64];
        snprintf(words, sizeof words, "%s", patterns[k]);
        for (char *at = words; *at; at++)
            if (*at == '_') *at = strcmp(patterns[k], "top_k") == 0 ? '-' : ' ';
        if (strcmp(words, "permute") != 0) // a step of list scans
            CHECK(has_case(list, words, ""), "no case of %s", words);
    }
}

static void check_operators(const bits_list *list)
{
    char begin[64];
    for (int32_t k = 0; hd_operator_at(k) != NULL; k++)
        for (int t = 0; check_type(t) != HD_NONE; t++) {
            const hd_operator *op = hd_operator_at(k);
            if (hd_default_output(op, check_type(t)) == HD_NONE) continue;
            snprintf(begin, sizeof begin, "%s %s ->", hd_operator_name(op),
                     hd_type_name(check_type(t)));
            CHECK(has_case(list, "reduce", begin), "no reduce %s", begin);
        }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const bits_case *)a)->name, ((const bits_case *)b)->name);
}

static void check_names(const bits_list *list, const bits_archive *archive)
{
    char name[BITS_NAME];
    bits_case *sorted = check_memory((size_t)list->count * sizeof *sorted);
    memcpy(sorted, list->at, (size_t)list->count * sizeof *sorted);
    qsort(sorted, (size_t)list->count, sizeof *sorted, by_name);
    for (int64_t k = 1; k < list->count; k++)
        CHECK(by_name(&sorted[k - 1], &sorted[k]) != 0, "two cases: %s", sorted[k].name);
    free(sorted);
    for (int64_t k = 0; k < list->count; k++)
        CHECK(strchr(list->at[k].name, ':') == NULL && strlen(list->at[k].name) + 1 < BITS_NAME,
              "%s", list->at[k].name);
    CHECK(bits_stale(archive, list, 0, name) == NULL, "no case any more: %s", name);
}

// ---- What backends make of it -------------------------------------------------------------------

typedef struct target {
    const char *name;
    bool silent;
} target;

static void differs(void *user, const bits_difference *d)
{
    const target *t = user;
    if (!t->silent)
        CHECK(false, "%s, size %" PRId64 ": expected %s, got %s on %s (scripts/bits.sh)",
              d->what->name, d->n,
              d->expected ? d->expected : "nothing, the archive has no such case", d->got, t->name);
}

static void compare(const bits_list *list, const bits_archive *archive, bits_check check,
                    const char *name)
{
    target t = {name, false};
    check.differs = differs, check.user = &t;
    bits_compare(&check, list, archive);
    printf("%s: %" PRId64 " the same, %" PRId64 " different, %" PRId64 " declined, %" PRId64
           " left out\n",
           name, check.same, check.different, check.refused, check.left_out);
    CHECK(check.same > 0, "nothing was compared on %s", name);
}

// What scripts/bits.sh accept would write, every case on the serial backend, is the file as it is,
// to the last byte.
static bool is_as_written(const bits_list *list)
{
    const char *failed = "";
    FILE *out = tmpfile(), *in = fopen(HEDDLE_SOURCE_DIR "/src/bits/archive.txt", "rb");
    int a = 0, b = 0;
    CHECK(in != NULL && out != NULL, "no files");
    if (in == NULL || out == NULL) return false;
    CHECK(bits_write(list, out, &failed) == HD_OK, "%s: %s", failed, hd_error(list->serial));
    rewind(out);
    while (a == b && a != EOF) a = getc(out), b = getc(in);
    fclose(in), fclose(out);
    return a == b;
}

static void on_cores(const bits_list *list, const bits_archive *archive)
{
    const int64_t parts = check_small() ? 29 : 1;
    if (parts > 1 || !is_as_written(list)) {
        const bits_check check = {.ctx = list->serial, .parts = parts};
        CHECK(parts > 1,
              "bits of the serial backend, or the text around them, are not the archive's");
        compare(list, archive, check, "serial");
    }
    for (int32_t k = 0; hd_isa_name(k) != NULL; k++) {
        if (!hd_isa_runs(k)) continue;
        hd_context *ctx = check_open(HD_CPU, k % 2 ? 3 : 2, hd_isa_name(k));
        compare(list, archive, (bits_check){.ctx = ctx, .parts = parts}, hd_isa_name(k));
        hd_close(ctx);
    }
}

static void on_gpu(const bits_list *list, const bits_archive *archive, hd_backend backend)
{
    if (!hd_backend_available(backend, NULL)) return;
    hd_context *ctx = check_open(backend, 0, NULL);
    compare(list, archive,
            (bits_check){.ctx = ctx,
                         .largest = 1031,
                         .parts = backend != HD_MODEL ? 19
                                  : check_small()     ? 356
                                                      : 89},
            hd_backend_name(backend));
    hd_close(ctx);
}

// An archive of which one digit is wrong, and one that lacks a case.
static void check_notices(const bits_list *list)
{
    static const char *const texts[] = {
        "reduce sum f32 -> f32, ordinary: 0=00000000 1=bf42d773\n",
        "# reduce sum f32 -> f32, ordinary: 0=00000000 1=bf42d772\n"};
    target t = {"", true};
    bits_list one = *list;
    while (one.count > 0 && strcmp(one.at->name, "reduce sum f32 -> f32, ordinary") != 0)
        one.at++, one.count--;
    for (int k = 0; k < 2; k++) {
        bits_archive wrong;
        bits_check check = {.ctx = list->serial, .largest = 1, .differs = differs, .user = &t};
        CHECK(one.count > 0 && bits_read(&wrong, texts[k]), "no case to change");
        one.count = 1;
        bits_compare(&check, &one, &wrong);
        CHECK(check.different == k + 1 && check.same == 1 - k, "%" PRId64 " of text %d",
              check.different, k);
        bits_close(&wrong);
    }
}

int main(void)
{
    const char *backend = getenv("HEDDLE_TEST_BACKEND");
    bits_list list;
    bits_archive archive;
    if (!bits_make(&list) || !bits_read(&archive, NULL)) return 1;
    check_patterns(&list);
    check_operators(&list);
    check_names(&list, &archive);
    check_notices(&list);
    if (backend != NULL) {
        on_gpu(&list, &archive, (hd_backend)hd_backend_named(backend));
    } else {
        on_cores(&list, &archive);
        on_gpu(&list, &archive, HD_MODEL);
    }
    bits_close(&archive);
    bits_drop(&list);
    return check_finish();
}
