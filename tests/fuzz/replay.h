// SPDX-License-Identifier: Apache-2.0
//
// The fuzz targets of one program: replay.c runs one of them, the build writes the table.
#ifndef HEDDLE_TESTS_FUZZ_REPLAY_H
#define HEDDLE_TESTS_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

typedef int replay_target(const uint8_t *data, size_t size);

typedef struct replay_row {
    const char *name;
    replay_target *target;
} replay_row;

extern const replay_row replay_rows[]; // a NULL name ends it

#endif
