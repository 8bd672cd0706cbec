// SPDX-License-Identifier: Apache-2.0
//
// What peers on a device need beyond a job, whose in and out are then addresses of the device:
// `more` of the job points to this. Calls take turns over copies of the arrays, so that small ones
// do not stay in the device's cache: call k works at (k mod copies) steps from the first.
#ifndef HEDDLE_BENCH_PEER_PEER_DEVICE_H
#define HEDDLE_BENCH_PEER_PEER_DEVICE_H

#include <stdint.h>

#define PEER_DEVICE_INPUTS 6

typedef struct peer_device {
    int64_t copies;
    int64_t in_step, out_step; // bytes
    const void *with;          // the second input of a map, offsets, keys, flags or indices
    void *other;               // the second output: keys of runs, lengths
    int64_t with_step, other_step;
    const void *more; // of the job, where its arrays are the host's
    // Of algorithms: copies of those arrays of `more` that a device needs, else NULL.
    const void *input[PEER_DEVICE_INPUTS];
    int64_t input_step[PEER_DEVICE_INPUTS];
    int32_t peak_is_read; // and what the peak's way is: a read, or a copy
    double scale;         // the peak's time counts so many times
} peer_device;

#endif
