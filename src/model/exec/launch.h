// SPDX-License-Identifier: Apache-2.0
//
// A launch: blocks spread over host threads, several of them resident in each and run in turns.
#ifndef HEDDLE_MODEL_EXEC_LAUNCH_H
#define HEDDLE_MODEL_EXEC_LAUNCH_H

#include "observer.h"
#include "loaded_module.h"

typedef struct launch {
    int32_t grid[3], block[3]; // 0 counts as 1
    int32_t cluster[3];        // blocks of a cluster; 0: as the kernel says, else 1
    int64_t dynamic_bytes;     // of shared memory
    const void *params;        // of the kernel, laid out as its declaration says
    int64_t param_bytes;
    int32_t threads;                  // host threads; 0: 1
    int32_t resident;                 // blocks in turns on each; 0: 8
    uint64_t seed;                    // not 0: shuffles the turns
    uint64_t max_steps;               // warp instructions of a host thread; 0: no limit
    const machine_settings *settings; // NULL: those of an sm_90
    const observer *const *observers; // NULL at the end; may be NULL
    void **states; // receives each observer's state, merged; hd__model_launch_close gives them back
    int64_t trace; // accesses that the trace keeps
    struct caches *caches; // may be NULL
    void (*print)(void *user, const char *text);
    void *print_user;
    char error[512]; // why it failed
    bool refused;    // the shape or the arguments are wrong: nothing ran
} launch;

// Runs a kernel. false: it could not, or the kernel trapped; the text is in l->error. The states
// are there in any case where l->states was given (an array as long as the list of observers).
bool hd__model_launch_run(launch *l, loaded_module *m, int32_t function);

// Gives the states back.
void hd__model_launch_close(launch *l);

// What a launch left behind, for the report.
typedef struct launch_states {
    const observer *const *observers;
    void *const *states;
    const loaded_module *module;
    const launch *launch;
    double seconds;
    const struct hd_model_module *owner;
} launch_states;

#endif
