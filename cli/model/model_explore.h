// SPDX-License-Identifier: Apache-2.0
//
// heddle model --explore, from inside: what is known of the schedules that ran.
#ifndef HEDDLE_CLI_MODEL_MODEL_EXPLORE_H
#define HEDDLE_CLI_MODEL_MODEL_EXPLORE_H

#include "model.h"

#define EXPLORE_MAX_RESULTS 64
#define EXPLORE_MAX_ORDERS  24
#define EXPLORE_MAX_EVENTS  16   // of an order that is shown
#define EXPLORE_TRACED      4096 // of a launch; of a longer one no orders are shown

// A result that some schedules gave.
typedef struct explored_result {
    uint64_t hash;
    int64_t times;
    uint64_t seed; // the first of them; 0 is the plain schedule
    bool breaks;
    char text[256];
} explored_result;

// An order of the loads and stores of threads that share a place.
typedef struct explored_order {
    char text[1024];
    int64_t times;
    uint64_t seed;
    int result; // or -1
} explored_order;

typedef struct exploration {
    model_run *run;
    const model_expectations *expected;
    int64_t schedules;
    uint64_t first_seed;
    void **plain; // what each argument's buffer held after the plain schedule
    explored_result results[EXPLORE_MAX_RESULTS];
    int result_count;
    bool more_results; // than there is room for
    explored_order orders[EXPLORE_MAX_ORDERS];
    int order_count;
    bool no_orders; // too long, or too many, to be read
    char shared_place[128];
    bool broken;
    uint64_t breaking_seed;
    char broken_text[256];
    int64_t hazardous; // schedules with a hazard or a failure
    uint64_t hazard_seed;
    hd_model *kept; // the first of them
    const hd_model_report *kept_report;
    hd_status kept_status;
    hd_model *warned; // without a hazard: the first that warned
    const hd_model_report *warned_report;
    char kept_failure[2048];
} exploration;

// Adds the order in which threads met in a trace, if it is short enough to be read.
void explore_order(exploration *x, const hd_model_report *report, uint64_t seed, int result);

void explore_print(const exploration *x);
void explore_print_json(const exploration *x);

#endif
