// SPDX-License-Identifier: Apache-2.0
// heddle calc tiling, conflicts and bursts: how often memory is asked, and what it takes to answer.
#include "calc.h"

#include <math.h>
#include <stdio.h>

#include "cli/command.h"

// ---- Tiling -------------------------------------------------------------------------------------

typedef struct tiling {
    double loads, uses; // of one tile
} tiling;

// Each output uses mask^d inputs; a tile loads its outputs' inputs once, the halo with them.
static tiling tile_of(int64_t tile, int64_t mask, int dimensions)
{
    return (tiling){pow((double)(tile + mask - 1), dimensions),
                    pow((double)tile * (double)mask, dimensions)};
}

static void json_tiling(const calc_list *tiles, const calc_list *masks, int dimensions)
{
    json j = json_begin(stdout);
    json_text(&j, "calculator", "tiling");
    json_int(&j, "dimensions", dimensions);
    json_list(&j, "tiles");
    for (int32_t m = 0; m < masks->count; m++)
        for (int32_t t = 0; t < tiles->count; t++) {
            const tiling x = tile_of(tiles->value[t], masks->value[m], dimensions);
            json_object(&j, NULL);
            json_int(&j, "tile", tiles->value[t]);
            json_int(&j, "mask", masks->value[m]);
            json_real(&j, "loads", x.loads);
            json_real(&j, "uses", x.uses);
            json_real(&j, "reduction", x.uses / x.loads);
            json_close(&j);
        }
    json_close(&j);
    json_end(&j);
}

int calc_tiling(const calc_args *args)
{
    calc_list tiles = {5, {16, 32, 64, 128, 256}}, masks = {2, {5, 9}};
    const int dimensions = args->dimensions.given ? (int)args->dimensions.value : 1;
    EXIT_TRY(calc_read_list("tile", args->tiles, 1, 1 << 20, &tiles));
    EXIT_TRY(calc_read_list("mask", args->masks, 1, 1 << 20, &masks));
    if (args->json) {
        json_tiling(&tiles, &masks, dimensions);
        return EXIT_DONE;
    }
    printf("Loads that a tile saves, %d-D: a mask of W over tiles of T outputs a side\n"
           "loads (T + W - 1)^%d instead of (T W)^%d elements\n\n",
           dimensions, dimensions, dimensions);
    printf("%6s %6s %14s %14s %10s\n", "mask", "tile", "loads", "uses", "reduction");
    for (int32_t m = 0; m < masks.count; m++)
        for (int32_t t = 0; t < tiles.count; t++) {
            const tiling x = tile_of(tiles.value[t], masks.value[m], dimensions);
            printf("%6lld %6lld %14.0f %14.0f %9.1fx\n", (long long)masks.value[m],
                   (long long)tiles.value[t], x.loads, x.uses, x.uses / x.loads);
        }
    return EXIT_DONE;
}

// ---- Lanes --------------------------------------------------------------------------------------

// What each lane asks for: the list that was given, or multiples of the stride.
static int lanes_of(const calc_args *args, calc_list *lanes)
{
    EXIT_TRY(calc_read_list("words", args->words, 0, INT64_C(1) << 40, lanes));
    if (args->words != NULL) return EXIT_DONE;
    lanes->count = args->lanes.given ? (int32_t)args->lanes.value : 32;
    const int64_t stride = args->stride.given ? args->stride.value : 1;
    for (int32_t l = 0; l < lanes->count; l++) lanes->value[l] = l * stride;
    return EXIT_DONE;
}

// How many different values there are among those with value % divisor == rest.
static int32_t different(const calc_list *x, int64_t divisor, int64_t rest)
{
    int32_t count = 0;
    for (int32_t i = 0; i < x->count; i++) {
        bool first = x->value[i] % divisor == rest;
        for (int32_t k = 0; k < i && first; k++) first = x->value[k] != x->value[i];
        count += first;
    }
    return count;
}

int calc_conflicts(const calc_args *args)
{
    calc_list lanes = {0, {0}};
    EXIT_TRY(lanes_of(args, &lanes));
    const int64_t banks = args->banks.given ? args->banks.value : 32;
    int32_t turns = 0;
    int64_t worst = 0;
    for (int64_t b = 0; b < banks; b++) {
        const int32_t words = different(&lanes, banks, b);
        if (words > turns) turns = words, worst = b;
    }
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "conflicts");
        json_int(&j, "banks", banks);
        json_int(&j, "lanes", lanes.count);
        json_int(&j, "turns", turns);
        json_int(&j, "worst_bank", worst);
        json_end(&j);
        return EXIT_DONE;
    }
    printf("%d lanes, %lld banks: %d turn%s", (int)lanes.count, (long long)banks, (int)turns,
           turns == 1 ? ", no conflict\n" : "s");
    if (turns > 1)
        printf(", as bank %lld is asked for %d different words\n", (long long)worst, (int)turns);
    return EXIT_DONE;
}

// Bursts that the lanes' bytes lie in; an element may lie in several.
static int32_t bursts_of(const calc_list *lanes, int64_t element, int64_t burst)
{
    int32_t count = 0;
    for (int32_t l = 0; l < lanes->count; l++) {
        const int64_t last = (lanes->value[l] * element + element - 1) / burst;
        for (int64_t q = lanes->value[l] * element / burst; q <= last; q++) {
            bool fresh = true;
            for (int32_t k = 0; k < l && fresh; k++)
                fresh = q < lanes->value[k] * element / burst ||
                        q > (lanes->value[k] * element + element - 1) / burst;
            count += fresh;
        }
    }
    return count;
}

int calc_bursts(const calc_args *args)
{
    calc_list lanes = {0, {0}};
    EXIT_TRY(lanes_of(args, &lanes));
    const int64_t element = args->element.given ? args->element.value : 4;
    const int64_t burst = args->burst.given ? args->burst.value : 32;
    const int32_t count = bursts_of(&lanes, element, burst);
    const double used =
        100.0 * (double)(different(&lanes, 1, 0) * element) / (double)(count * burst);
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "bursts");
        json_int(&j, "lanes", lanes.count);
        json_int(&j, "element_bytes", element);
        json_int(&j, "burst_bytes", burst);
        json_int(&j, "transactions", count);
        json_real(&j, "used_percent", used);
        json_end(&j);
        return EXIT_DONE;
    }
    printf(
        "%d lanes, elements of %lld bytes, bursts of %lld: %d transaction%s, %.0f %% of the bytes "
        "used\n",
        (int)lanes.count, (long long)element, (long long)burst, (int)count, count == 1 ? "" : "s",
        used);
    return EXIT_DONE;
}
