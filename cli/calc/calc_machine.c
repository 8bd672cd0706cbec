// SPDX-License-Identifier: Apache-2.0
// heddle calc occupancy and roofline: what a multiprocessor holds, and what bounds a kernel.
#include "calc.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "program.h"

static const architecture *chip(const calc_args *args)
{
    return hd__model_architecture(args->arch.given ? (int32_t)args->arch.value : 90);
}

int calc_occupancy(const calc_args *args)
{
    const architecture *a = chip(args);
    const int32_t block = args->block.given ? (int32_t)args->block.value : 256;
    const int32_t registers = args->registers.given ? (int32_t)args->registers.value : 32;
    const int64_t shared = args->shared.given ? args->shared.value : 0;
    const occupancy o = hd__model_occupancy(a, block, registers, shared);
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "occupancy");
        json_int(&j, "arch", a->arch);
        json_int(&j, "blocks", o.blocks);
        json_int(&j, "warps", o.warps);
        json_real(&j, "occupancy", o.share);
        json_text(&j, "limit", o.limit);
        json_int(&j, "blocks_by_registers", o.by_registers);
        json_int(&j, "blocks_by_shared_memory", o.by_shared);
        json_int(&j, "blocks_by_threads", o.by_threads);
        json_int(&j, "blocks_by_blocks", o.by_blocks);
        json_end(&j);
        return EXIT_DONE;
    }
    printf("sm_%d: blocks of %d threads, %d registers a thread, %lld bytes of shared memory a "
           "block\n\n",
           (int)a->arch, (int)block, (int)registers, (long long)shared);
    printf("  registers allow      %4d blocks\n", (int)o.by_registers);
    printf("  shared memory allows %4d\n", (int)o.by_shared);
    printf("  threads allow        %4d\n", (int)o.by_threads);
    printf("  and there may be     %4d\n\n", (int)o.by_blocks);
    printf("%d blocks, %d of %d warps: %.0f %% occupancy, limited by %s\n", (int)o.blocks,
           (int)o.warps, (int)a->threads / 32, 100 * o.share, o.limit);
    return EXIT_DONE;
}

static int read_amount(const char *option, const char *text, double *value)
{
    char *end;
    if (text == NULL)
        return fail(EXIT_USAGE, "calc", "roofline: --%s is missing; expected a number such as 2e9",
                    option);
    *value = strtod(text, &end);
    if (end == text || *end != 0 || !(*value > 0) || *value > 1e30)
        return fail(EXIT_USAGE, "calc", "--%s %s: expected a number greater than 0, such as 2e9",
                    option, text);
    return EXIT_DONE;
}

int calc_roofline(const calc_args *args)
{
    const architecture *a = chip(args);
    double flops = 0, bytes = 0;
    EXIT_TRY(read_amount("flops", args->flops, &flops));
    EXIT_TRY(read_amount("bytes", args->bytes, &bytes));
    // A multiply-add counts as two.
    const double peak = 2.0 * a->f32_lanes * a->multiprocessors * a->mhz * 1e6;
    const double memory = a->dram_gb * 1e9, intensity = flops / bytes, ridge = peak / memory;
    const double reach = intensity * memory < peak ? intensity * memory : peak;
    const char *bound = intensity < ridge ? "memory" : "arithmetic";
    if (args->json) {
        json j = json_begin(stdout);
        json_text(&j, "calculator", "roofline");
        json_int(&j, "arch", a->arch);
        json_text(&j, "chip", a->chip);
        json_real(&j, "intensity", intensity);
        json_real(&j, "ridge", ridge);
        json_real(&j, "attainable_flops", reach);
        json_real(&j, "peak_flops", peak);
        json_real(&j, "memory_bytes_per_second", memory);
        json_real(&j, "seconds", flops / reach);
        json_text(&j, "bound", bound);
        json_end(&j);
        return EXIT_DONE;
    }
    printf("%s (sm_%d): %.1f Tflop/s of f32, %.0f GB/s: the roof's ridge is at %.1f operations a "
           "byte\n\n",
           a->chip, (int)a->arch, peak / 1e12, memory / 1e9, ridge);
    printf("%.3g operations, %.3g bytes: %.3g operations a byte, bound by %s\n", flops, bytes,
           intensity, bound);
    printf("at best %.3g Gflop/s (%.1f %% of the peak), %.3g ms\n", reach / 1e9, 100 * reach / peak,
           1e3 * flops / reach);
    return EXIT_DONE;
}
