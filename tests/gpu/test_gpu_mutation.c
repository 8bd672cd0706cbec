// SPDX-License-Identifier: Apache-2.0
//
// Mutation of the GPU backend: patterns run on the model machine through their host passes, and of
// every kernel that gets compiled each barrier and each fence is taken out, one at a time. The
// model must find a hazard in one of the calls at least, unless a comment there says "redundant:"
// and why; then in none. All of them are tried with HEDDLE_TEST_HUGE=1, else a sample.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/gpu/mutation_plays.h"
#include "gpu/gpu.h"
#include "gpu/model/model_device.h"
#include "tests/support/mutants.h"

// ---- The driver that takes a call out -----------------------------------------------------------

enum { KERNELS = 12 };

static hd__gpu_driver driver;
static int compiled, target, site; // kernels so far; the one to change, and where
static char *texts[KERNELS];       // of a play's kernels, when target is -1

static hd_status compile(hd_context *ctx, hd__gpu_device *device, const char *text, void **image,
                         size_t *bytes)
{
    mutant_site sites[MUTANT_MAX_SITES];
    const int number = compiled++;
    if (target < 0 && number < KERNELS) texts[number] = strdup(text);
    if (number != target) return hd__gpu_driver_model()->compile(ctx, device, text, image, bytes);
    mutant_sites(text, sites);
    char *without = mutant_without(text, &sites[site]);
    const hd_status status = hd__gpu_driver_model()->compile(ctx, device, without, image, bytes);
    free(without);
    return status;
}

static hd_status run(const play *p, int kernel, int which)
{
    hd__gpu *gpu;
    setenv("HEDDLE_TUNE", p->tune, 1);
    hd_context *ctx = check_open(HD_MODEL, 1, NULL);
    compiled = 0, target = kernel, site = which;
    hd_status status = hd__gpu_of(ctx, &gpu);
    CHECK_OK(ctx, status);
    if (status == HD_OK) {
        gpu->driver = &driver;
        status = p->call(ctx);
        if (status == HD_OK) status = hd_sync(ctx);
        CHECK(status == HD_OK || status == HD_ERROR_DEVICE || status == HD_ERROR_BACKEND ||
                  kernel >= 0,
              "%s: %s", p->name, hd_error(ctx));
    }
    hd_close(ctx);
    return status;
}

// ---- What was found of each call of each kernel -------------------------------------------------

typedef struct order {
    char kernel[64];
    mutant_site site;
    bool found, tried;
} order;

static order orders[512];
static int order_count, every; // every so many of them are tried

// The kernel's name is that of the function that the text ends with.
static void name_of(const char *text, char *name, size_t room)
{
    const char *last = text;
    for (const char *k = text; (k = strstr(k, "__global__")) != NULL; k++) last = k;
    last = strchr(last, '\n') != NULL ? last : text;
    const char *open = strstr(last, "(const ");
    while (open != NULL && open > last && open[-1] == ' ') open--;
    const char *first = open;
    while (first != NULL && first > last && strchr(" \n*", first[-1]) == NULL) first--;
    snprintf(name, room, "%.*s", open != NULL ? (int)(open - first) : 0, open != NULL ? first : "");
}

// Kernels of a name differ, as calls need them: a site is known by its file and line.
static order *order_of(const char *kernel, const mutant_site *where)
{
    for (int k = 0; k < order_count; k++)
        if (strcmp(orders[k].kernel, kernel) == 0 && orders[k].site.line == where->line &&
            strcmp(orders[k].site.file, where->file) == 0)
            return &orders[k];
    if (order_count == 512) exit(1);
    order *o = &orders[order_count++];
    snprintf(o->kernel, sizeof o->kernel, "%s", kernel);
    o->site = *where;
    return o;
}

static void mutate(const play *p)
{
    if (run(p, -1, 0) == HD_ERROR_BACKEND) { // not on the GPU yet
        printf("%s is not run by the GPU's passes\n", p->name);
        return;
    }
    const int count = compiled < KERNELS ? compiled : KERNELS;
    for (int k = 0; k < count; k++) {
        mutant_site sites[MUTANT_MAX_SITES];
        char name[64];
        const int all = mutant_sites(texts[k], sites);
        name_of(texts[k], name, sizeof name);
        // Kernels of one name may be behind different headers, with other calls in them.
        snprintf(name + strlen(name), sizeof name - strlen(name), " (%d)", all);
        for (int j = 0; j < all; j++) {
            order *o = order_of(name, &sites[j]);
            if (o->found || (int)(o - orders) % every != 0) continue;
            o->tried = true;
            o->found = run(p, k, j) == HD_ERROR_DEVICE;
        }
    }
    for (int k = 0; k < count; k++) free(texts[k]);
}

// Whether only kernels of some configurations have it: "if (HK_IN_PLACE) hk_fence();". One of the
// kernels that share the line must miss it; where not all of them are tried, none need be.
static bool is_conditional(const order *o)
{
    return strncmp(o->site.text, "if (HK_", 7) == 0;
}

static bool found_elsewhere(const order *o)
{
    for (int k = 0; k < order_count; k++)
        if (orders[k].found && orders[k].site.line == o->site.line &&
            strcmp(orders[k].site.file, o->site.file) == 0)
            return true;
    return false;
}

int main(void)
{
    const char *why;
    if (!hd_backend_available(HD_MODEL, &why)) {
        printf("%s\n", why);
        return CHECK_SKIP;
    }
    setenv("HEDDLE_MODEL_STEPS", "8000000", 1); // mutants may wait for ever
    setenv("HEDDLE_PTXAS", "none", 1);
    driver = *hd__gpu_driver_model();
    driver.compile = compile;
    fill();
    every = check_huge() ? 1 : check_small() ? 13 : 5;
    for (int k = 0; k < PLAYS; k++)
        if (!check_small() || k % 5 == 0) mutate(&plays[k]);
    int redundant = 0, tried = 0;
    for (int k = 0; k < order_count; k++) {
        const order *o = &orders[k];
        if (!o->tried) continue;
        if (check_small() && !o->found) continue; // perhaps by a call that was not made
        if (!o->found && is_conditional(o) && (every > 1 || found_elsewhere(o))) continue;
        CHECK(o->found == !o->site.redundant, "%s, %s:%d: %s: %s", o->kernel, o->site.file,
              o->site.line, o->site.text,
              o->found ? "not redundant" : "nothing is found without it");
        tried++, redundant += o->site.redundant;
    }
    CHECK(order_count >= 8, "%d calls that order", order_count);
    printf("%d of %d barriers and fences taken out, %d of them redundant\n", tried, order_count,
           redundant);
    return check_finish();
}
