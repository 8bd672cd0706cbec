// SPDX-License-Identifier: Apache-2.0
// heddle ladder NAME [STEP] --shmoo: the time of one element over the size, for several sizes of
// block.
#ifndef HEDDLE_CLI_LADDER_LADDER_SHMOO_H
#define HEDDLE_CLI_LADDER_LADDER_SHMOO_H

#include <stdio.h>

#include "ladder.h"

#define SHMOO_MAX_SIZES  16
#define SHMOO_MAX_BLOCKS 5

typedef struct shmoo {
    const ladder *of;
    const ladder_step *step;
    bool cuda;
    int32_t sizes, blocks;
    int64_t n[SHMOO_MAX_SIZES];
    double elements[SHMOO_MAX_SIZES];
    int32_t block[SHMOO_MAX_BLOCKS];
    double seconds[SHMOO_MAX_SIZES][SHMOO_MAX_BLOCKS]; // 0: did not run
} shmoo;

// Plays the step that was chosen, or the last that is right, at every size up to `most` (0: as the
// ladder likes) and every block. An exit code.
int shmoo_play(const ladder_results *t, const stage_options *how, int64_t most, shmoo *s);
void shmoo_print(const shmoo *s);
void shmoo_json(const shmoo *s);
void picture_shmoo(FILE *out, const shmoo *s);
void shmoo_table(FILE *out, const shmoo *s); // the same in numbers

#endif
