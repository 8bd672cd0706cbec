// SPDX-License-Identifier: Apache-2.0
// A stage from inside, and what a driver of stages supplies. A driver's functions are called only
// while nothing has failed; each keeps its error by stage_fail.
#ifndef HEDDLE_LADDER_STAGE_DRIVER_H
#define HEDDLE_LADDER_STAGE_DRIVER_H

#include "stage.h"

#include <stdio.h>

#define STAGE_ARGUMENTS 16

typedef struct stage_driver {
    void (*open)(stage *s, const char *text, const char *name, const stage_options *options);
    void (*close)(stage *s);
    stage_address (*room)(stage *s, int64_t bytes);
    void (*clear)(stage *s, stage_address at, int64_t bytes);
    void (*free)(stage *s, stage_address at);
    void (*write)(stage *s, stage_address to, const void *data, int64_t bytes);
    void (*read)(stage *s, stage_address from, void *to, int64_t bytes);
    void (*set)(stage *s, const char *variable, const void *data, int64_t bytes);
    // format as in stage_launch, a letter an argument. Also adds to s->sum.
    void (*launch)(stage *s, const char *kernel, const stage_shape *shape, const char *format,
                   const void *const *arguments, int32_t count);
} stage_driver;

extern const stage_driver stage_model, stage_cuda;

struct stage {
    const stage_driver *driver;
    void *own; // the driver's
    hd_status status;
    char error[600];
    stage_totals sum;
};

// The first error stays.
static inline void stage_fail(stage *s, hd_status status, const char *text)
{
    if (s->status != HD_OK) return;
    s->status = status;
    snprintf(s->error, sizeof s->error, "%s", text);
}

#endif
