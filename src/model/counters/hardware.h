// SPDX-License-Identifier: Apache-2.0
//
// What a launch would do on a chip: registers, occupancy, caches, predicted time. Begun before the
// blocks run, ended when they are done.
#ifndef HEDDLE_MODEL_COUNTERS_HARDWARE_H
#define HEDDLE_MODEL_COUNTERS_HARDWARE_H

#include "caches.h"
#include "model/module/module.h"
#include "model/state/model_state.h"
#include "registers.h"
#include "source_sites.h"

typedef struct hardware {
    const architecture *a;
    caches *caches;
    int32_t estimate; // registers by the PTX alone
    occupancy planned;
    ptxas_run ptxas;
    bool asking;
} hardware;

// Looks at the kernel before it runs; launch.caches is set. false: no memory.
bool hd__model_hardware_begin(hardware *h, hd_model *model, hd_model_module *module,
                              int32_t function, launch *l);
// Fills the report's part; the counts in it must be complete.
bool hd__model_hardware_end(hardware *h, hd_model *model, hd_model_module *module, int32_t function,
                            const launch_states *s);
// Gives back what is left; may be called at any time.
void hd__model_hardware_close(hardware *h, hd_model_module *module);

// ---- The prediction (prediction.c) --------------------------------------------------------------

typedef struct workload {
    const architecture *a;
    const occupancy *occupancy;
    cache_counts caches;
    int64_t blocks;
    int32_t warps;          // of a block
    double cycles;          // of the schedulers, all warps together
    double longest;         // instructions of a warp, on the average
    double requests;        // loads of global and local memory, of a warp on the average
    double barriers;        // the same
    double wavefronts;      // of shared memory and the L1
    double operations;      // of arithmetic, all threads together
    double constant_passes; // words of constant memory beyond one a request
} workload;

typedef struct prediction {
    double seconds;
    const char *bound;
    double memory, l2, l1, issue, latency, atomics, blocks; // seconds of each alone
} prediction;

prediction hd__model_predict(const workload *w);

#endif
