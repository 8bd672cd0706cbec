// SPDX-License-Identifier: Apache-2.0
//
// heddle calc: the lectures' arithmetic. What a tile saves, how many banks collide, how many bursts
// a warp needs, how much work a method does, how full a multiprocessor is, and what bounds a
// kernel.
#include "calc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

static const char name[] = "calc";

static const arg_option options[] = {
    ARG_TEXT(0, "tile", "T[,T...]", "tiling: outputs of a tile, along one side", calc_args, tiles),
    ARG_TEXT(0, "mask", "W[,W...]", "tiling: width of the mask", calc_args, masks),
    ARG_INT(0, "dimensions", "D", "tiling: 1, 2 or 3", calc_args, dimensions, 1, 3),
    ARG_TEXT(0, "words", "I[,I...]", "conflicts: the word each lane asks for", calc_args, words),
    ARG_INT(0, "stride", "S", "conflicts, bursts: lane l asks for element l S", calc_args, stride,
            0, 1 << 20),
    ARG_INT(0, "lanes", "L", "conflicts, bursts: lanes of a warp (32)", calc_args, lanes, 1, 64),
    ARG_INT(0, "banks", "B", "conflicts: banks of shared memory (32)", calc_args, banks, 1, 64),
    ARG_INT(0, "element", "BYTES", "bursts: of an element (4)", calc_args, element, 1, 128),
    ARG_INT(0, "burst", "BYTES", "bursts: of a burst (32)", calc_args, burst, 1, 4096),
    ARG_INT('n', "n", "N", "work, atomics: elements (1000000)", calc_args, n, 1, INT64_C(1) << 40),
    ARG_INT(0, "threads", "T", "atomics: threads with private bins (1024)", calc_args, threads, 1,
            INT64_C(1) << 30),
    ARG_INT(0, "bins", "B", "atomics: bins (16)", calc_args, bins, 1, INT64_C(1) << 24),
    ARG_INT(0, "arch", "NN", "occupancy, roofline: 70 for sm_70, ... (90)", calc_args, arch, 50,
            999),
    ARG_INT(0, "block", "T", "occupancy: threads in a block (256)", calc_args, block, 1, 1024),
    ARG_INT(0, "registers", "R", "occupancy: registers of a thread (32)", calc_args, registers, 1,
            255),
    ARG_INT(0, "shared", "BYTES", "occupancy: shared memory of a block (0)", calc_args, shared, 0,
            1 << 20),
    ARG_TEXT(0, "flops", "F", "roofline: operations of the kernel", calc_args, flops),
    ARG_TEXT(0, "bytes", "B", "roofline: bytes it moves", calc_args, bytes),
    ARG_FLAG(0, "json", "one JSON document on standard output", calc_args, json),
    ARG_END,
};

const arg_spec calc_spec = {
    name,
    "tiling|conflicts|bursts|work|atomics|occupancy|roofline",
    "does the lectures' arithmetic",
    "tiling      what a tile in shared memory saves of loads\n"
    "conflicts   how many turns the banks of shared memory need for a warp\n"
    "bursts      how many transactions of global memory a warp needs\n"
    "work        additions, steps and parallelism of reductions, scans and list ranking\n"
    "atomics     of a histogram, with and without private bins\n"
    "occupancy   how many blocks a multiprocessor holds, and what limits them\n"
    "roofline    whether a kernel is bound by memory or by arithmetic\n\n"
    "Examples:\n"
    "  heddle calc tiling --tile 16,32,64,128,256 --mask 5,9\n"
    "  heddle calc conflicts --banks 4 --words 0,2,4,6\n"
    "  heddle calc bursts --lanes 4 --burst 16 --stride 2\n"
    "  heddle calc work --n 1000000\n"
    "  heddle calc occupancy --arch 90 --block 256 --registers 40\n"
    "  heddle calc roofline --flops 2e9 --bytes 12e9\n",
    options,
    1,
    1,
};

static const struct calculator {
    const char *name;
    int (*run)(const calc_args *args);
} calculators[] = {
    {"tiling", calc_tiling},     {"conflicts", calc_conflicts}, {"bursts", calc_bursts},
    {"work", calc_work},         {"atomics", calc_atomics},     {"occupancy", calc_occupancy},
    {"roofline", calc_roofline},
};
#define CALCULATORS ((int)(sizeof calculators / sizeof *calculators))

static const char *calculator_name(int k, const void *user)
{
    (void)user;
    return k < CALCULATORS ? calculators[k].name : NULL;
}

int command_calc(int argc, char **argv)
{
    calc_args args = {.json = false};
    arg_result operands;
    int code;
    if (!args_begin(&calc_spec, argc, argv, &args, &operands, &code)) return code;
    const char *wish = operands.operand[0];
    for (int k = 0; k < CALCULATORS; k++)
        if (strcmp(calculators[k].name, wish) == 0) return calculators[k].run(&args);
    const char *nearest = args_nearest(wish, calculator_name, NULL);
    if (nearest != NULL)
        return fail(EXIT_USAGE, name, "no calculator is called %s; did you mean %s?", wish,
                    nearest);
    return fail(EXIT_USAGE, name, "no calculator is called %s; expected %s", wish,
                calc_spec.operands);
}
